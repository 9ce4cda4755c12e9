# awk -v header=H: read the preprocessed header H, and print a line "LINE SIGNATURE" for each public
# function that a macro on line LINE of H defines or declares.
FNR == NR {
    if (/^GPUCMD_[A-Z0-9_]+\(/) macro[FNR] = 1
    if (/^[A-Za-z]/ && match($0, /gpucmd_[a-z0-9_]+\(/)) plain[substr($0, RSTART, RLENGTH)] = 1
    next
}
/^# [0-9]+ "/ { at = $2 - 1; in_header = index($3, header) > 0; next }
{ at++ }
!in_header { next }
{
    rest = $0
    while (match(rest, /[{};]/)) {
        t = substr(rest, RSTART, 1)
        if (depth == 0) text = text " " substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + 1)
        if (depth == 0 && t != "}" && text !~ /typedef|struct [a-z0-9_]+ *$|=/) signature(text)
        if (t == "{") depth++
        if (t == "}") depth--
        if (depth == 0) text = ""
    }
    if (depth == 0) text = text " " rest
    if (text ~ /^ *$/) text = ""
}

function signature(s,    open)
{
    while (sub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", s)) { }
    gsub(/_Bool/, "bool", s)
    s = " " s
    while (sub(/ (static|inline|extern|__extension__) /, " ", s)) { }
    gsub(/ +/, " ", s)
    gsub(/ \* /, " *", s)
    sub(/^ /, "", s)
    sub(/ ?\( ?/, "(", s)
    sub(/ $/, "", s)
    for (open = at; open > at - 8 && !(open in macro); open--) { }
    if ((open in macro) && s !~ /gpucmd_priv/ && match(s, /gpucmd_[a-z0-9_]+\(/) &&
        !(substr(s, RSTART, RLENGTH) in plain)) print open, s ";"
}
