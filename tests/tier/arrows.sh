# A room calls only earlier rooms of the plan, executors do not call emitters, and encoders do not use
# the writer of the core. All other rooms of the core precede every room of the vendor headers. The rows
# of tests/tier/arrows.txt are exceptions, each with its reason. A row that is not needed is a failure.
# Each function that reaches memory which may change has a row in tests/tier/readers.txt.
. tests/tier/lib.sh

if [ -z "$HEADERS" ]; then
    skip arrows "no headers in the tree"
    exit 0
fi
out=$BUILD/arrows bad=0
mkdir -p "$out"
for h in $HEADERS; do
    $CC -std=c99 -E -I. -DHEADER="\"$h\"" tests/compile/alone_impl.c >"$out/$h.i" || exit 1
    awk -f tests/tier/functions.awk $HEADERS "$out/$h.i"
done | LC_ALL=C sort -u >"$out/functions"

awk -v plan="$PLAN" '
    BEGIN { n = split(plan, name, " "); for (i = 1; i <= n; i++) order[name[i]] = i }
    FILENAME ~ /arrows[.]txt$/ {
        if (/^#/ || NF == 0) next
        key = $1 " " $2 " " $3
        reason = $0
        sub(/^[^ ]+ +[^ ]+ +[^ ]+ */, "", reason)
        if (reason == "") {
            f++
            print "FAIL: arrows: " FILENAME ":" FNR ": no reason; expected HEADER CALLER CALLED REASON"
        }
        exception[key] = reason
        next
    }
    $1 == "def" { header[$4] = $2; room[$4] = $3; next }
    { from[++uses] = $2; to[uses] = $3 }
    END {
        for (i = 1; i <= uses; i++) {
            a = from[i]
            b = to[i]
            if (!(a in room) || !(b in room)) continue
            x = room[a]
            y = room[b]
            sub(/^IMPL[.]/, "", x)
            sub(/^IMPL[.]/, "", y)
            runs = x ~ /^(EXEC|ENGINE|CHANNEL)$/ && y == "EMIT" && header[a] == header[b]
            core = header[b] == "gpucmd.h" && header[a] != header[b] && !(x == "ENCODE" && y == "EMIT")
            if ((order[x] >= order[y] || core) && !runs) {
                p++
                continue
            }
            key = header[a] " " a " " b
            if (key in exception) {
                used[key] = 1
                p++
                printf "note: %s: %s in %s uses %s in %s: %s\n", header[a], a, x, b, y, exception[key]
                continue
            }
            f++
            printf "FAIL: arrows: %s: %s in %s uses %s in %s; expected only %s\n", header[a], a, x, b, y,
                runs ? "rooms other than EMIT" : "rooms before " x
        }
        for (key in exception) {
            if (!(key in used)) {
                f++
                print "FAIL: arrows: tests/tier/arrows.txt: " key ": this exception is not needed"
            }
        }
        if (p + f == 0) { f = 1; print "FAIL: arrows: no calls found in the preprocessed headers" }
        printf "arrows: %d passed, %d failed\n", p, f
        exit f > 0
    }' tests/tier/arrows.txt "$out/functions" || bad=1

awk '
    FILENAME ~ /readers[.]txt$/ {
        if (/^#/ || NF == 0) next
        if (NF < 3 || $2 !~ /^(hands|once|words|data|none)$/ || $1 in row) {
            f++
            print "FAIL: readers: " FILENAME ":" FNR ": expected FUNCTION hands|once|words|data|none REASON, once for each function"
        }
        row[$1] = $2
        next
    }
    $1 == "use" { from[++uses] = $2; to[uses] = $3 }
    END {
        for (i = 1; i <= uses; i++) {
            if (to[i] != ".host" && !(to[i] in row && row[to[i]] == "hands")) continue
            needed[from[i]] = 1
            if (from[i] in row) continue
            f++
            print "FAIL: readers: " from[i] " uses " to[i] "; expected a row in tests/tier/readers.txt"
        }
        for (name in row) {
            if (name in needed) { p++; continue }
            f++
            print "FAIL: readers: tests/tier/readers.txt: " name " reaches no such memory"
        }
        printf "arrows/readers: %d passed, %d failed\n", p, f
        exit f > 0
    }' tests/tier/readers.txt "$out/functions" || bad=1
exit $bad
