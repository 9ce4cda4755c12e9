# Print a part of a header:  awk -v parts="write read" -f items.awk -f slim.awk HEADER [USER...]
#
# parts: write, read, check, run, kernel. Each selects rooms, see rooms() below. check alone has the
# checkers without printers and without names (GPUCMD_NO_NAMES). Printed are
#   - the public declarations of these rooms, and everything that they mention, from any room
#   - the enums and constants of FACTS and CONST, and the tables that the printed text mentions
#   - what the files USER mention: a slim gpucmd.h needs it for its slim vendor headers
#   - the parts of the manual that apply, and the licence

function rooms(part)
{
    if (part == "write") return "ENCODE EMIT RING RECIPE"
    if (part == "read") return "DECODE CHECK"
    if (part == "check") return "CHECK"
    if (part == "run") return "EXEC ENGINE CHANNEL"
    if (part == "kernel") return "KERNEL"
    print "parts are write, read, check, run, kernel; not \"" part "\"" >"/dev/stderr"
    bad = 1
    exit 2
}

BEGIN {
    # bits of GPUCMD_PARTS
    bit_of["write"] = 1; bit_of["read"] = 2; bit_of["run"] = 4; bit_of["kernel"] = 8; bit_of["check"] = 16
    count = split(parts, part, /[ ,]+/)
    for (i = 1; i <= count; i++) if (part[i] != "") {
        m = split(rooms(part[i]), name, " ")
        for (k = 1; k <= m; k++) selected[name[k]] = 1
        if (!(part[i] in bit)) mask += bit[part[i]] = bit_of[part[i]]
        label = label (label == "" ? "" : ", ") part[i]
        if (part[i] != "write") code = 1
    }
    if (label == "") rooms("")
    nameless = label == "check"
    known = "SOURCES FACTS CONST"
    m = split(known, name, " ")
    for (k = 1; k <= m; k++) selected[name[k]] = 1
    file = ARGV[1]
}

