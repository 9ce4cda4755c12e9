# Print "NAME LINE COMMENT" for each declaration and definition of a public function: COMMENT is 1 if the
# line above it ends a comment, otherwise 0.
#   awk -f declared.awk HEADER

function finish(    name)
{
    if (match(text, /gpucmd_[a-z0-9_]+\(/)) {
        name = substr(text, RSTART, RLENGTH - 1)
        if (name !~ /^gpucmd_priv_/ && text !~ /^typedef/) print name, start, above
    }
    text = ""
}

/^\/\*/ || comment {
    comment = $0 !~ /\*\//
    ended = !comment
    next
}
/^#/ {
    hash = $0 ~ /\\$/
    ended = 0
    next
}
hash {
    hash = $0 ~ /\\$/
    next
}
text == "" && /^[A-Z_0-9]+\(.*\)$/ { # a use of a macro that declares types
    ended = 0
    next
}
text == "" && /^[A-Za-z]/ {
    start = FNR
    above = ended
}
text != "" || /^[A-Za-z]/ {
    text = text " " $0
    if (/[;{]/ || /^\{/) {
        sub(/[;{].*$/, "", text)
        sub(/^ /, "", text)
        finish()
    }
}
{ ended = 0 }
