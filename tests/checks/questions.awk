# Conditional expressions: at most 15 statements of 1000 lines have `?:`, and no statement has more than two.
# Lines are counted for each header, and together for the files of a program, a folder below examples/.
# Comments, strings and characters do not count. A statement ends at `;` outside of parentheses, at a brace,
# and where a preprocessor line ends.
#   awk -v list=1 -f questions.awk FILES    also prints each statement

function problem(text)
{
    print "FAIL: static: " text
    failed++
}

function statement_ends()
{
    if (marks > 0) {
        statements[whole]++
        if (list) print file ":" first ": " marks " `?:`"
        if (marks > 2) problem(file ":" first ": " marks " `?:` in one statement; expected at most 2")
        else passed++
    }
    marks = depth = 0
}

# The line without comments, strings and characters.
function code_of(line,    code, at)
{
    code = ""
    while (line != "") {
        if (comment) {
            at = index(line, "*/")
            if (at == 0) return code
            comment = 0
            line = substr(line, at + 2)
        } else if (!match(line, /\/[*]|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)+'/)) {
            return code line
        } else {
            code = code substr(line, 1, RSTART - 1) " "
            at = substr(line, RSTART, 2)
            if (at == "//") return code
            comment = at == "/*"
            line = substr(line, RSTART + RLENGTH)
        }
    }
    return code
}

FNR == 1 {
    statement_ends()
    file = whole = FILENAME
    if (file ~ /^examples\//) sub(/[^\/]*$/, "", whole)
    if (!(whole in lines)) wholes[++count] = whole
    comment = directive = 0
}
{
    lines[whole]++
    code = code_of($0)
    if (code ~ /^[ ]*#/) {
        statement_ends()
        directive = 1
    }
    goes_on = code ~ /\\[ ]*$/
    while (match(code, /[?;{}()]/)) {
        c = substr(code, RSTART, 1)
        code = substr(code, RSTART + 1)
        if (c == "(") depth++
        else if (c == ")") depth--
        else if (c == "?" && marks++ == 0) first = FNR
        else if (c == "{" || c == "}" || (c == ";" && depth <= 0)) statement_ends()
    }
    if (directive && !goes_on) {
        statement_ends()
        directive = 0
    }
}
END {
    statement_ends()
    for (i = 1; i <= count; i++) {
        whole = wholes[i]
        rate = 1000 * statements[whole] / lines[whole]
        if (rate > 15) problem(sprintf("%s: %d statements with `?:`, %.1f of 1000 lines; expected at most 15", whole, statements[whole], rate))
        else passed++
        if (list) printf "%s: %d of %d lines: %.1f\n", whole, statements[whole], lines[whole], rate
    }
    if (count == 0) problem("no files to search for `?:`")
    printf "static/questions: %d passed, %d failed\n", passed, failed
    exit failed > 0
}
