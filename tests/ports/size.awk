# Print lines of code and bytes by source file of the drivers, of the driver's functions and of the
# ports. Input: the ports, with a line "/* ---- FILE, FILE ---- */" before each group; the driver's
# functions, with such a line before those of a file; output of nm -S for objects of the ports, and
# for objects of the driver. Empty lines and lines of comments do not count. Bytes are those of
# functions and tables; the first row has what the ports call in the headers out of line.
FNR == 1 { part++; group = ""; comment = 0 }
part > 2 {
    name = $4
    sub(/[.].*/, "", name)
    sub(/^body_/, "", name)
    if (NF != 4 || $3 !~ /^[tTrd]$/) next
    if ((part - 2, name) in of) bytes[part - 2, of[part - 2, name]] += hex($2)
    else if (name ~ /^gpucmd_/) bytes[1, 0] += hex($2)
    next
}
/^\/\* ---- .* ---- \*\/$/ {
    title = substr($0, 9, length($0) - 16)
    n = split(title, file, ", ")
    if (part == 1) {
        titles[++groups] = title
        for (i = 1; i <= n; i++) group_of[file[i]] = groups
    }
    group = group_of[title]
    if (part == 1) group = groups
    next
}
/^[ \t]*\/\*/ { comment = 1 }
!comment && NF && group != "" && !/^#(if|el|endif)/ {
    lines[part, group]++
    name = $0
    if (sub(/^(PORT|IMAGE)\(/, "", name) && sub(/[,)].*/, "", name)) of[part, name] = group
    while (/^[a-zA-Z_]/ && match(name, /[A-Za-z0-9_]+(\(|\[\])/)) {
        of[part, substr(name, RSTART, RLENGTH - (substr(name, RSTART + RLENGTH - 1, 1) == "(" ? 1 : 2))] = group
        name = substr(name, RSTART + RLENGTH)
    }
}
/\*\/[ \t]*$/ { comment = 0 }
function hex(s, i, v) {
    for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
    return v
}
function row(title, a, b, c, d) { printf "%-82s %6d %6d %8d %6d\n", title, a, b, c, d }
END {
    printf "%-82s %13s %15s\n", "lines of code, bytes (gcc -Os)", "driver", "port"
    titles[0] = "functions of the headers"
    for (g = 0; g <= groups; g++) {
        row(titles[g], lines[2, g], bytes[2, g], lines[1, g], bytes[1, g])
        for (i = 1; i <= 2; i++) { all_lines[i] += lines[i, g]; all_bytes[i] += bytes[i, g] }
    }
    row("all", all_lines[2], all_bytes[2], all_lines[1], all_bytes[1])
}
