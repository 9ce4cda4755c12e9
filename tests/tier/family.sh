# Families must be complete: every row of a list of commands, methods, ioctls or rules has the members
# that tests/tier/family.txt names. The rows, functions and macros are read from preprocessor output.
# A switch over commands, methods or ioctls must not have a default.
. tests/tier/lib.sh

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
awk -f tests/tier/functions.awk $HEADERS "$out/all.i" >"$out/functions"
for h in $HEADERS; do
    awk -f tests/tier/default.awk "$h"
done >>"$out/functions"
grep '^#define GPUCMD_' "$out/macros.all" >"$out/macros"
grep -v '^#' "$out/rows.i" | tr '\n@' ' \n' | grep '^[a-z0-9]*[.][a-z_]* ' >"$out/rows"
# Identifiers of the preprocessed tests; family-proof uses its own list.
tests=${FAMILY_TESTS:-$out/tests}
[ "$FAMILY_TESTS" ] || for t in tests/*.c; do
    case $t in */i915_libdrm.c) continue ;; esac
    $CC -std=c99 -E -I. -Itests "$t"
done | awk '/^# [0-9]/ { on = $3 ~ /^"(.[/])?tests[/]/; next } on' |
    tr -cs 'A-Za-z0-9_' '\n' | LC_ALL=C sort -u >"$tests"
awk -f tests/tier/family.awk tests/tier/family.txt "$out/functions" "$out/macros" "$out/rows" "$tests"
