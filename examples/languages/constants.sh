# constants.sh rust|python KNOWN HEADER...: print what a tool that reads declarations does not see:
# macros of the headers that are numbers with casts, sizes or other macros, for example
# GPUCMD_NVGPU_VA_END and the numbers of ioctls. Names that the file KNOWN defines are left out.
# The values come from a C program that includes the headers; CC is its compiler.
#
#     sh examples/languages/constants.sh rust bindings.rs gpucmd_nv.h >constants.rs
set -eu
language=$1 known=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for h in "$@"; do
    echo "#include \"$(cd "$(dirname "$h")" && pwd)/$(basename "$h")\""
done >"$dir/all.h"
${CC:-cc} -std=c99 -E -dM "$dir/all.h" | awk -v language="$language" -v known="$known" '
    BEGIN {
        while ((getline line <known) > 0) {
            if (match(line, /^(pub const )?GPUCMD_[A-Za-z0-9_]*/)) {
                name = substr(line, 1, RLENGTH)
                sub(/^pub const /, "", name)
                defined[name] = 1
            }
        }
        print "#include <stdio.h>\n#include \"all.h\""
        print "#define ROW(n) show(#n, (unsigned long long)(n), sizeof(n));"
        print "static void show(const char *name, unsigned long long value, size_t bytes)\n{"
        if (language == "rust")
            print "    printf(\"pub const %s: u%d = %llu;\\n\", name, (int)bytes * 8, value);"
        else
            print "    (void)bytes;\n    printf(\"%s = %llu\\n\", name, value);"
        print "}\nint main(void)\n{"
    }
    $3 ~ /^(extern|static|__attribute__)/ { next }
    /^#define GPUCMD_[A-Za-z0-9_]+ ./ && !/_PRIV_/ && !($2 in defined) { print "    ROW(" $2 ")" }
    END { print "    return 0;\n}" }' >"$dir/all.c"
${CC:-cc} -std=c99 -I"$dir" -o "$dir/all" "$dir/all.c"
"$dir/all" | LC_ALL=C sort
