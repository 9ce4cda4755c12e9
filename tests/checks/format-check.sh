# clang-format must not change any tracked source. It needs minutes for each header of a vendor: these
# are checked with FULL=1 only.
. tests/checks/lib.sh

list=$BUILD/jobs/format-check.list
mkdir -p "$BUILD/jobs"
files=$(git ls-files '*.h' '*.c' '*.cc' 2>/dev/null) || files=
[ "$files" ] || files=$(find . -name build -prune -o -name '*.[ch]' -print -o -name '*.cc' -print)

if have clang-format; then
    for f in $files; do
        case $f,$FULL in
        gpucmd_*.h,) continue ;;
        esac
        if [ -f "$f" ]; then job "$f" "clang-format --dry-run --Werror $f"; fi
    done >"$list"
else
    job "all sources" "skip: clang-format not found" >"$list"
fi
sh tests/checks/jobs.sh count format-check "$list" 2>&1
