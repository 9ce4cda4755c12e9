# Build and run test programs with one compiler and one runner.
#   suite.sh DIRECTORY COMPILER RUNNER NAME...
# First COMPILER builds and RUNNER runs a small program. If either is missing, the suite is skipped.
. tests/checks/lib.sh

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

programs= log=$BUILD/jobs/$suite.build list=$BUILD/jobs/$suite.list
mkdir -p "$BUILD/jobs"
for t in "$@"; do
    programs="$programs $BUILD/$suite/$t"
done

# A program that cannot be built now does not run, even if an older build of it exists: make removes
# the target of a command that fails, and names each target whose prerequisites failed.
LC_ALL=C $MAKE $programs 2>"$log" || echo "FAIL: $suite: not every program builds" >>"$log"
cat "$log"
# shellcheck disable=SC2046
rm -f $(sed -n "s/.*Target [\`']\(.*\)' not remade because of errors.*/\1/p" "$log")

for t in "$@"; do
    corpus=
    case $t in
    fuzz_*)
        for d in "tests/fuzz/corpus/$t" "tests/fuzz/corpus/${t#fuzz_}"; do
            [ -d "$d" ] && corpus="$corpus $d"
        done
        ;;
    esac
    if [ -x "$BUILD/$suite/$t" ]; then
        job "$t" "$runner $BUILD/$suite/$t$corpus"
    else
        job "$t" "echo it did not build; exit 1"
    fi
done >"$list"
sh tests/checks/jobs.sh lines "$suite" "$list" 2>&1
