# Compare the declarations of preprocessed headers with the rows of shapes.txt.
#   awk -f shapes.awk shapes.txt PREPROCESSED

function escape(s)
{
    gsub(/[][().*{}+?^$|\\]/, "\\\\&", s)
    return s
}

# The row as a regular expression for the name `name`.
function pattern(row, name)
{
    row = escape(row)
    gsub(/\\\.\\\.\\\./, "[^{}]*", row)
    gsub(/~/, "[a-z_0-9]+", row)
    gsub(/#/, name, row)
    gsub(/bool/, "(_Bool|bool)", row)
    gsub(/ /, " ?", row)
    return row
}

# True if a declaration of the text has this shape. The search looks only near the name that the shape
# declares, because a regular expression over the whole text takes seconds.
function found(shape, expression,    key, from, at)
{
    match(shape, /gpucmd_[a-z0-9_]+(\(|\)\(| \{)/)
    key = substr(shape, RSTART, RLENGTH)
    from = 1
    while ((at = index(substr(text, from), key)) > 0) {
        if (substr(text, from + at - 61 > 0 ? from + at - 61 : 1, 1200) ~ expression) return 1
        from += at
    }
    return 0
}

FNR == NR {
    if ($0 !~ /^#/) {
        i = index($0, ": ")
        names[++rows] = substr($0, 1, i - 1)
        row[rows] = substr($0, i + 2)
    }
    next
}
{ text = text " " $0 }

END {
    gsub(/__attribute__ *\(\([^;{]*\)\)/, "", text)
    gsub(/[ \t]+/, " ", text)
    for (r = 1; r <= rows; r++) {
        n = split(names[r], name, " ")
        for (k = 1; k <= n; k++) {
            shape = row[r]
            gsub(/#/, name[k], shape)
            if (found(shape, pattern(row[r], name[k]))) {
                passed++
            } else {
                failed++
                print "FAIL: static: no declaration of the shape: " shape
            }
        }
    }
    printf "static/shapes: %d passed, %d failed\n", passed, failed
    exit failed > 0
}
