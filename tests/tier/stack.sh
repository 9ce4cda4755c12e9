# No function of the implementation may use more than 1024 bytes of stack, or a number of bytes that
# depends on its input. tests/compile/words.c contains the emitters. Unoptimised code of gcc pushes
# the arguments of some calls; it then reports the most bytes, as "dynamic,bounded".
. tests/tier/lib.sh

need stack gcc
if [ -z "$HEADERS" ]; then
    skip stack "no headers in the tree"
    exit 0
fi
out=$BUILD/stack
mkdir -p "$out"
defines=$(have_vendors)
for cc in $(compilers); do
    for o in -O0 -O2 -Os; do
        for f in impl words; do
            $cc -std=c99 $o -I. $defines -fstack-usage -c -o "$out/$cc-$f$o.o" \
                "tests/compile/$f.c" || exit 1
        done
    done
done
awk -F '\t' -v limit=1024 '
    {
        n = split($1, part, ":")
        name = part[n]
        if (FILENAME ~ /words/ && name !~ /^gpucmd_/) next
        if ($2 > limit || ($3 != "static" && !($3 == "dynamic,bounded" && FILENAME ~ /-O0/))) {
            f++
            printf "FAIL: stack: %s: %d bytes, %s (%s)\n", name, $2, $3, FILENAME
        } else {
            p++
        }
    }
    END {
        if (!p && !f) { f = 1; print "FAIL: stack: no functions" }
        printf "stack: %d passed, %d failed\n", p, f
        exit f > 0
    }' "$out"/*.su
