# Read inline.h, then preprocessed headers, and write a C file that is also C++. It has a table with the
# address of every function that the headers define, and a function that calls the public ones.
# Arguments are zero or the number of the try. A pointer points to zeroed memory of its type, or to an
# object that valid_TYPE of inline.h initialised.

FILENAME ~ /inline[.]h$/ {
    if (match($0, /valid_[a-z0-9_]+\(/)) valid[substr($0, RSTART + 6, RLENGTH - 7)] = 1
    next
}
/^#/ { next }
{
    line = $0
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, "", line)
    gsub(/'[^']*'/, "", line)
    while (match(line, /[{};]/)) {
        t = substr(line, RSTART, 1)
        if (depth == 0) text = text " " substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + 1)
        if (t == "{") {
            if (depth++ == 0) define(text)
        } else if (t == "}") {
            depth--
        }
        if (depth == 0) text = ""
    }
    if (depth == 0) text = text " " line
}

# A definition without its body. Text without gpucmd_name( is not a function.
function define(text,    name) {
    while (sub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", text)) { }
    if (text ~ /=/ || !match(text, /gpucmd_[a-z0-9_]+ *\(/)) return
    name = substr(text, RSTART, RLENGTH)
    sub(/ *\($/, "", name)
    result[++n] = text ~ ("^[ a-z]*void +" name) ? "" : "(void)"
    text = substr(text, RSTART + RLENGTH)
    sub(/\)[^)]*$/, "", text)
    f[n] = name
    parameters[n] = text
}

function call(i,    count, k, p, type, arrays, set, list, writes) {
    count = split(parameters[i], part, ",")
    printf "\nstatic int call_%d(uint32_t v, bool measure)\n{\n", i
    for (k = 1; k <= count; k++) {
        p = " " part[k]
        while (sub(/ (const|volatile) /, " ", p)) { }
        gsub(/^ +| +$/, "", p)
        if (p == "void" || p == "") continue
        type = p
        pointer = sub(/ *\*+ *[a-z0-9_]+$/, "", type) || sub(/ +[a-z0-9_]+ *\[.*$/, "", type)
        if (!pointer) sub(/ +[a-z0-9_]+$/, "", type)
        if (type == "void") type = "uint64_t"
        if (type == "_Bool") type = "bool"
        list = list (list == "" ? "" : ", ") "a" k
        if (pointer) {
            printf "    static %s a%d[%s];\n", type, k, type ~ /^u?int/ ? 256 : 4
            set = set sprintf("    memset(a%d, 0, sizeof a%d);\n", k, k)
            if (type == "gpucmd_writer") {
                set = set sprintf("    begin(a%d, measure);\n", k)
                writes = "a" k
            } else if (type in valid) {
                set = set sprintf("    valid_%s(a%d);\n", type, k)
            }
        } else if (type ~ /_fn$/) {
            printf "    const %s a%d = NULL;\n", type, k
        } else {
            printf "    const %s a%d = (%s)v;\n", type, k, type
        }
    }
    printf "    (void)v;\n    (void)measure;\n%s    %s%s(%s);\n", set, result[i], f[i], list
    printf "    return %s;\n}\n", writes == "" || f[i] ~ /^gpucmd_writer_/ ? "0" : "words_of(" writes ")"
}

END {
    print "#include \"tests/compile/all.h\"\n#include \"tests/compile/inline.h\"\n#include \"tests/compile/inline_calls.h\""
    for (i = 1; i <= n; i++) if (f[i] !~ /_priv_/) call(i)
    print "\nextern void (*const users[])(void);\nvoid (*const users[])(void) = {"
    for (i = 1; i <= n; i++) printf "    (void (*)(void))%s,\n", f[i]
    print "};\n\nstatic const struct {\n    const char *name;\n    int (*call)(uint32_t v, bool measure);\n} calls[] = {"
    for (i = 1; i <= n; i++) if (f[i] !~ /_priv_/) printf "    {\"%s\", call_%d},\n", f[i], i
    print "};\n\nconst char *call_all(void)\n{"
    print "    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {"
    print "        for (uint32_t v = 0; v < 64; v++) {"
    print "            if (calls[i].call(v, true) != calls[i].call(v, false)) {"
    print "                return calls[i].name;\n            }\n        }\n    }\n    return NULL;\n}"
}
