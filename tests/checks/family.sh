# Families must be complete: every row of a list of commands, methods, ioctls or rules has the members
# that tests/checks/family.txt names. The rows, functions and macros are read from preprocessor output.
# A switch over commands, methods or ioctls must not have a default.
. tests/checks/lib.sh

if [ -z "$HEADERS" ]; then
    skip family "no headers in the tree"
    exit 0
fi
out=$BUILD/family
have_all=$(have_vendors)
mkdir -p "$out"
x="$CC -std=c99 -I. $have_all -E"

$x tests/compile/impl.c >"$out/all.i" && $x -dM tests/compile/impl.c >"$out/macros.all" &&
    $x tests/compile/family.c >"$out/rows.i" || exit 1
awk -f tests/checks/functions.awk $HEADERS "$out/all.i" >"$out/functions"
for h in $HEADERS; do
    awk -f tests/checks/default.awk "$h"
done >>"$out/functions"
grep '^#define GPUCMD_' "$out/macros.all" >"$out/macros"
grep -v '^#' "$out/rows.i" | tr '\n@' ' \n' | grep '^[a-z0-9]*[.][a-z_]* ' >"$out/rows"
# Identifiers of the preprocessed tests.
for t in $(suites c); do
    case $t in */libdrm.c) continue ;; esac
    $CC -std=c99 -E -I. -Itests "$t"
done | awk '/^# [0-9]/ { on = $3 ~ /^"(.[/])?tests[/]/; next } on' |
    tr -cs 'A-Za-z0-9_' '\n' | LC_ALL=C sort -u >"$out/tests"
awk -f tests/checks/family.awk tests/checks/family.txt "$out/functions" "$out/macros" "$out/rows" "$out/tests"
