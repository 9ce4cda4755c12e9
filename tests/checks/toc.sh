# The table of contents of each header is the real order of its sections:
#   - it lists the marks like [NV.FACTS] of the interface, then those like [NV.IMPL.DECODE]
#   - each mark names a room of the plan, and the rooms are in the order of the plan
#   - the banners have that order, each part on its side of "End of the interface"
#   - a mark occurs nowhere else; prose names a room without the brackets
#   - outside FACTS, banners and sub-banners (/* ---- name ---- */) are at most 300 lines apart
. tests/checks/lib.sh

if [ -z "$HEADERS" ]; then
    skip toc "no headers in the tree"
    exit 0
fi
awk -v plan="$PLAN" '
    function fail(where, text) { f++; print "FAIL: toc: " where ": " text }
    function place(mark,    room, i) { # of the room in the plan; implementation after interface
        room = mark
        sub(/^[^.]*[.]/, "", room)
        i = sub(/^IMPL[.]/, "", room) ? rooms : 0
        return room in order ? order[room] + i : 0
    }
    # The lines since the last banner or sub-banner end at this line.
    function stretch(line,    lines) {
        lines = line - begun
        if (begun && within !~ /FACTS$/) {
            if (lines > 300) fail(file ":" begun, lines " lines without a sub-banner in [" within "]; expected at most 300")
            else p++
        }
        begun = line
    }
    function finish(    i, m, before) {
        if (file == "") return
        stretch(last)
        for (i = 1; i <= listed; i++) {
            m = list[i]
            if (m !~ "^" vendor "[.]") {
                fail(file, "[" m "] is listed; expected a mark [" vendor ".ROOM]")
            } else if (!place(m)) {
                fail(file, "[" m "] is listed; expected a room of the plan: " plan)
            } else if (place(m) <= before) {
                fail(file, "[" m "] is listed after [" list[i - 1] "]; expected the order of the plan")
            } else {
                p++
            }
            if (place(m)) before = place(m)
            if (m != banner[i]) {
                fail(file, "mark " i " of the table of contents is [" m "], banner " i " is " \
                     (i <= banners ? "[" banner[i] "]" : "missing"))
            } else {
                p++
            }
        }
        for (; i <= banners; i++) fail(file, "banner [" banner[i] "] is not in the table of contents")
        if (!listed) fail(file, "no table of contents; expected a line CONTENTS and marks below")
    }
    BEGIN { rooms = split(plan, name, " "); for (i = 1; i <= rooms; i++) order[name[i]] = i }
    FNR == 1 {
        finish()
        file = FILENAME
        vendor = FILENAME == "gpucmd.h" ? "CORE" : toupper(FILENAME)
        gsub(/^GPUCMD_|[.]H$/, "", vendor)
        listed = banners = contents = impl = begun = 0
        within = ""
        split("", banner)
    }
    /^[/][*] ==+ \[/ { stretch(FNR); within = $3; gsub(/\[|\]/, "", within) }
    /^[/][*] End of the interface/ { stretch(FNR); begun = 0 }
    /^[/][*] ---- .* ----/ { stretch(FNR) }
    { last = FNR }
    /^ [*] CONTENTS/ { contents = 1 }
    /^ [*][/]/ { contents = 0 }
    /^[/][*] End of the interface/ { impl = 1 }
    {
        line = $0
        while (match(line, /\[[A-Z0-9]+[.][A-Z0-9_.]+\]/)) {
            mark = substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
            if ($0 ~ /^[/][*] ==+ / || $0 ~ /^ [*] \[[A-Z0-9]+[.]MANUAL\]$/) {
                banner[++banners] = mark
                if ((mark ~ /[.]IMPL[.]/) != impl) {
                    fail(file ":" FNR, "[" mark "] is on the wrong side of \"End of the interface\"")
                }
            } else if (contents) {
                list[++listed] = mark
            } else {
                fail(file ":" FNR, "[" mark "] in prose; expected the room without brackets")
            }
        }
    }
    END {
        finish()
        printf "toc: %d passed, %d failed\n", p, f
        exit f > 0
    }' $HEADERS
