# tool.sh TIER: run the shell tests of the tool, each from the root of the tree with the tool in $BUILD.
. tests/checks/lib.sh

list=$BUILD/jobs/$1.list
mkdir -p "$BUILD/jobs"
export BUILD
for s in $SCRIPTS; do
    job "${s%.sh}" "sh tests/$s"
done >"$list"
sh tests/checks/jobs.sh lines "$1" "$list" 2>&1
