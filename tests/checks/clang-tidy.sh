# Run clang-tidy, with the checks of .clang-tidy, on the implementation of every header and on the tool.
. tests/checks/lib.sh

need clang-tidy clang-tidy
list=$BUILD/jobs/clang-tidy.list
mkdir -p "$BUILD/jobs"
: >"$list"
for h in $HEADERS; do
    job "$h" "clang-tidy --quiet tests/compile/alone_impl.c -- -std=c99 -I. -DHEADER='\"$h\"' 2>&1" >>"$list"
done
for f in examples/*.c examples/gpucmd-dump/*.c examples/hardware/*.c; do
    [ -f "$f" ] && job "$f" "clang-tidy --quiet $f -- -std=c99 -I. 2>&1" >>"$list"
done
if [ ! -s "$list" ]; then
    skip clang-tidy "nothing to check in the tree"
    exit 0
fi
TEST_SECONDS=900 sh tests/checks/jobs.sh count clang-tidy "$list" 2>&1
