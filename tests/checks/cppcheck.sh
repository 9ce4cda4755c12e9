# Run cppcheck on the implementation of every header, on the tool, and on the programs for real GPUs.
. tests/checks/lib.sh

# The unit of the tool needs about a minute of CPU.
TEST_SECONDS=900
export TEST_SECONDS

need cppcheck cppcheck
list=$BUILD/jobs/cppcheck.list
mkdir -p "$BUILD/jobs"
: >"$list"
x="cppcheck --quiet --std=c99 --language=c --error-exitcode=1 --inline-suppr --enable=warning,portability \
--suppress=missingIncludeSystem --suppress=toomanyconfigs --suppress=normalCheckLevelMaxBranches -I. -D__GNUC__=12 -D__x86_64__"
for h in $HEADERS; do
    job "$h" "$x -DHEADER='\"$h\"' tests/compile/alone_impl.c" >>"$list"
done
for f in examples/gpucmd-dump/gpucmd-dump.c examples/hardware/*.c; do
    [ -f "$f" ] && job "$f" "$x $f" >>"$list"
done
if [ ! -s "$list" ]; then
    skip cppcheck "nothing to check in the tree"
    exit 0
fi
sh tests/checks/jobs.sh count cppcheck "$list" 2>&1
