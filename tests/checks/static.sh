# Rules of the tree that a text search can check.
. tests/checks/lib.sh

list=$BUILD/jobs/static.list
mkdir -p "$BUILD/jobs"
files=$(git ls-files 2>/dev/null) || files=
[ "$files" ] || files=$(find . -name build -prune -o -name .git -prune -o -type f -print | sed 's|^[.]/||')
text=
for f in $files; do
    case $f in tests/fuzz/corpus/* | tests/checks/static.sh | *.bin) continue ;; esac
    [ -f "$f" ] && text="$text $f"
done
code=
for f in $text; do
    case $f in *.[ch] | *.cc) code="$code $f" ;; esac
done

none()
{
    job "$1" "if grep -nE '$2' /dev/null $3; then exit 1; fi"
}
{
    none "no machine paths" '(^|[^A-Za-z0-9_./-])/(home|root|work|tmp|Users)/' "$text"
    none "no notes to come back to" '(^|[^A-Za-z_])(TODO|FIXME|XXX)([^A-Za-z_]|$)' "$text"
    none "no names reserved in C" '#[ ]*define[ ]+_[A-Z_]([A-Za-z0-9_]*)' "$HEADERS"
    none "no libc in headers" '^[ ]*#[ ]*include[ ]*<(stdio|stdlib|string|math|time|assert|errno)' "$HEADERS"
    none "no tabs in sources" '	' "$code"
    none "no trailing space" '[ 	]+$' "$code"
    none "no line over 100" '^.{101,}' "$HEADERS"
    none "no declaration in a for loop, for gnu89" 'for \((const )?[a-z_0-9]+( [*]| )[a-z_0-9]+ = ' "$HEADERS"
    none "attributes with underscores" '__attribute__\(\(([a-z_]+, )*[a-z]' "$HEADERS"
    none "configuration is tested with ifdef" \
        '^[ ]*#[ ]*if[ ]+GPUCMD_(IMPLEMENTATION|STATIC|NO_STD_INCLUDES)' "$HEADERS"
    for h in $HEADERS; do
        job "$h ends with the licence" "tail -n 30 $h | grep 'Permission is hereby granted'"
        job "$h names its version" "head -n 1 $h | grep -F 'v$VERSION' || { head -n 1 $h; exit 1; }"
    done
} >"$list"
sh tests/checks/jobs.sh count static "$list" 2>&1
status=$?

# Functions have at most 60 lines. SIZES=40 prints those over 40.
awk -v sizes="$SIZES" '
    FNR == 1 { start = 0 }
    /^\{/ { start = FNR; next }
    /^\}/ && start {
        lines = FNR - start - 1
        start = 0
        if (lines > 60) {
            printf "FAIL: static: %s:%d: %d lines in one function; expected at most 60\n", FILENAME, FNR - lines - 1, lines
            f++
        } else {
            p++
        }
        if (sizes && lines > sizes) printf "%s:%d: %d lines in one function\n", FILENAME, FNR - lines - 1, lines
    }
    END {
        printf "static/functions: %d passed, %d failed\n", p, f
        exit f > 0
    }' /dev/null $HEADERS || status=1
awk -f tests/checks/questions.awk $HEADERS examples/gpucmd-dump/*.[ch] examples/gpucmd-run/*.[ch] || status=1
sh tests/checks/declared.sh || status=1
sh tests/checks/rules.sh || status=1
exit $status