FILENAME != file {
    sub(/^.*\//, "", FILENAME)
    while (match($0, /[A-Za-z_][A-Za-z0-9_]*/)) {
        x = substr($0, RSTART, RLENGTH)
        if (x ~ /^(gpucmd|GPUCMD)_/) wanted[x] = 1
        else word[x] = 1
        $0 = substr($0, RSTART + RLENGTH)
    }
    next
}
{ line[++lines] = $0 }

# ---- what is kept ---------------------------------------------------------------------------------

function keep(n)
{
    if (n in kept || !code && (inside[n] || wrapped[n])) return
    kept[n] = 1
    stack[++deep] = n
}

# Structures that GPUCMD_LAYOUT_ macros declare from a list: who defines their names.
function study_layouts(    n, k, m, x, w, i, j, count)
{
    for (n = 1; n <= items; n++) if (n in expands) {
        m = split(expands[n], x, " ")
        for (k = 1; k < m; k += 2) {
            if (!(x[k + 1] in definer)) continue
            count = split(words[definer[x[k + 1]] + 0], w, " ")
            for (i = 1; i < count; i++) if (w[i] == "S") {
                if (x[k] == "STRUCTS") defines(n, "gpucmd_" w[i + 1])
                if (x[k] == "STORES") defines(n, "gpucmd_priv_layout_store_" w[i + 1])
                if (x[k] == "IDS") defines(n, "GPUCMD_STRUCT_" w[i + 1])
            }
        }
    }
}

# Keep everything that the items on the stack mention. A pasted name is a prefix, a word of a kept
# table, and a suffix.
function close_over(    n, count, name, i, x, from, to, more, m, d, k)
{
    do {
        while (deep > 0) {
            n = stack[deep--]
            count = rows[n] ~ /STRUCTS$/ ? 0 : split(words[n], name, " ")
            for (i = 1; i <= count; i++) word[name[i]] = 1
            count = split(takes[n], name, " ")
            for (i = 1; i <= count; i++) {
                word[name[i]] = 1
                m = split(argument[name[i]], d, " ")
                for (k = 1; k <= m; k++) keep(d[k] + 0)
            }
            count = split(mentions[n], name, " ")
            for (i = 1; i <= count; i++) want(name[i], n)
            count = split(pastes[n], name, " ")
            for (i = 1; i <= count; i++) pasted[name[i]] = 1
        }
        for (more in pasted) {
            from = more
            to = ""
            if (match(more, /##.*$/)) { to = substr(more, RSTART + 2); from = substr(more, 1, RSTART - 1) }
            sub(/\*$/, "", from)
            if (from ~ /^GPUCMD_[A-Z0-9]*_?$/ && to == "") continue
            if (from in prefix) {
                count = split(prefix[from], name, " ")
                for (i = 1; i <= count; i++) keep(name[i] + 0)
            }
            for (x in definer) if (!(x in done) && index(x, from) == 1 && length(x) > length(from to) &&
                substr(x, length(x) - length(to) + 1) == to) {
                n = substr(x, length(from) + 1, length(x) - length(from to))
                if (n in word || to != "" || n ~ /^[0-9]+$/) want(x)
            }
        }
    } while (deep > 0)
}

# Keep what defines a name. An enum with a pasted prefix may define names that no other item does.
function want(name, by,    m, d, k, best)
{
    if (name in local) { # a macro that is defined several times: the last one before its use
        m = split(definer[name], d, " ")
        for (k = m; k > 1 && d[k] + 0 > by; k--) { }
        if (m > 0) keep(d[k] + 0)
        return
    }
    if (name in done) return
    done[name] = 1
    if (!(name in definer)) {
        for (k in prefix) if (index(name, k) == 1 && length(k) > length(best)) best = k
        if (best == "") return
        k = substr(name, length(best) + 1)
        definer[name] = k in argument ? argument[k] : prefix[best]
    }
    m = split(definer[name], d, " ")
    for (k = 1; k <= m; k++) keep(d[k] + 0)
}

# ---- the manual ------------------------------------------------------------------------------------

# Print a section of the manual. A step that names functions, all of which are absent, is left out.
function print_section(n,    i, k, t, from, step, number, names, found)
{
    if (section[1] ~ /^ \* MODEL CHOICES/ && !("EXEC" in selected) && !("KERNEL" in selected)) return
    if (section[1] ~ /^ \* SMALLEST/ && !(("EXEC" in selected) && ("DECODE" in selected))) return
    for (i = 1; i <= n; i++) {
        t = section[i]
        if (section[1] ~ /^ \* CONTENTS/ && match(t, /\[[A-Z0-9.]+\]/)) {
            k = substr(t, RSTART + 1, RLENGTH - 2)
            sub(/^[A-Z0-9]+\./, "", k)
            skip = k != "MANUAL" && !(k in shown)
        } else if (section[1] ~ /^ \* CONTENTS/ && t !~ /^ \*  +[^ [A-Z]/) {
            skip = 0
        }
        if (section[1] ~ /^ \* STEPS/ && t ~ /^ \*   [0-9]+\. /) {
            names = found = 0
            for (k = i; k <= n && (k == i || section[k] ~ /^ \*      /); k++) {
                from = section[k]
                while (match(from, /gpucmd_[a-z0-9_]+/)) {
                    names++
                    if (substr(from, RSTART, RLENGTH) in present) found++
                    from = substr(from, RSTART + RLENGTH)
                }
            }
            skip = names > 0 && found == 0
            if (!skip) sub(/[0-9]+/, ++step, t)
        } else if (section[1] ~ /^ \* STEPS/ && t !~ /^ \*      /) {
            skip = 0
        }
        if (!skip) print t
    }
    skip = 0
}

function print_manual(    i, n, t)
{
    print "/* SPDX-License-Identifier: MIT */" # alone, as checkpatch of Linux wants it
    t = line[1]
    sub(/ - SPDX-License-Identifier: MIT/, "", t)
    print t
    print " *"
    print " * SLIM COPY with the parts " label ", printed by `make slim`. Comments may name"
    print " * functions of other parts, which are in the whole header."
    for (i = 2; i <= last[1]; i++) {
        t = line[i]
        if (t ~ /^ \* [A-Z][A-Z][A-Z,]+( |$)/ || i == last[1]) {
            print_section(n)
            n = 0
            if (i == last[1]) { print t; return }
        }
        section[++n] = t
    }
}

END {
    if (bad) exit 2
    split_items()
    for (n = 1; n <= items; n++) if (of[n] == "item") study(n)
    study_layouts()
    if (nameless) for (x in definer) if (x ~ /_print|_name$|_text$/) {
        m = split(definer[x], name, " ")
        for (i = 1; i <= m; i++) printer[name[i] + 0] = 1
    }
    for (n = 1; n <= items; n++) {
        if (of[n] != "item" || n in printer) continue
        if (room_of[n] == "" || room_of[n] in selected && public[n]) keep(n)
    }
    for (x in wanted) want(x)
    close_over()
    for (n = 1; n <= items; n++) if (n in kept) {
        if (inside[n]) used = 1
        m = split(mentions[n], name, " ")
        shown[(inside[n] ? "IMPL." : "") room_of[n]] = 1
        for (i = 1; i <= m; i++) present[name[i]] = 1
    }
    for (n = 1; n <= items; n++) {
        if (of[n] == "manual") {
            print_manual()
            if (nameless) print "\n#ifndef GPUCMD_NO_NAMES\n#define GPUCMD_NO_NAMES\n#endif"
            continue
        }
        if (of[n] == "banner") { banner = n; title = 0; continue }
        if (of[n] == "part") { title = n; continue }
        if (of[n] == "item" && !(n in kept)) continue
        if (of[n] == "frame" && inside[n] && !used && line[first[n]] !~ /^\/\*/) continue
        if (wrapped[n] != wrapper) {
            if (wrapper) print "#endif"
            wrapper = 0
        }
        if (line[first[n] - 1] == "" || of[n] == "item" && (banner || title || wrapped[n] != wrapper)) print ""
        if (of[n] == "item") {
            if (banner) { print line[first[banner]] "\n"; banner = 0 }
            if (title) { print line[first[title]] "\n"; title = 0 }
        }
        if (wrapped[n] != wrapper) { print "#ifdef GPUCMD_PRIV_PROTOTYPES"; wrapper = wrapped[n] }
        for (i = first[n]; i <= last[n]; i++) {
            sub(/  +\\$/, " \\", line[i]) # no column of backslashes
            if (line[i] ~ /GPUCMD_PARTS/) gsub(/15/, mask, line[i])
            print line[i]
        }
    }
}
