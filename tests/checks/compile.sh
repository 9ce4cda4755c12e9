# The compile tier: build all headers of the tree in every way that a user may build them.
#   alone, twice, late implementation      each header, both compilers, first and last standard
#   orders, GPUCMD_NO_STD_INCLUDES         all headers together
#   implementation, every level            warnings that only the optimiser finds
#   NDEBUG                                 changes no token
#   links                                  two units, GPUCMD_STATIC, no C library
#   words                                  one program, all configurations, equal outputs
#   parts of the tool                      each includes what it uses
# C99 has every order, C++11 one; C17 and C++20 are only compiled. The tier compilers has the standards of
# C++ between them; the tier quick runs the suites at -O0.
. tests/checks/lib.sh

if [ -z "$HEADERS" ]; then
    skip compile "no headers in the tree"
    exit 0
fi

out=$BUILD/compile
list=$BUILD/jobs/compile.list
src=tests/compile
rm -rf "$out"
mkdir -p "$out" "$BUILD/jobs"

have_all=$(have_vendors)
vendors=$(echo "$HEADERS" | sed 's/gpucmd_//g; s/[.]h//g; s/gpucmd//')

# Jobs that read objects with nm, which need not be in the PATH.
nm_job()
{
    if have nm; then job "$1" "$2"; else job "$1" "skip: nm not found"; fi
}

# Print the permutations of the vendors, one per line.
orders()
{
    set -- $vendors
    case $# in
    0) ;;
    1) echo "$1" ;;
    2) printf '%s\n' "$1 $2" "$2 $1" ;;
    *) printf '%s\n' "$1 $2 $3" "$1 $3 $2" "$2 $1 $3" "$2 $3 $1" "$3 $1 $2" "$3 $2 $1" ;;
    esac
}

# Flags that a build of the Linux kernel adds on this machine; it limits frames to 1 KiB.
case $(uname -m) in
x86_64) kernel_arch='-mno-sse -mno-mmx -mno-80387 -mno-red-zone -mcmodel=kernel' ;;
aarch64) kernel_arch=-mgeneral-regs-only ;;
*) kernel_arch= ;;
esac

# Flags of KASAN on x86: lib/Kconfig.kasan of Linux instruments the stack with gcc only.
kasan_gcc='-fsanitize=kernel-address -fasan-shadow-offset=0xdffffc0000000000 --param asan-stack=1'
kasan_clang='-fsanitize=kernel-address -mllvm -asan-mapping-offset=0xdffffc0000000000 -mllvm -asan-stack=0'

c_standards='c99 c17'
cxx_standards='c++11 c++20'

# cmd COMPILER STANDARD: print the command with language, standard and warnings.
cmd()
{
    case $2 in
    c++*) echo "$(cxx_of "$1") -x c++ -std=$2 $(warnings "$1" c++) -I." ;;
    *) echo "$1 -std=$2 $(warnings "$1" c) -I." ;;
    esac
}

# The implementation with all headers in C99; the tiers stack and recursion use the same objects.
$MAKE $(impl_objects)

