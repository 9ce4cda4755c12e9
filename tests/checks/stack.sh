# No function of the implementation may use more than 1024 bytes of stack, or a number of bytes that
# depends on its input: gcc and clang, each level. tests/compile/words.c contains the emitters. No chain of
# direct calls may use more than 2560 bytes at -O2 and -Os.
. tests/checks/lib.sh

if [ -z "$HEADERS" ]; then
    skip stack "no headers in the tree"
    exit 0
fi
need stack gcc
out=$BUILD/stack
rm -rf "$out"
mkdir -p "$out"
$MAKE $(impl_objects) || exit 1
cp "$BUILD"/impl/*.su "$out"
for cc in $(compilers); do
    for o in -O0 -O2 -Os; do
        $cc -std=c99 $o -I. $(have_vendors) -fstack-usage -c -o "$out/words-$cc$o.o" \
            tests/compile/words.c || exit 1
    done
done
for cc in $(compilers); do
    for o in -O2 -Os; do
        chains "$cc" $o | sed "1!d; s/^/chain $cc $o /"
    done
done >"$out/chains"
awk -F '\t' -v limit=1024 '
    FILENAME ~ /chains$/ {
        split($0, chain, " ")
        if (chain[4] <= 2560) p++
        else { f++; print "FAIL: stack: expected at most 2560 bytes: " $0 }
        next
    }
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
    }' "$out/chains" "$out"/*.su
