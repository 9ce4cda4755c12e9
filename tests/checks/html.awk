# Make a page of a header's manual and declarations:
#   awk -v mode=index -v made=FILE -f items.awk -f html.awk HEADER      lines "name file#anchor"
#   awk -v mode=page -v made=FILE -v headers="..." -f items.awk -f html.awk INDEX HEADER >HEADER.html
# The implementation, private names and function bodies are left out. FILE is the output of signatures.awk.

mode == "page" && FILENAME == ARGV[1] { target[$1] = $2; next }
FNR == 1 { file = FILENAME; sub(/^.*\//, "", file) }
{ line[++lines] = $0 }

function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }

# Escape text and link the names in it; self is not linked.
function link(s, self,    out, name)
{
    while (match(s, /(gpucmd|GPUCMD)_[A-Za-z0-9_]+|\[?(CORE|NV|I915|AGX)\.[A-Z]+\]?/)) {
        name = substr(s, RSTART, RLENGTH)
        out = out escape(substr(s, 1, RSTART - 1))
        s = substr(s, RSTART + RLENGTH)
        if (name ~ /\./) {
            gsub(/[][]/, "", name)
            if (name in target) out = out "<a href=\"" here(target[name]) "\">" name "</a>"
            else out = out name
        } else if (name in target && name != self) {
            out = out "<a href=\"" here(target[name]) "\">" name "</a>"
        } else {
            out = out name
        }
    }
    return out escape(s)
}

function here(to) { if (index(to, file ".html#") == 1) sub(/^[^#]*/, "", to); return to }

# ---- text of a manual or a comment: paragraphs, lists, terms ------------------------------------------

function flush(    t)
{
    if (text != "") {
        if (kind == "p") print "<p>" text "</p>"
        else if (kind == "dd") print text "</dd>"
        else print text "</li>"
    }
    text = ""
}
function list(name)
{
    if (inside_list != name) {
        flush()
        if (inside_list != "") print "</" inside_list ">"
        if (name != "") print "<" name ">"
        inside_list = name
    }
}

# Print one line of text. base is the indentation of a paragraph.
function say(t, base,    indent, body, term)
{
    match(t, /^ */)
    indent = RLENGTH
    body = substr(t, indent + 1)
    if (verbatim && (indent >= verbatim || body == "")) { print escape(substr(t, verbatim + 1)); return }
    if (verbatim) { print "</pre>"; verbatim = 0 }
    if (body == "") { list(""); flush(); kind = ""; return }
    if (program) { print "<pre>" escape(body); verbatim = indent; return }
    if (body ~ /^- /) {
        list("ul"); flush(); kind = "li"; hang = indent; text = "<li>" link(substr(body, 3))
    } else if (body ~ /^[0-9]+\. /) {
        list("ol"); flush(); kind = "li"; hang = indent; sub(/^[0-9]+\. /, "", body); text = "<li>" link(body)
    } else if (match(body, /^[^ ]+(,? [^ ]+)?(,? [^ ]+)?(  +)[^ ]/) && indent >= base && indent <= base + 6 &&
        !(kind == "li" && indent > hang)) {
        term = body
        sub(/  +.*$/, "", term)
        sub(/^.*[^ ]  +/, "", body)
        body = substr(t, indent + length(term) + 1)
        sub(/^ +/, "", body)
        list("dl"); flush(); kind = "dd"; hang = indent
        column = length(t) - length(body) + 1
        text = "<dt>" link(term) "</dt><dd>" link(body)
    } else if (kind == "dd" && indent == hang && substr(t, column - 1, 2) ~ /^ [^ ]/) { # a long term
        flush()
        text = "<dt>" link(substr(t, indent + 1, column - indent - 2)) "</dt><dd>" link(substr(t, column))
    } else if (kind != "" && indent > hang && kind != "p") {
        # A table in a list is lines.
        text = text (kind == "li" && (body ~ /[^ ]   *[^ ]/ || indent < nested) ? "<br/>" : "") "\n" link(body)
        nested = body ~ /[^ ]   *[^ ]/ || indent >= nested && nested ? indent : 0
    } else if (kind == "p" && hang == -1 && text !~ /\n/ && indent > base + 16) { # a term on a line of its own
        t = "<dt>" text "</dt><dd>" link(body)
        text = ""
        list("dl"); kind = "dd"; hang = base; column = indent + 1
        text = t
    } else if (indent >= base + 4 && kind != "li" && kind != "dd") {
        list(""); flush(); kind = ""; verbatim = indent
        print "<pre>" escape(body)
    } else {
        list("")
        if (kind != "p") { flush(); kind = "p"; hang = -1 }
        text = text (text == "" ? "" : "\n") link(body)
    }
}
function end_text() { nested = 0; if (verbatim) { print "</pre>"; verbatim = 0 } flush(); list(""); kind = "" }

# ---- the manual ------------------------------------------------------------------------------------

function print_manual(    i, t, id)
{
    for (i = 2; i < last[1]; i++) {
        t = substr(line[i], 3)
        if (t ~ /^ \[[A-Z0-9]+\.MANUAL\]$/) continue
        if (t ~ /^ [A-Z][A-Z]/) {
            end_text()
            if (t ~ /^ CONTENTS/) return
            while (t ~ /\([^)]*$/) t = t " " substr(line[++i], 4)
            program = t ~ /^ SMALLEST/
            id = t
            gsub(/^ |[:,(].*$/, "", id)
            gsub(/ /, "-", id)
            print "<h3 id=\"manual-" tolower(id) "\">" escape(substr(t, 2)) "</h3>"
            continue
        }
        say(substr(t, 2), 2)
    }
    end_text()
}

# Print the list of rooms, from the contents of the manual.
function print_rooms(    i, t, room, rest, open)
{
    print "<ul>\n<li><a href=\"#manual\">manual</a></li>"
    for (i = 1; i <= last[1]; i++) {
        t = line[i]
        if (match(t, /^ \*   \[[A-Z0-9]+\.[A-Z]+\] /) && t !~ /MANUAL/) {
            room = substr(t, RSTART + 6, RLENGTH - 8)
            rest = substr(t, RSTART + RLENGTH)
            sub(/^ +/, "", rest)
            if (open) print "</li>"
            printf "<li><a href=\"#%s\">%s</a> %s", room, room, escape(rest)
            open = 1
        } else if (open && t ~ /^ \*    +[^ [].*/) {
            sub(/^ \* +/, "", t)
            printf " %s", escape(t)
        } else if (open) {
            print "</li>"
            open = 0
        }
    }
    print "</ul>"
}

# ---- items -----------------------------------------------------------------------------------------

# Print the code of an item: declarations without bodies; a long table is folded.
function print_code(n, from,    i, t, code, many, skip, shows, made_here, of_table)
{
    for (i = from; i <= last[n]; i++) {
        t = line[i]
        if (t ~ /^#undef|^#define GPUCMD_([A-Z0-9]+_)?PRIV_|^\/\* clang-format/) { skip = t ~ /\\$/; continue }
        if (skip) { skip = t ~ /\\$/; continue }
        if (bare[i] ~ /^\{/) { # the body of a function
            sub(/\n$/, "", code)
            code = code ";\n"
            while (i < last[n] && bare[i] !~ /^\}/) i++
            continue
        }
        if (i in signatures) {
            code = code link(signatures[i], "")
            shows = made_here = 1
            many += gsub(/\n/, "&", signatures[i])
            while (i < last[n] && line[i] !~ /\)$/) i++
            continue
        }
        if (t !~ /^#(if|else|elif|endif)/) shows = 1
        sub(/ +\\$/, " \\", t)
        if (of_table == "" && match(t, /^#define [A-Z0-9_]+\(/)) of_table = substr(t, 9, RLENGTH - 9) ", "
        code = code link(t, "") "\n"
        many++
    }
    if (!shows) return
    sub(/\n$/, "", code)
    if (many > 24 && !made_here) print "<details><summary>" of_table many " lines</summary><pre>" code "</pre></details>"
    else print "<pre>" code "</pre>"
}

function print_item(n,    i, t, anchors, count, name, k, from)
{
    print line[first[n]] ~ /^\/\*/ ? "<section>" : "<section class=\"more\">"
    count = split(names[n], name, " ")
    for (k = 1; k <= count; k++) if (name[k] in target && target[name[k]] == file ".html#" name[k] && !(name[k] in anchored)) {
        anchored[name[k]] = 1
        printf "<a id=\"%s\"></a>", name[k]
    }
    from = first[n]
    if (line[from] ~ /^\/\*/) {
        for (i = from; i <= last[n]; i++) {
            t = line[i]
            from = i + 1
            sub(/^(\/\*| \*\/?)/, "", t)
            k = sub(/ *\*\/$/, "", t) || line[i] ~ /\*\/$/
            say(substr(t, 2), 0)
            if (k) break
        }
        end_text()
    }
    print_code(n, from)
    print "</section>"
}

END {
    split_items()
    for (n = 1; n <= items; n++) if (of[n] == "item" && !inside[n]) {
        study(n)
    }
    while ((getline t <made) > 0) { # functions that a macro defines
        k = t + 0
        sub(/^[0-9]+ /, "", t)
        signatures[k] = signatures[k] t "\n"
        match(t, /gpucmd_[a-z0-9_]+\(/)
        for (n = 1; n <= items; n++) if (first[n] <= k && k <= last[n]) defines(n, substr(t, RSTART, RLENGTH - 1))
    }
    for (x in definer) {
        count = split(definer[x], d, " ")
        for (k = 1; k <= count; k++) if (index(names[d[k]] " ", " " x " ") == 0) names[d[k]] = names[d[k]] " " x
    }
    prefix_of = toupper(file)
    sub(/^GPUCMD_/, "", prefix_of)
    sub(/\.H$/, "", prefix_of)
    if (prefix_of == "GPUCMD") prefix_of = "CORE"
    if (mode == "index") {
        for (x in definer) if (x !~ /_(priv|PRIV)_/) print x, file ".html#" x
        for (n = 1; n <= items; n++) if (of[n] == "banner" && !inside[n]) {
            print prefix_of "." room_at[n], file ".html#" prefix_of "." room_at[n]
        }
        print prefix_of ".MANUAL", file ".html#manual"
        exit
    }
    summary = line[1]
    sub(/^\/\* [^ ]+ - v[0-9.]+ - /, "", summary)
    sub(/ - SPDX.*$/, "", summary)
    print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
    print "<title>" file "</title><link rel=\"stylesheet\" href=\"style.css\"/></head><body>"
    count = split(headers, h, " ")
    printf "<nav><p><a href=\"index.html\">gpucmd</a>"
    for (i = 1; i <= count; i++) printf h[i] == file ? " <b>%s</b>" : " <a href=\"" h[i] ".html\">%s</a>", h[i]
    print "</p>"
    print_rooms()
    print "</nav><main><h1>" file "</h1><p>" escape(summary) "</p>"
    print "<h2 id=\"manual\">Manual</h2>"
    print_manual()
    program = 0
    for (n = 1; n <= items; n++) {
        if (inside[n]) break
        if (of[n] == "banner") print "<h2 id=\"" prefix_of "." room_at[n] "\">" prefix_of "." room_at[n] "</h2>"
        if (of[n] == "part") {
            t = line[first[n]]
            gsub(/^\/\* -+ | -+ \*\/$/, "", t)
            print "<h3>" escape(t) "</h3>"
        }
        if (of[n] == "item" && public_item(n)) print_item(n)
    }
    print "</main></body></html>"
}

# An item is printed if it defines a public name, or nothing, or is a table.
function public_item(n,    count, name, k)
{
    count = split(names[n], name, " ")
    for (k = 1; k <= count; k++) if (name[k] !~ /_(priv|PRIV)_/) return 1
    return count == 0 && room_of[n] != ""
}
