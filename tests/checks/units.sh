# units.sh OUT COMPILER LINK-FLAGS DEFINES [OBJECT]
# Link two units: one contains the implementation; the other only includes the headers and uses the
# address of every function that the implementation defines. So every function is declared, every
# declaration has a body, and a program needs nothing else at link time. OBJECT is the implementation
# if it is already compiled.
set -e
out=$1 compiler=$2 link=$3 defines=$4 impl=$5
case $link in *-ffreestanding*) free=-ffreestanding ;; *) free= ;; esac

if [ -z "$impl" ]; then
    impl=$out.impl.o
    $compiler -O2 $free -c $defines -o "$impl" tests/compile/impl.c
fi
sh tests/checks/defined.sh "$impl" >"$out.names"
if [ ! -s "$out.names" ] || grep -v '^T gpucmd_' "$out.names"; then
    echo "the implementation defines nothing, or something that is not a function gpucmd_*"
    exit 1
fi
{
    echo '#include "tests/compile/all.h"'
    echo 'extern void (*const users[])(void);'
    echo 'void (*const users[])(void) = {'
    sed 's/^T \(.*\)/    (void (*)(void))\1,/' "$out.names"
    echo '};'
} >"$out.users.c"
$compiler -O2 $free -c $defines -o "$out.users.o" "$out.users.c"
if [ "$free" ]; then
    $compiler -O2 $free -fno-tree-loop-distribute-patterns -c $defines -o "$out.main.o" \
        tests/compile/start.c 2>/dev/null ||
        $compiler -O2 $free -fno-builtin -c $defines -o "$out.main.o" tests/compile/start.c
else
    echo 'int main(void); int main(void) { return 0; }' >"$out.main.c"
    $compiler -c -o "$out.main.o" "$out.main.c"
fi
set -- $compiler
case " $* " in *" -m32 "*) m32=-m32 ;; *) m32= ;; esac
$1 $m32 $link -o "$out" "$impl" "$out.users.o" "$out.main.o"
[ "$free" ] || "$out"
