# Read headers, then their preprocessed text. Print one line for each of:
#   def HEADER ROOM NAME       a function or table that the headers define
#   declare HEADER ROOM NAME   a function that the headers only declare
#   use NAME MENTIONED         a name that a function body mentions, in a call or as a value
#   name NAME                  an enumerator or structure
# ROOM is the mark in the banner above the definition, for example IMPL.DECODE. Preprocessor lines such
# as # 12 "gpucmd_nv.h" give the header and the line of the text after them.

function base(path) { sub(/^.*\//, "", path); return path }

FNR == 1 { file = base(FILENAME); source = file ~ /^gpucmd.*[.]h$/ }

# ---- the headers: the room of each line ----
source {
    if (match($0, /^\/\* ==+ \[[A-Z0-9]+\.[A-Z0-9_.]+\]/)) {
        room = $3
        gsub(/^\[[A-Z0-9]+\.|\]$/, "", room)
        banner[file, ++banners[file]] = FNR
        name[file, banners[file]] = room
    }
    next
}

function room_at(h, line,    i, r) {
    r = "MANUAL"
    for (i = 1; i <= banners[h] && banner[h, i] <= line; i++) r = name[h, i]
    return r
}

# ---- the preprocessed text ----
/^# [0-9]+ "/ || /^#line / {
    at = ($1 == "#" ? $2 : $3) - 1
    h = $0
    sub(/^[^"]*"/, "", h)
    sub(/".*$/, "", h)
    h = base(h)
    next
}
/^#/ { next }
{ at++ }
!(h in banners) { next }
{
    line = $0
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, "", line)
    gsub(/'[^']*'/, "", line)
    # The lines of tables are long: each part is matched for itself.
    gsub(/[;,]/, "&\n", line)
    parts = split(line, part, "\n")
    for (k = 1; k <= parts; k++) tokens(part[k])
}

function tokens(line,    t, called) {
    while (match(line, /[{};=,]|[A-Za-z_][A-Za-z0-9_]*[ \t]*\(?/)) {
        t = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (t == "{") {
            if (depth++ == 0) {
                inside = f
                if (tag == "enum") listing = 1
                else if (tag != "" && f == "") print "name", tag
            }
        } else if (t == "}") {
            if (--depth == 0) {
                if (inside != "") print "def", h, room_at(h, where), inside
                f = last = inside = tag = ""
                type = given = 0
            }
        } else if (depth == 0) {
            called = t ~ /\($/
            sub(/[ \t]*\(?$/, "", t)
            if (t == "typedef") type = 1
            if (t == "enum") tag = t
            if (before == "struct" && tag == "") tag = t
            before = t
            if (t == ";") {
                if (f != "" && !type && !given) print "declare", h, room_at(h, where), f
                f = last = tag = ""
                type = given = 0
            }
            if (t ~ /^gpucmd_/) last = t
            if (f == "" && (called || t == "=") && last != "") { f = last; where = at; given = t == "=" }
            if (t !~ /^gpucmd_/ && called) last = ""
        } else if (tag == "enum") {
            if (listing && t ~ /^GPUCMD_/) print "name", t
            listing = t == ","
        } else if (inside != "") {
            sub(/[ \t]*\(?$/, "", t)
            if (t ~ /^(gpucmd|GPUCMD)_/ && t != inside && !((inside, t) in seen)) {
                seen[inside, t] = 1
                print "use", inside, t
            }
        }
    }
}
