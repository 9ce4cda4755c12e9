# Build and run test programs with one compiler and one runner.
#   suite.sh DIRECTORY COMPILER RUNNER NAME...
# First COMPILER builds and RUNNER runs a small program. If either is missing, the suite is skipped.
. tests/tier/lib.sh

suite=$1 compiler=$2 runner=$3
shift 3
if [ $# -eq 0 ]; then
    skip "$suite" "no test programs in the tree"
    exit 0
fi
for tool in ${compiler%% *} ${runner%% *}; do
    need "$suite" "$tool"
done
if ! works $compiler; then
    skip "$suite" "$compiler does not build a program here"
    exit 0
fi
case "$compiler " in
*' -m32 '*) runner=$(run32) ;;
esac
if [ "$runner" ] && ! $runner "$BUILD/works/a.out" >/dev/null 2>&1; then
    skip "$suite" "$runner does not run a program here"
    exit 0
fi

programs= list=$BUILD/jobs/$suite.list
mkdir -p "$BUILD/jobs"
for t in "$@"; do
    programs="$programs $BUILD/$suite/$t"
    corpus=
    case $t in
    fuzz_*)
        for d in "tests/fuzz/corpus/$t" "tests/fuzz/corpus/${t#fuzz_}"; do
            [ -d "$d" ] && corpus="$corpus $d"
        done
        ;;
    esac
    job "$t" "$runner $BUILD/$suite/$t$corpus"
done >"$list"
$MAKE $programs || echo "FAIL: $suite: not every program builds"
sh tests/jobs.sh lines "$suite" "$list" 2>&1
