# commands.sh LINUX DIRECTORY: compare the first words of all commands of gpucmd_i915.h with the
# definitions of the same name in the headers of i915 and xe; print those that differ. DIRECTORY is
# for what is built. The names differ in CMD_, GFX_OP_, GEN9_ in front and in _CMD at the end.
linux=$1/drivers/gpu/drm out=$2
failed=0 same=0
mkdir -p "$out"
cat >"$out/rows.c" <<'EOF'
#define GPUCMD_I915_IMPLEMENTATION
#include "gpucmd_i915.h"
#include <stdio.h>
#define ROW(x, name, head, ...) printf("%s %u\n", #name, (unsigned)(head));
#define NAME(name, key, ...)    printf("%s %u\n", name, (unsigned)(key) << 16);
#define NONE(...)
int main(void)
{
    GPUCMD_I915_COMMANDS(ROW, )
    GPUCMD_I915_GFX_COMMANDS(NAME, NONE)
    return 0;
}
EOF
gcc -std=c99 -w -I. -o "$out/rows" "$out/rows.c" && "$out/rows" | sort -u >"$out/rows.txt" || failed=1
for file in "$linux/i915/gt/intel_gpu_commands.h" "$linux"/xe/instructions/xe_*_commands.h; do
    {
        cat <<'EOF'
#include <stdio.h>
typedef unsigned u32;
typedef unsigned long long u64;
long long sign_extend64(u64 v, int bit);
#define GENMASK_ULL(h, l) ((~0ull >> (63 - (h))) & (~0ull << (l)))
#define BIT(n)            (1u << (n))
#define REG_BIT(n)        BIT(n)
#define GENMASK(h, l)     ((~0u >> (31 - (h))) & (~0u << (l)))
#define REG_GENMASK(h, l) GENMASK(h, l)
#define FIELD_PREP(m, v)  (((u32)(v) << (__builtin_ffs((int)(m)) - 1)) & (m))
#define REG_FIELD_PREP    FIELD_PREP
static void one(const char *name, u32 theirs, u32 ours)
{
    const u32 client = ours >> 29;
    static const u32 masks[] = {0xff800000u, 0, 0xffc00000u, 0xffff0000u, 0xfc000000u, 0xfc000000u};
    const u32 mask = masks[client];
    printf("%s %s %08x %08x\n", ((theirs ^ ours) & mask) == 0 ? "same" : "differs", name, theirs, ours);
}
EOF
        grep -hv '^#include' "$linux/xe/instructions/xe_instr_defs.h" "$file"
        echo 'int main(void) {'
        sed -n 's/^#define[ \t]*\([A-Z0-9_a-z]*\)[ \t].*/\1/p' "$file" | awk -v rows="$out/rows.txt" '
            BEGIN {
                while ((getline line < rows) > 0) {
                    split(line, p, " ")
                    heads[p[1]] = heads[p[1]] " " p[2]
                }
            }
            {
                name = $1
                sub(/^(CMD_|GFX_OP_|GEN9_)/, "", name)
                sub(/_CMD$/, "", name)
                n = split(heads[name], p, " ")
                for (i = 1; i <= n; i++) {
                    print "one(\"" $1 "\", (u32)(" $1 "), " p[i] "u);"
                }
            }'
        echo 'return 0; }'
    } >"$out/words.c"
    if ! gcc -std=gnu11 -w -o "$out/words" "$out/words.c"; then
        echo "FAIL: commands: ${file##*/} does not compile"
        failed=$((failed + 1))
        continue
    fi
    # A name may belong to several commands, of different generations.
    "$out/words" | awk '$1 == "same" { same[$2] = 1 } { last[$2] = $0 }
        END {
            for (i in last) {
                print i in same ? "same " i : "FAIL: commands: " last[i]
            }
        }' >"$out/words.txt"
    grep FAIL "$out/words.txt"
    failed=$((failed + $(grep -c FAIL "$out/words.txt")))
    same=$((same + $(grep -c ^same "$out/words.txt")))
done
echo "ports: $same passed, $failed failed"