{
    for cc in gcc clang; do
        have $cc || job "$cc" "skip: $cc not found"
    done

    for cc in $(compilers); do
        standards=$c_standards
        if [ "$(cxx_of "$cc")" ]; then
            standards="$standards $cxx_standards"
        else
            job "$cc c++" "skip: the C++ compiler of $cc is not installed"
        fi
        for std in $standards; do
            x=$(cmd "$cc" "$std")
            tag="$cc $std"
            id=$cc-$std
            for h in $HEADERS; do
                for f in alone twice; do
                    job "$h $f $tag" "$x -fsyntax-only -DHEADER='\"$h\"' $src/$f.c"
                done
            done
            levels=-O2 first=1
            case $std in
            c99) first=6 ;;
            c17 | c++20) levels= ;;
            esac
            orders | head -n $first >"$out/orders"
            while read -r v1 v2 v3; do
                d="-DH1='\"gpucmd_$v1.h\"'"
                [ "$v2" ] && d="$d -DH2='\"gpucmd_$v2.h\"'"
                [ "$v3" ] && d="$d -DH3='\"gpucmd_$v3.h\"'"
                job "order $v1 $v2 $v3 $tag" "$x -fsyntax-only $d $src/order.c"
            done <"$out/orders"
            [ "$std" = c17 ] || [ "$std" = c++20 ] ||
                job "own types $tag" "$x -fsyntax-only -nostdinc -ffreestanding $have_all $src/no_std.c"

            for o in $levels; do
                p=$out/words-$id$o
                job "words $tag $o" "$x $o $have_all -o $p $src/words.c && $p >$p.txt"
            done
        done

        # Objects: a late implementation defines exactly the functions of a plain one.
        for std in c99 ${standards#c99 c17}; do
            case $std in c99 | c++11) ;; *) continue ;; esac
            x=$(cmd "$cc" $std)
            [ $std != c99 ] || for h in $HEADERS; do
                o=$out/late-$cc-$std-${h%.h}
                nm_job "$h late $cc $std" "
                    $x -O0 -c -DHEADER='\"$h\"' -o $o.a.o $src/alone_impl.c &&
                    $x -O0 -c -DHEADER='\"$h\"' -o $o.b.o $src/late.c &&
                    sh tests/checks/defined.sh $o.a.o >$o.a && sh tests/checks/defined.sh $o.b.o >$o.b &&
                    test -s $o.a && diff $o.a $o.b"
            done
            p=$out/static-$cc-$std
            nm_job "static $cc $std" "
                $x -O1 -c -DUNIT=1 $have_all -o $p.1.o $src/static.c &&
                $x -O1 -c -DUNIT=2 $have_all -o $p.2.o $src/static.c &&
                ${x%% *} -o $p $p.1.o $p.2.o && $p &&
                sh tests/checks/defined.sh $p.1.o >$p.names && test -s $p.names && ! grep gpucmd_ $p.names"
            impl=
            [ $std = c99 ] && impl=$BUILD/impl/$cc-O2.o
            nm_job "two units $cc $std" "sh tests/checks/units.sh $out/units-$cc-$std '$x' '' '$have_all' $impl"
        done

        for o in -O0 -O2 -Os; do
            job "implementation $cc c99 $o" "test -s $BUILD/impl/$cc$o.o"
        done
        x="$cc -std=c99 -E -P -I. $have_all $src/impl.c"
        job "NDEBUG $cc" "$x >$out/$cc.debug && $x -DNDEBUG >$out/$cc.ndebug && cmp $out/$cc.debug $out/$cc.ndebug"

        job "implementation $cc gnu89" "$cc -std=gnu89 -Wall -Werror -Wno-long-long -O2 -I. -c $have_all -o $out/gnu89-$cc.o $src/impl.c"
        x="$cc -std=c99 -U__GNUC__ -U__clang__ -O1 -I. $have_all -o $out/no-barrier-$cc $src/no_barrier.c"
        job "no barrier known $cc" "$x && $out/no-barrier-$cc"
        job "no barrier known, one used $cc" "if $x -DUSES_BARRIER >$out/no-barrier-$cc.txt 2>&1; then
            echo 'it links; expected an undefined gpucmd_barrier_macros_are_not_defined'; exit 1; fi;
            grep gpucmd_barrier_macros_are_not_defined $out/no-barrier-$cc.txt"

        kasan=$kasan_clang
        [ "$cc" = clang ] || kasan=$kasan_gcc
        [ "$(uname -m)" = x86_64 ] || kasan=
        job "kernel flags $cc" "$cc -std=gnu11 $kasan $(warnings "$cc" c) -I. -nostdinc -O2 -ffreestanding \
            -fno-common -fno-strict-aliasing -fno-builtin -fno-PIE -fno-asynchronous-unwind-tables \
            -fno-delete-null-pointer-checks -fno-strict-overflow -fno-stack-protector $kernel_arch \
            -Wframe-larger-than=1024 \
            -c $have_all -o $out/kernel-$cc.o $src/no_std.c"
        nm_job "no C library $cc" \
            "sh tests/checks/units.sh $out/bare-$cc '$(cmd "$cc" c99)' '-ffreestanding -nostdlib -static' '$have_all'"
        if works "$cc" -m32; then
            run32=$(run32)
            nm_job "no C library $cc -m32" \
                "sh tests/checks/units.sh $out/bare32-$cc '$(cmd "$cc" c99) -m32' '-ffreestanding -nostdlib -static' '$have_all'"
            p=$out/words-$cc-m32
            for std in c99 c++11; do
                [ $std = c99 ] || [ "$(cxx_of "$cc")" ] || continue
                job "words $cc $std -m32" "$(cmd "$cc" $std) -m32 -O2 $have_all -o $p-$std $src/words.c && $run32 $p-$std >$p-$std.txt"
            done
        else
            job "$cc -m32" "skip: $cc -m32 does not build a program here"
        fi
    done

    for part in examples/gpucmd-dump/*.h; do
        job "$part alone" "$CC -x c -std=c99 -I. -Wall -Wextra -Werror -Wno-unused-function \
            -Wno-unused-variable -fsyntax-only $part"
    done

    # A compiler without the extensions of gcc.
    if have tcc; then
        job "words tcc" "tcc -std=c99 -I. $have_all -o $out/words-tcc $src/words.c && $out/words-tcc >$out/words-tcc.txt"
    else
        job "words tcc" "skip: tcc not found"
    fi
    # Other hosts: big-endian words under qemu, 32-bit arm with and without a C library.
    s390x=s390x-linux-gnu-gcc
    if have $s390x && have qemu-s390x; then
        for o in -O2; do
            p=$out/words-s390x$o
            job "words s390x $o" "$(cmd gcc c99 | sed "s/^gcc/$s390x -static/") $o $have_all -o $p $src/words.c && qemu-s390x $p >$p.txt"
        done
    else
        job "words s390x" "skip: $s390x or qemu-s390x not found"
    fi
    arm=arm-linux-gnueabihf-gcc
    if have $arm; then
        job "implementation arm" "$(cmd gcc c99 | sed "s/^gcc/$arm/") -O2 -c $have_all -o $out/arm.o $src/impl.c"
    else
        job "implementation arm" "skip: $arm not found"
    fi
    bare=arm-none-eabi-gcc
    if have $bare; then
        job "implementation cortex-m4" "$(cmd gcc c99 | sed "s/^gcc/$bare/") -mcpu=cortex-m4 -mthumb \
            -ffreestanding -Os -c $have_all -o $out/cortex-m4.o $src/impl.c"
    else
        job "implementation cortex-m4" "skip: $bare not found"
    fi
} >"$list"

sh tests/checks/jobs.sh count compile "$list" 2>&1
status=$?

# The outputs of all words programs must be equal.
set -- "$out"/words-*.txt
same=0 other=0
for f in "$@"; do
    if diff "$1" "$f" >"$out/words.diff" 2>&1 && [ -s "$f" ]; then
        same=$((same + 1))
    else
        other=$((other + 1))
        echo "FAIL: compile/words: $f differs from $1"
        sed 's/^/    /' "$out/words.diff" | head -n 10
    fi
done
[ $other -eq 0 ] || status=1
nothing=$(sed -n 's/ nothing:.*//p' "$1")
for v in $nothing; do
    echo "skip: compile/words: no calls of $v in tests/compile/words.c"
done
set -- $nothing
if [ $# -gt 0 ]; then
    echo "compile/words: $same passed, $other failed, $# skipped"
else
    echo "compile/words: $same passed, $other failed"
fi
exit $status
