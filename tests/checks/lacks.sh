# lacks.sh MACRO: compile gpucmd_i915.h without this macro of the fields of a row, with $CC (gcc). The
# first error must name the macro, and few may follow.
. tests/checks/lib.sh

out=$BUILD/lacks/$1
mkdir -p "$out"
awk -v start="#define $1(" 'index($0, start) == 1 { skip = 1 } !skip; !/\\$/ { skip = 0 }' gpucmd_i915.h \
    >"$out/gpucmd_i915.h"
if cmp -s gpucmd_i915.h "$out/gpucmd_i915.h"; then
    echo "gpucmd_i915.h has no macro $1"
    exit 1
fi
LC_ALL=C $CC -std=c99 -fsyntax-only -I. -DGPUCMD_IMPLEMENTATION "$out/gpucmd_i915.h" 2>&1 | grep 'error:' >"$out/errors"
head -n 1 "$out/errors" | grep -qw "$1" && [ "$(wc -l <"$out/errors")" -lt 10 ] && exit
echo "expected an error that names it first, and fewer than 10; the first of $(wc -l <"$out/errors") is:"
head -n 1 "$out/errors"
exit 1
