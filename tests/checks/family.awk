# Check families. Read, in this order:
#   family.txt   members of each kind of row, and exceptions
#   functions    from functions.awk and default.awk
#   macros       #define lines
#   rows         `KIND COLUMN...`, one per line
#   tests        identifiers of the tests, one per line

function fill(pattern, cells,    c, k) { # {N} first column, {n} in lower case, {2} second column
    split(cells, c, " ")
    gsub(/[{]N[}]/, c[2], pattern)
    gsub(/[{]n[}]/, tolower(c[2]), pattern)
    gsub(/[{]2[}]/, c[3], pattern)
    gsub(/[{]3[}]/, c[4], pattern)
    return pattern
}

function any(set, names,    part, n, i) {
    n = split(names, part, "|")
    for (i = 1; i <= n; i++) if ((set, part[i]) in have) return 1
    return 0
}

function used(names, rooms,    part, n, i, room, m, k) {
    n = split(names, part, "|")
    m = split(rooms, room, ",")
    for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) if (("use", part[i] " " room[k]) in have) return 1
    return 0
}

function member(i, cells,    names, ok, key, c, k) {
    names = fill(pattern[i], cells)
    split(cells, c, " ")
    if (what[i] == "row") {
        key = pattern[i] " " fill(rooms[i] == "" ? "{N}" : rooms[i], cells)
        ok = count[key] == 1
        names = "one row " key ", there are " count[key] + 0
    } else if (what[i] == "rows") {
        ok = 1
        for (k = pattern[i]; k in c; k++) ok = ok && count[rooms[i] " " c[k]] > 0
        names = "only rows of " rooms[i]
    } else if (what[i] == "name") {
        ok = any("name", names)
    } else if (what[i] == "uses") {
        ok = used(names, rooms[i])
        names = "a function of " rooms[i] " that uses " names
    } else {
        ok = any(what[i], names)
        names = what[i] " " names
    }
    key = c[1] " " c[2] " " name[i]
    if (key in exception) {
        needed[key] = needed[key] || !ok
        ok = 1
    }
    if (ok) { p++; return }
    f++
    print "FAIL: family: " c[1] " " c[2] " has no " name[i] "; expected " names
}

FNR == 1 { file++ }
file == 1 {
    if (/^#/ || NF == 0) next
    if ($1 == "-") {
        exception[$2 " " $3 " " $4] = 1
        if (NF < 5) { f++; print "FAIL: family: " FILENAME ":" FNR ": no reason; expected - KIND NAME MEMBER REASON" }
        next
    }
    members++
    kind[members] = $1
    name[members] = $2
    what[members] = $3
    pattern[members] = $4
    rooms[members] = $5
    next
}
file == 2 && $1 == "use" { uses++; from[uses] = $2; to[uses] = $3; next }
file == 2 && $1 == "name" { have["name", $2] = 1; next }
file == 2 && $1 == "default" {
    f++
    print "FAIL: family: " $2 ": a switch over " $3 " has a default; expected a case for each row"
    next
}
file == 2 { have["function", $4] = 1; room[$4] = $3; sub(/^IMPL[.]/, "", room[$4]); next }
file == 3 { sub(/[(].*$/, "", $2); have["name", $2] = 1; next }
file == 4 { gsub(/[,"]/, " "); $0 = $0; rows++; row[rows] = $0; count[$1 " " $2]++; next }
file == 5 { have["test", $1] = 1 }

END {
    for (i = 1; i <= uses; i++) have["use", to[i] " " room[from[i]]] = 1
    for (r = 1; r <= rows; r++) {
        split(row[r], c, " ")
        n = 0
        for (i = 1; i <= members; i++) {
            if (kind[i] == c[1] || kind[i] == c[1] "." c[3]) { member(i, row[r]); n++ }
        }
        seen[c[1]] = 1
        if (!n) { f++; print "FAIL: family: no members of " c[1] " " c[2] " in tests/checks/family.txt" }
    }
    for (i = 1; i <= members; i++) {
        key = kind[i]
        sub(/[.][^.]*$/, "", key)
        if (kind[i] in seen || key in seen) continue
        seen[kind[i]] = 1
        f++
        print "FAIL: family: no rows of " kind[i] "; expected a list in tests/compile/family.c"
    }
    for (key in exception) {
        if (!needed[key]) { f++; print "FAIL: family: exception " key " is not needed" }
    }
    if (!rows) { f++; print "FAIL: family: no rows" }
    printf "family: %d passed, %d failed\n", p, f
    exit f > 0
}
