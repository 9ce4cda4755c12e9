# Read a header twice: first the field rows `X( NAME, hi, lo, ...`, then comments and code.
function power(n,    v) {
    for (v = 1; n > 0; n--) v *= 2
    return v
}

FNR == 1 { pass++; facts = 0 }
/^\/\* ==+ \[/ { facts = /\.(FACTS|SOURCES)[].]/ }

/^#define [A-Z0-9_]*FIELDS[A-Z0-9_]*\(/ { fields = 1 }
pass == 1 && facts && fields && match($0, /^ *[A-Z]+\( *[A-Z][A-Z0-9_]*, *[0-9]+, *[0-9]+,/) {
    row = substr($0, RSTART, RLENGTH)
    sub(/^ *[A-Z]+\( */, "", row)
    gsub(/ /, "", row)
    split(row, cell, ",")
    if (cell[2] >= cell[3] && cell[2] < 64) {
        max = power(cell[2] - cell[3] + 1) - 1
        range[cell[1]] = range[cell[1]] " " sprintf("%.0f", max) " "
        rows++
        bits = cell[2] - cell[3] + 1
        if (bits >= 10 && bits <= 31 && bits != 12 && bits != 16) {
            wide[sprintf("0x%x", max)] = cell[1]
            wide[sprintf("%d", max)] = cell[1]
        }
    }
}

!/\\$/ { fields = 0 }

pass == 2 && /^( \*|\/\*)/ && match($0, /[A-Z][A-Z0-9_]+ 0\.\.[0-9]+/) {
    split(substr($0, RSTART, RLENGTH), part, " ")
    max = substr(part[2], 4)
    if (part[1] in range) {
        if (index(range[part[1]], " " max " ")) {
            p++
        } else {
            printf "FAIL: facts: %s:%d: %s 0..%s, its rows say%s\n", FILENAME, FNR, part[1], max, range[part[1]]
            f++
        }
    }
}

pass == 2 && !facts && !/^( \*|\/\*)/ {
    line = $0
    gsub(/\/\*.*\*\//, "", line)
    gsub(/"[^"]*"/, "", line)
    while (match(line, /[A-Za-z0-9_.]+/)) {
        word = tolower(substr(line, RSTART, RLENGTH))
        line = substr(line, RSTART + RLENGTH)
        sub(/u+l*$/, "", word)
        if (word in wide) {
            printf "FAIL: facts: %s:%d: %s repeats the width of %s\n", FILENAME, FNR, word, wide[word]
            f++
        }
    }
}

END { print p + rows + 0, f + 0 }
