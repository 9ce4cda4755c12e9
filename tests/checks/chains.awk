# Read a call graph of gcc (-fcallgraph-info=su) or of calls.awk. Print the chains of calls that use the
# most stack: bytes, then the functions with their frames. Calls of callbacks end a chain.
function add(from, to)
{
    if (!((from, to) in edge)) {
        edge[from, to] = 1
        callee[from] = callee[from] "\t" to
    }
}

# Bytes of the deepest chain that starts with f; next_of[f] is its second function.
function depth(f,    i, n, d, best, to)
{
    if (f in deepest) return deepest[f]
    deepest[f] = frame[f] # a cycle ends here
    n = split(callee[f], to, "\t")
    for (i = 2; i <= n; i++) {
        d = depth(to[i])
        if (d > best) {
            best = d
            next_of[f] = to[i]
        }
    }
    return deepest[f] = frame[f] + best
}

function quoted(line, key)
{
    match(line, key ": \"[^\"]*\"")
    line = substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 4)
    sub(/.*:/, "", line)
    return line
}

/^node:/ {
    name = quoted($0, "title")
    if (match($0, /[0-9]+ bytes/)) frame[name] = substr($0, RSTART, RLENGTH - 6) + 0
}
/^edge:/ { add(quoted($0, "sourcename"), quoted($0, "targetname")); called[quoted($0, "targetname")] = 1 }
END {
    for (f in frame) depth(f)
    for (n = 0; n < 6; n++) {
        best = ""
        for (f in frame) {
            if (!(f in called) && !shown[f] && (best == "" || deepest[f] > deepest[best])) best = f
        }
        if (best == "") break
        shown[best] = 1
        line = sprintf("  %6d ", deepest[best])
        for (f = best; f != ""; f = next_of[f]) line = line sprintf(" %s %d", f, frame[f])
        print line
    }
}
