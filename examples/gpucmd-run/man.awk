# Print the manual page of gpucmd-run from its help: gpucmd-run --help | awk -v version=V -f man.awk

function roff(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.']/, "\\\\\\&&", s); return s }

BEGIN {
    print ".TH GPUCMD\\-RUN 1 \"\" \"gpucmd " version "\""
    print ".SH NAME\ngpucmd\\-run \\- run a program with its real driver on an emulated GPU"
}
/^usage: / { print ".SH SYNOPSIS\n.B " roff(substr($0, 8)) "\n.SH OPTIONS"; next }
/^  --/ {
    match($0, /^  [^ ]+( [A-Z][^ ]*)?/)
    print ".TP\n.B " roff(substr($0, 3, RLENGTH - 2))
    sub(/^  [^ ]+( [A-Z][^ ]*)? */, "")
}
{ sub(/^ +/, ""); print roff($0) }
END {
    print ".SH EXIT STATUS\nThat of the program, or 128 plus the number of the signal that ended it;"
    print "120 if \\-\\-check or \\-\\-replay found something, 124 after the time limit, 125 if gpucmd\\-run failed."
    print ".SH EXAMPLES\n.nf"
    print roff("gpucmd-run --gpu tgl -- ./my_app")
    print roff("gpucmd-run --gpu gk104 --check --dump out -- ./my_test")
    print ".fi\n.SH SEE ALSO\n.BR gpucmd\\-dump (1)"
}
