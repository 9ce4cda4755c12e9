# Build and run every numbered example, and compare its output with its last comment:
# `/* Output:`, one line ` * text` for each line, ` */`. The tool and examples/hardware/*.c are only built.
#   examples.sh examples       $CC, C99
#   examples.sh examples-all   gcc, clang and tcc, whichever $CC is not, C99; g++ and clang++, C++11
. tests/checks/lib.sh

tier=$1
out=$BUILD/$tier
list=$BUILD/jobs/$tier.list
mkdir -p "$out/hardware" "$BUILD/jobs"

expected()
{
    awk '/^\/\* Output:/ { on = 1; next }
         on && /^ ?\*\// { exit }
         on { sub(/^ \* ?/, ""); print }' "$1"
}

# each NAME COMPILER: print one job for every example. NAME is the name of the variant.
each()
{
    if ! have "${2%% *}"; then
        job "$1" "skip: ${2%% *} not found"
        return
    fi
    for e in $EXAMPLES $BUILT; do
        program=$out/${e##*/}.$1 run=
        case $e,$1 in
        [0-9]*)
            run="&& $program >$program.txt && diff $out/$e.expected $program.txt"
            [ -s "$out/$e.expected" ] || run="&& echo no closing comment with the output && false"
            ;;
        *,*++) continue ;; # C only
        esac
        # A program may define _DEFAULT_SOURCE.
        job "$e $1" "$2 -Wno-reserved-macro-identifier -I. -o $program examples/$e.c $run"
    done
    if [ "$1" = c99 ] && [ -f /usr/include/libdrm/i915_drm.h ]; then
        job gpucmd-run "${2%% *} -std=c11 -D_GNU_SOURCE -fsyntax-only $(warnings "${2%% *}" c) -I. examples/gpucmd-run/*.c"
    fi
}

for e in $EXAMPLES; do
    expected "examples/$e.c" >"$out/$e.expected"
done
case $tier in
*-all)
    for cc in $(others gcc clang tcc); do
        each "$cc" "$cc -std=c99 $(warnings "$cc" c)"
    done
    for cc in g++ clang++; do
        each "$cc" "$cc -x c++ -std=c++11 -O0 $(warnings "$cc" c++)"
    done
    ;;
*) each c99 "$CC -std=c99 -O0 $(warnings "$CC" c)" ;;
esac >"$list"
if [ ! -s "$list" ]; then
    skip "$tier" "no examples in the tree"
    exit 0
fi
sh tests/checks/jobs.sh count "$tier" "$list" 2>&1
