# No function of the implementation may reach itself through direct calls. The call graph is from gcc
# at -O0, which does not inline.
. tests/checks/lib.sh

need recursion gcc
if [ -z "$HEADERS" ]; then
    skip recursion "no headers in the tree"
    exit 0
fi
out=$BUILD/recursion
mkdir -p "$out"
if ! (cd "$out" && echo 'int main(void) { return 0; }' >a.c && gcc -fcallgraph-info -c a.c) 2>/dev/null; then
    skip recursion "this gcc has no -fcallgraph-info"
    exit 0
fi
$MAKE "$BUILD/impl/gcc-O0.o" || exit 1

# Remove functions that call no remaining function, until there is none. The others are on a cycle or
# call into one.
awk '
    /^edge:/ {
        match($0, /sourcename: "[^"]*"/)
        from = substr($0, RSTART + 13, RLENGTH - 14)
        match($0, /targetname: "[^"]*"/)
        to = substr($0, RSTART + 13, RLENGTH - 14)
        if (!((from, to) in edge)) {
            edge[from, to] = 1
            caller[++edges] = from
            callee[edges] = to
            calls[from]++
            all[from] = all[to] = 1
        }
    }
    END {
        do {
            again = 0
            for (i = 1; i <= edges; i++) {
                if (!gone[i] && calls[callee[i]] == 0) {
                    gone[i] = again = 1
                    calls[caller[i]]--
                }
            }
        } while (again)
        for (name in all) {
            if (calls[name] > 0) {
                print "FAIL: recursion: " name " is on a cycle of calls or calls into one"
                f++
            } else {
                p++
            }
        }
        if (!p && !f) { f = 1; print "FAIL: recursion: no calls" }
        printf "recursion: %d passed, %d failed\n", p, f
        exit f > 0
    }' "$BUILD/impl/gcc-O0.ci"
