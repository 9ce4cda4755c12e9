# Functions that split a header into items: a declaration, definition or table with the comment before it.
# The caller reads the header into line[1..lines] and calls split_items(), then study(n) for each item.
#   of[n]                  item, manual, banner, part (a banner of a part of a room), frame (guards, licence)
#   first[n], last[n]      its lines; bare[i]: a line without comments and strings
#   room_of[n], inside[n]  its room; 1 in the implementation
#   wrapped[n]             number of the GPUCMD_PRIV_PROTOTYPES block that contains it, or 0
#   definer[name]          the items that define a name
#   public[n]              0 if the item is private or a table of FACTS
#   mentions[n], pastes[n] names and pasted names in its code

function begin(kind, at)
{
    finish(at - 1)
    first[++items] = at
    of[items] = kind
    room_of[items] = room
    inside[items] = implementation
    wrapped[items] = prototypes
    open = 1
}

function finish(at)
{
    if (open) last[items] = at
    open = 0
}

function split_items(    i, t, depth, plain, code, in_comment, text, top)
{
    top = 1
    for (i = 1; i <= lines; i++) {
        t = line[i]
        if (top) { # the manual
            if (i == 1) begin("manual", 1)
            if (t ~ /\*\/$/) { finish(i); top = 0 }
            continue
        }
        text = t
        if (!in_comment && depth == 0 && plain == 0) {
            if (t == "" || t ~ /^\/\* clang-format (on|off) \*\/$/) { finish(i - 1); code = 0; continue }
            if (t ~ /^\/\* ==== /) {
                room = t
                sub(/^[^.]*\./, "", room)
                sub(/\].*$/, "", room)
                implementation = sub(/^IMPL\./, "", room)
                begin("banner", i); finish(i); room_at[items] = room; continue
            }
            if (t ~ /^\/\* ---- /) { begin("part", i); finish(i); continue }
            if (t ~ /^\/\* MIT License/ || (t == "/*" && line[i + 1] ~ /^ ?\*? ?MIT License/)) {
                begin("frame", i); finish(lines); return
            }
            if (t ~ /^#ifdef GPUCMD_PRIV_PROTOTYPES/) { finish(i - 1); prototypes = ++wrappers; continue }
            if (t ~ /^#endif$/ && prototypes) { finish(i - 1); prototypes = 0; continue }
            if (t ~ /^GPUCMD_PRIV_(BEGIN|END)$/ || t ~ /^#if GPUCMD_VERSION/ || t ~ /^#include/ ||
                t ~ /^#(ifndef|define|endif \/\*) GPUCMD_([A-Z0-9]+_)?H(_IMPL)?( \*\/)?$/ ||
                t ~ /^#if defined\(GPUCMD_IMPLEMENTATION\)/ || t ~ /^#endif \/\* GPUCMD_IMPLEMENTATION/ ||
                t ~ /^\/\* End of the interface/) {
                begin("frame", i)
                if (t ~ /^#if defined\(GPUCMD_IMPL/) { implementation = 1; room = "frame" }
                inside[items] = implementation
                if (t ~ /^#if GPUCMD_V/) while (line[i] !~ /^#endif/) i++
                finish(i); code = 0
                continue
            }
            if (t ~ /^\/\*/ && code) { finish(i - 1); code = 0 }
            if (!open) { begin("item", i); code = 0 }
        }
        # Text without comments, strings and characters.
        gsub(/\\./, "", text); gsub(/"[^"]*"/, "\"\"", text); gsub(/'[^']*'/, "0", text)
        if (in_comment) { if (!sub(/^.*\*\//, "", text)) continue; in_comment = 0 }
        while (text ~ /\/\*/) {
            if (!sub(/\/\*([^*]|\*[^\/])*\*\//, " ", text)) { sub(/\/\*.*$/, "", text); in_comment = 1 }
        }
        bare[i] = text
        if (text ~ /[^ ]/) code = 1
        if (t ~ /^#if/) plain++
        if (t ~ /^#endif/) plain--
        if (t !~ /^#/ && !macro) depth += gsub(/\{/, "{", text) - gsub(/\}/, "}", text)
        macro = (t ~ /^#define/ || macro) && t ~ /\\$/
    }
    finish(lines)
}

# ---- what an item defines and mentions -------------------------------------------------------------

function defines(n, name, kind)
{
    if (name == "") return
    if (kind != "macro" || !((n, "d") in has)) has[n, "d"] = 1
    definer[name] = definer[name] " " n
    if (name !~ /_(priv|PRIV)_/) public[n] = 1
}

function study(n,    i, t, at, depth, enum, name, macro, more, table, enumerates)
{
    for (i = first[n]; i <= last[n]; i++) if (bare[i] ~ /^(typedef )?enum/) enumerates = 1
    for (i = first[n]; i <= last[n]; i++) {
        t = bare[i]
        if (t == "") continue
        if (t ~ /^#define GPUCMD_/ || t ~ /^#define gpucmd_/) {
            name = t
            sub(/^#define /, "", name)
            sub(/[^A-Za-z0-9_].*$/, "", name)
            defines(n, name)
            if (t ~ /^#define GPUCMD_[A-Z0-9_]+\([A-Za-z, ]+\) +\\$/) rows[n] = name
            if (rows[n] == name && room_of[n] ~ /^(FACTS|SOURCES)$/) table = 1
            else if (name !~ /_PRIV_/) other[n] = 1
        } else if (t ~ /^#undef /) {
            name = t
            sub(/^#undef /, "", name)
            local[name] = 1
        } else if (!macro && t !~ /^#/) {
            at = t
            if (depth == 0 && match(at, /^GPUCMD_[A-Z0-9_]+\([a-z0-9_]+[,)]/)) { # a macro that defines functions
                name = substr(at, 1, RLENGTH - 1)
                sub(/^.*\(/, "", name)
                if (name ~ /^gpucmd_/) defines(n, name)
                argument[name] = argument[name] " " n
                takes[n] = takes[n] " " name
            }
            if (depth == 0) {
                if (at !~ /^(typedef|struct|enum|union|#)/ && match(at, /gpucmd_[a-z0-9_]+\(/)) {
                    defines(n, substr(at, RSTART, RLENGTH - 1))
                } else if (match(at, /\(\*gpucmd_[a-z0-9_]+\)\(/)) {
                    defines(n, substr(at, RSTART + 2, RLENGTH - 4))
                } else if (at ~ /^typedef [^{(]*;$/ || at ~ /^ *static const .*(=|\{)/ || at ~ /^(typedef )?(struct|union|enum) gpucmd_/) {
                    more = at
                    while (match(more, /(gpucmd|GPUCMD)_[A-Za-z0-9_]+/)) {
                        if (more !~ /^ *static const gpucmd/ || substr(more, RSTART + RLENGTH) ~ /^(\[|;| =)/) defines(n, substr(more, RSTART, RLENGTH))
                        more = substr(more, RSTART + RLENGTH)
                    }
                }
                if (at ~ /^(typedef )?enum/) { enum = 1; other[n] = 1 }
            }
            if (enum) {
                more = at
                while (match(more, /GPUCMD_[A-Z0-9_]+( =|,)/)) {
                    name = substr(more, RSTART, RLENGTH)
                    sub(/( =|,)$/, "", name)
                    defines(n, name)
                    more = substr(more, RSTART + RLENGTH)
                }
            }
            depth += gsub(/\{/, "{", at) - gsub(/\}/, "}", at)
            if (depth == 0 && match(t, /\} *gpucmd_[a-z0-9_]+;/)) {
                name = substr(t, RSTART, RLENGTH)
                gsub(/[} ;]/, "", name)
                defines(n, name)
            }
            if (depth == 0) enum = 0
        }
        if (t !~ /^#/ && match(t, /GPUCMD_LAYOUT_[A-Z]+\(GPUCMD_[A-Z0-9_]+/)) {
            name = substr(t, RSTART + 14, RLENGTH - 14)
            sub(/\(/, " ", name)
            expands[n] = expands[n] " " name
        }
        more = t
        while (match(more, /GPUCMD_[A-Z0-9_]+\([a-z][a-z0-9_]*/)) { # a word that the macro may paste
            name = substr(more, RSTART, RLENGTH)
            more = substr(more, RSTART + RLENGTH)
            sub(/^.*\(/, "", name)
            words[n] = words[n] " " name
        }
        if (rows[n] != "") {
            more = t
            gsub(/gpucmd_[a-z0-9_]+|GPUCMD_[A-Z0-9_]+/, "", more)
            while (match(more, /[A-Za-z_][A-Za-z0-9_]*/)) {
                words[n] = words[n] " " substr(more, RSTART, RLENGTH)
                more = substr(more, RSTART + RLENGTH)
            }
        }
        macro = (t ~ /^#define/ || macro) && line[i] ~ /\\$/
        while (match(t, /(gpucmd|GPUCMD)_[A-Za-z0-9_]*(##[a-z]+(##_[A-Za-z0-9_]+)?)?/)) {
            name = substr(t, RSTART, RLENGTH)
            t = substr(t, RSTART + RLENGTH)
            if (sub(/##[a-z]+/, "*", name)) {
                pastes[n] = pastes[n] " " name
                sub(/\*.*$/, "", name)
                if (enumerates && name !~ /^GPUCMD_((NV|NVGPU|I915|AGX)_?)?$/ || bare[i] ~ /^ *(static|struct [a-z0-9_#]+ \{|GPUCMD_[A-Z_]+ )/) {
                    prefix[name] = prefix[name] " " n
                }
            }
            else mentions[n] = mentions[n] " " name
        }
    }
    if (table && !other[n]) public[n] = 0
    else if (other[n] || !((n, "d") in has)) public[n] = 1
}

