# Builds every numbered example as C99 and as C++11, runs it, and compares what it prints with its
# last comment: `/* Output:`, one line ` * text` for each line, ` */`. The tool and examples/hw_*.c only build.
. tests/tier/lib.sh

out=$BUILD/examples
list=$BUILD/jobs/examples.list
mkdir -p "$out" "$BUILD/jobs"
: >"$list"

expected()
{
    awk '/^\/\* Output:/ { on = 1; next }
         on && /^ ?\*\// { exit }
         on { sub(/^ \* ?/, ""); print }' "$1"
}

c="$CC -std=c99 -O1 $(warnings "$CC" c) -I."
for e in $EXAMPLES $BUILT; do
    run=
    case $e in
    [0-9]*)
        expected "examples/$e.c" >"$out/$e.expected"
        run="&& $out/$e.VARIANT >$out/$e.VARIANT.txt && diff $out/$e.expected $out/$e.VARIANT.txt"
        [ -s "$out/$e.expected" ] || run="&& echo no closing comment with the output && false"
        ;;
    esac
    job "$e c99" "$c -o $out/$e.c99 examples/$e.c $run" | sed 's/VARIANT/c99/g' >>"$list"
    case $e in [!0-9]*) continue ;; esac
    if have "$CXX"; then
        cxx="$CXX -x c++ -std=c++11 -O1 $(warnings "$CXX" c++) -I."
        job "$e c++11" "$cxx -o $out/$e.cxx11 examples/$e.c $run" | sed 's/VARIANT/cxx11/g' >>"$list"
    else
        job "$e c++11" "skip: $CXX not found" >>"$list"
    fi
done
if [ ! -s "$list" ]; then
    skip examples "no examples in the tree"
    exit 0
fi
sh tests/jobs.sh count examples "$list" 2>&1
