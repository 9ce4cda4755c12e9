# Print the lines of each room of each header, and the lines of groups of rooms with their budget from
# tests/tier/rooms.txt. Only the limit for all headers together can fail.
. tests/tier/lib.sh

if [ -z "$HEADERS" ]; then
    skip rooms "no headers in the tree"
    exit 0
fi
awk -v plan="$PLAN" '
    FILENAME ~ /rooms[.]txt$/ {
        if (/^#/ || NF == 0) next
        if ($1 == "limit") { limit = $2; next }
        if ($1 == "goal") { goal = $2; next }
        if ($1 == "headers") { headers = NF - 1; for (i = 1; i <= headers; i++) header[i] = $(i + 1); next }
        group[++groups] = $1
        n = split($2, part, ",")
        for (i = 1; i <= n; i++) of[part[i]] = groups
        for (i = 1; i <= headers; i++) budget[groups, i] = $(i + 2)
        next
    }
    FNR == 1 { for (h = headers; h > 0 && header[h] != FILENAME; h--) { } ; room = "MANUAL" }
    /^[/][*] ==+ \[/ { room = $3; gsub(/^\[[A-Z0-9]+[.]|\]$/, "", room) }
    {
        base = room
        sub(/^IMPL[.]/, "", base)
        lines[base, h]++
        sum[(room in of) ? of[room] : of[base], h]++
        whole[h]++
        all++
    }
    END {
        printf "%-24s", "lines by room"
        for (h = 1; h <= headers; h++) printf "%16s", header[h]
        n = split(plan, name, " ")
        for (i = 1; i <= n; i++) {
            printf "\n%-24s", "  " name[i]
            for (h = 1; h <= headers; h++) printf "%16s", lines[name[i], h] ? lines[name[i], h] : "-"
        }
        printf "\n%-24s", "lines of budget"
        for (g = 1; g <= groups; g++) {
            printf "\n%-24s", "  " group[g]
            for (h = 1; h <= headers; h++) {
                printf "%16s", sum[g, h] + 0 " of " budget[g, h] (sum[g, h] > budget[g, h] ? " !" : "  ")
                total[h] += budget[g, h]
            }
        }
        printf "\n%-24s", "  whole"
        for (h = 1; h <= headers; h++) printf "%16s", whole[h] " of " total[h] (whole[h] > total[h] ? " !" : "  ")
        printf "\n%-24s%s, goal %s, limit %s\n", "  all headers", all, goal, limit
        f = all > limit
        if (f) print "FAIL: rooms: the headers have " all " lines; expected at most " limit
        printf "rooms: %d passed, %d failed\n", !f, f
        exit f
    }' tests/tier/rooms.txt $HEADERS
