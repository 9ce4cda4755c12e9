# Print the manual page of the tool from its help pages:
#   for p in '' nv i915 agx formats; do echo "@$p"; gpucmd-dump $p --help; done | awk -v version=V -f man.awk

function roff(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.']/, "\\\\\\&&", s); return s }
function heading(s) { print ".SH " roff(s); gap = 0 }

# A line of an option or a column: two spaces, the term, two or more spaces, its text.
function term(t, s)
{
    split(t, part, " ")
    print ".TP"
    if (t ~ /^-/) {
        printf ".B %s", roff(part[1])
        sub(/^[^ ]+/, "", t)
        print t == "" ? "" : "\\fI" roff(t)
    } else {
        print ".B " roff(t)
    }
    print roff(s)
    width = 1
    gap = 0
}

BEGIN {
    title["nv"] = "NVIDIA"
    title["i915"] = "INTEL"
    title["agx"] = "APPLE"
    title["formats"] = "INPUT AND OUTPUT FORMATS"
    print ".TH GPUCMD\\-DUMP 1 \"\" \"gpucmd " version "\""
    heading("NAME")
    print "gpucmd\\-dump \\- decode, check or execute GPU command streams"
}

/^@/ {
    page = substr($0, 2)
    if (page != "") heading(page in title ? title[page] : toupper(page))
    skip = 0
    next
}
/^usage: / {
    sub(/^usage: /, "")
    if (page == "") heading("SYNOPSIS")
    else print ".SS Usage"
    print ".B " roff($0)
    if (page == "") heading("DESCRIPTION")
    else print ".SS Options"
    next
}
page == "" && /^More pages/ { skip = 1 }
page == "" && /^Exit status: / { skip = 0; heading("EXIT STATUS"); sub(/^Exit status: /, "") }
skip { next }
/^$/ { gap = 1; width = 0; next }
/^[A-Z][A-Z ]+$/ { print ".SS " $0; gap = 0; next }
/^[A-Z].*:$/ { print ".SS " roff(substr($0, 1, length($0) - 1)); gap = 0; width = 0; next }
match($0, /^  [-a-z][^ ]*( [^ ]+)?  +[^ ]/) && !/^  (Text|with|- )/ {
    if (page == "" && !options++) heading("OPTIONS")
    at = $0
    sub(/^  /, "", at)
    match(at, /  +/)
    term(substr(at, 1, RSTART - 1), substr(at, RSTART + RLENGTH))
    next
}
/^  [a-z][a-zA-Z0-9-]*(, [a-zA-Z0-9-]+)+$/ { sub(/^  /, ""); print ".TP\n.B " roff($0); width = 1; gap = 0; next }
/^  --/ { # an option without a gap before its text
    at = substr($0, 3)
    match(at, /^[^ ]+ [^ ]+ /)
    term(substr(at, 1, RLENGTH - 1), substr(at, RLENGTH + 1))
    next
}
/^  - / { sub(/^  - /, ""); print ".IP \\(bu 2"; print roff($0); width = 1; next }
/^  (access|[a-z]+ [A-Z0-9]) / { print ".nf"; print roff($0); print ".fi"; next }
width && /^   / { sub(/^ +/, ""); print roff($0); next }
{
    if (gap || width) print ".PP"
    gap = width = 0
    sub(/^ +/, "")
    print roff($0)
}

END {
    heading("EXAMPLES")
    print ".nf"
    print roff("dmesg | gpucmd-dump nv")
    print roff("gpucmd-dump i915 --gen 9 --check batch.bin")
    print roff("gpucmd-dump nv --chip ga102 --run --format json words.txt")
    print ".fi"
    heading("SEE ALSO")
    print "The manuals at the top of"
    print ".IR gpucmd.h , gpucmd_nv.h , gpucmd_i915.h \" and \" gpucmd_agx.h ."
}
