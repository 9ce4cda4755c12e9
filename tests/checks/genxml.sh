# Compare the rows of gpucmd_i915.h with Mesa's lists of fields and lengths: GENXML is its directory
# src/intel/genxml.
. tests/checks/lib.sh

python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
need genxml $python
if ! [ -f "$GENXML/gen30.xml" ]; then
    skip genxml "no lists: set GENXML to Mesa's src/intel/genxml"
    exit 0
fi
dir=$BUILD/genxml
mkdir -p "$dir"
cat >"$dir/rows.c" <<'EOF'
#define GPUCMD_I915_IMPLEMENTATION
#include "gpucmd_i915.h"
#include <stdio.h>
#define ROW(x, name, dw, hi, lo, since, until) \
    printf(#x " " #name " %d %d %d " #since " " #until "\n", dw, hi, lo);
#define NAME(name, key, since, until, least, most, step) \
    printf("name " name "\n"); \
    LENGTHS(key, since, until, least, most, step)
#define LENGTHS(key, since, until, least, most, step) \
    printf("words %d " #since " " #until " %d %d %d\n", key, least, most, step);
int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1) {
        GPUCMD_I915_FIELDS(ROW)
    } else {
        GPUCMD_I915_GFX_COMMANDS(NAME, LENGTHS)
    }
    return 0;
}
EOF
if ! $CC -w -std=c99 -I. -o "$dir/rows" "$dir/rows.c" || ! "$dir/rows" >"$dir/rows.txt" ||
    ! "$dir/rows" lengths >"$dir/lengths.txt"; then
    echo "genxml: 0 passed, 1 failed"
    exit 1
fi
exec $python tests/checks/genxml.py "$dir/rows.txt" tests/checks/genxml.txt "$GENXML" "$dir/lengths.txt"
