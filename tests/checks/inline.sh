# Writers must not need the implementation. List every inline function of the headers, use the address
# of each in a unit without GPUCMD_IMPLEMENTATION, and call each public one. Link that unit only with
# memcpy, memmove and memset. In rooms of writers no function may be only declared.
#   inline.sh inline       $CC, C99, -O0
#   inline.sh inline-all   gcc, clang, g++, clang++, -O0 and -O2; tcc; 32-bit machines
. tests/checks/lib.sh

tier=$1
if [ -z "$HEADERS" ]; then
    skip "$tier" "no headers in the tree"
    exit 0
fi
out=$BUILD/$tier
list=$BUILD/jobs/$tier.list
src=tests/compile
have_all=$(have_vendors)
mkdir -p "$out" "$BUILD/jobs"
run= m32= run32=

$CC -std=c99 -E $have_all -I. $src/all.c -o "$out/all.i" || exit 1
awk -f tests/checks/functions.awk $HEADERS "$out/all.i" >"$out/functions"
awk -f tests/checks/inline.awk $src/inline.h "$out/all.i" >"$out/unit.c"
# A prototype may precede the definition.
awk '$1 == "def" { defined[$4] = 1 }
     $1 == "declare" && $3 ~ /^(ENCODE|EMIT|RING|RECIPE)$/ { declared[$0] = $4 }
     END { for (line in declared) if (!(declared[line] in defined)) print line }' \
    "$out/functions" >"$out/only"

# bare NAME COMPILER FLAGS...: compile the unit and link it only with start.c.
bare()
{
    name=$1
    shift
    if ! have "$1"; then
        job "$name" "skip: $1 not found"
        return
    fi
    p=$out/$(echo "$name" | tr ' +' '-x')
    x="$* -w -ffreestanding -fno-stack-protector -I. $have_all"
    job "$name" "$x -c -o $p.unit.o $out/unit.c &&
        $x -x c -std=c99 -fno-builtin -c -o $p.start.o $src/start.c &&
        $* -nostdlib -static -o $p.bare -x none $p.unit.o $p.start.o $run"
}

# build NAME COMPILER FLAGS...: as bare, then link with the library of this machine, and run.
build()
{
    n=$1
    shift
    p=$out/$(echo "$n" | tr ' +' '-x')
    run="&& $* -I. -c -o $p.main.o $src/inline_main.c && ${1} $m32 -o $p $p.unit.o $p.main.o && $run32 $p"
    if have "$1" && ! works $1 $m32; then
        job "$n" "skip: $1 $m32 does not build a program here"
    else
        bare "$n" "$@"
    fi
    run=
}

{
    case $tier in
    *-all)
        done_already="$(sh tests/checks/kind.sh $CC) -O0"
        for o in -O0 -O2; do
            for cc in gcc clang; do
                [ "$cc $o" = "$done_already" ] || build "$cc $o" $cc -std=c99 $o
            done
            for cxx in g++ clang++; do
                build "$cxx $o" $cxx -x c++ -std=c++11 -fno-exceptions $o
            done
        done
        [ "$(sh tests/checks/kind.sh $CC)" = other ] || build tcc tcc -std=c99
        m32=-m32 run32=$(run32)
        build "gcc -m32 -Os" gcc -m32 -std=c99 -Os
        build "clang -m32 -O2" clang -m32 -std=c99 -O2
        # With its FPU: gpucmd_agx_merge_upper divides floats.
        bare "cortex-m4 -Os" arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=softfp \
            -mfpu=fpv4-sp-d16 -std=c99 -Os
        ;;
    *)
        job "writers only declared" "if grep . $out/only; then
            echo expected inline functions; exit 1; fi"
        build "$CC" $CC -std=c99 -O0
        ;;
    esac
} >"$list"
sh tests/checks/jobs.sh count "$tier" "$list" 2>&1
