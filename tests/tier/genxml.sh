# Compare the rows of gpucmd_i915.h with Mesa's lists of fields: GENXML is its directory src/intel/genxml.
. tests/tier/lib.sh

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
int main(void)
{
    GPUCMD_I915_FIELDS(ROW)
    return 0;
}
EOF
if ! $CC -w -std=c99 -I. -o "$dir/rows" "$dir/rows.c" || ! "$dir/rows" >"$dir/rows.txt"; then
    echo "genxml: 0 passed, 1 failed"
    exit 1
fi
exec $python tests/tier/genxml.py "$dir/rows.txt" tests/tier/genxml.txt "$GENXML"
