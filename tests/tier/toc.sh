# Every mark like [NV.FACTS] stands exactly twice in its header: in the table of contents and in
# the banner of its section (the manual, which is on top: a line of its own). Prose names a mark without the brackets.
awk '
    FNR == 1 { files++ }
    {
        line = $0
        while (match(line, /\[[A-Z0-9]+\.[A-Z0-9_.]+\]/)) {
            mark = substr(line, RSTART, RLENGTH)
            seen[FILENAME " " mark]++
            if ($0 ~ /^\/\* ==+ / || $0 ~ /^ \* \[[A-Z0-9]+\.MANUAL\]$/) banner[FILENAME " " mark]++
            line = substr(line, RSTART + RLENGTH)
        }
    }
    END {
        for (m in seen) {
            if (seen[m] == 2 && banner[m] == 1) {
                p++
            } else {
                f++
                printf "FAIL: toc: %s: %d times, %d of them in a banner\n", m, seen[m], banner[m]
            }
        }
        if (!files) print "skip: toc: no headers in the tree"
        else if (!p && !f) { f = 1; print "FAIL: toc: no marks" }
        printf "toc: %d passed, %d failed%s\n", p, f, files ? "" : ", 1 skipped"
        exit f > 0
    }' ${HEADERS:-/dev/null}
