# A room calls only earlier rooms of the plan, executors do not call emitters, and encoders do not use
# the writer of the core. All other rooms of the core precede every room of the vendor headers. The rows
# of tests/checks/arrows.txt are exceptions, each with its reason. A row that is not needed is a failure.
# No circle of parts of the tool, examples/gpucmd-dump/, include each other.
. tests/checks/lib.sh

if [ -z "$HEADERS" ]; then
    skip arrows "no headers in the tree"
    exit 0
fi
out=$BUILD/arrows bad=0
mkdir -p "$out"
for h in $HEADERS; do
    $CC -std=c99 -E -I. -DHEADER="\"$h\"" tests/compile/alone_impl.c >"$out/$h.i" || exit 1
    awk -f tests/checks/functions.awk $HEADERS "$out/$h.i"
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
                continue
            }
            f++
            printf "FAIL: arrows: %s: %s in %s uses %s in %s; expected only %s\n", header[a], a, x, b, y,
                runs ? "rooms other than EMIT" : "rooms before " x
        }
        for (key in exception) {
            if (!(key in used)) {
                f++
                print "FAIL: arrows: tests/checks/arrows.txt: " key ": this exception is not needed"
            }
        }
        if (p + f == 0) { f = 1; print "FAIL: arrows: no calls found in the preprocessed headers" }
        printf "arrows: %d passed, %d failed\n", p, f
        exit f > 0
    }' tests/checks/arrows.txt "$out/functions" || bad=1

for part in examples/gpucmd-dump/*.h; do
    name=${part##*/}
    sed -n "s/^#include \"\([a-z0-9_]*\.h\)\"/$name \1/p" "$part"
done >"$out/parts"
if tsort "$out/parts" >"$out/order"; then
    echo "arrows/tool: 1 passed, 0 failed"
else
    echo "FAIL: arrows: parts of the tool include each other in a circle"
    echo "arrows/tool: 0 passed, 1 failed"
    bad=1
fi
[ $bad -eq 0 ]
