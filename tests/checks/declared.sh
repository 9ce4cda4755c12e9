# declared.sh: every public function is written out in its header, with its comment above it. The list of
# public functions comes from the preprocessed headers, so that a function that a macro makes is missed.
# Where two vendors do one job, their declarations have one shape: shapes.txt.
. tests/checks/lib.sh

out=$BUILD/declared
mkdir -p "$out"
for h in $HEADERS; do
    awk -f tests/checks/declared.awk "$h" | sed "s|^|$h |"
done >"$out/written"
{
    echo '#define GPUCMD_IMPLEMENTATION'
    for h in $HEADERS; do echo "#include \"$h\""; done
} >"$out/all.c"
$CC -std=c99 -E -P -I. "$out/all.c" | grep -oE 'gpucmd_[a-z0-9_]+ ?\([^*]' | sed 's/ *(.*//' |
    grep -v '^gpucmd_priv_' | LC_ALL=C sort -u >"$out/public"
status=0
awk '
    FILENAME ~ /written$/ { at[$2] = $1 ":" $3; if ($4) commented[$2] = 1; next }
    {
        n++
        if (!($1 in at)) problem($1 " is not written out: a macro makes it")
        else if (!($1 in commented)) problem(at[$1] ": " $1 " has no comment directly above it")
    }
    function problem(text)
    {
        print "FAIL: static: " text
        failed++
    }
    END {
        if (n < 500) problem("only " n + 0 " public functions found")
        printf "static/declared: %d passed, %d failed\n", n - failed, failed
        exit failed > 0
    }' "$out/written" "$out/public" || status=1

grep -v IMPLEMENTATION "$out/all.c" >"$out/interface.c"
$CC -std=c99 -E -P -I. "$out/interface.c" >"$out/interface.i"
awk -f tests/checks/shapes.awk tests/checks/shapes.txt "$out/interface.i" || status=1
exit $status
gpucmd-dump: build/demo.log: read as libdrm-pushbuf: 1 stream, 10 words
