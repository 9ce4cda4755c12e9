# Read preprocessed headers and write a C program for EVA of Frama-C: for each public encoder and
# emitter one function that calls it with unknown arguments, once for each group of chips (eva_chip) or
# generations (eva_gen). A writer is that of EVA_WRITER in eva.h. An array has 64 unknown words or 8
# structures; the argument that counts them is at most 3. A function point_TYPE of eva.h sets the pointers
# in a structure. -v only=REGEX and skip=REGEX select functions by name; -v names=1 prints the names.
FILENAME ~ /eva[.]h$/ {
    if (match($0, /point_[a-z0-9_]+\(/)) hook[substr($0, RSTART + 6, RLENGTH - 7)] = 1
    next
}
/^#/ { next }
{
    line = $0
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

function define(text,    name) {
    while (sub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", text)) { }
    if (text ~ /=/ || !match(text, /gpucmd_[a-z0-9_]+ *\(/)) return
    name = substr(text, RSTART, RLENGTH)
    sub(/ *\($/, "", name)
    if (name ~ /_priv_/ || name !~ only || (skip != "" && name ~ skip)) return
    if (names) {
        print name
        return
    }
    voids[++n] = text ~ ("^[ a-z]*void +" name)
    text = substr(text, RSTART + RLENGTH)
    sub(/\)[^)]*$/, "", text)
    f[n] = name
    parameters[n] = text
}

function harness(i,    count, k, p, type, pointer, list, body, size, own, arrays) {
    count = split(parameters[i], part, ",")
    arrays = parameters[i] ~ /const [a-z0-9_ ]+\*/
    for (k = 1; k <= count; k++) {
        p = " " part[k]
        while (sub(/ (const|volatile) /, " ", p)) { }
        gsub(/^ +| +$/, "", p)
        if (p == "void" || p == "") continue
        type = p
        pointer = sub(/ *\*+ *[a-z0-9_]+$/, "", type) || sub(/ +[a-z0-9_]+ *\[.*$/, "", type)
        if (!pointer) sub(/ +[a-z0-9_]+$/, "", type)
        own = p
        sub(/^.*[ *]/, "", own)
        list = list (list == "" ? "" : ", ") (pointer ? "" : "") "a" k
        if (type == "gpucmd_writer") {
            body = body sprintf("    gpucmd_writer a%d[1];\n", k)
            body = body sprintf("    gpucmd_writer_init(a%d, eva_room, 256);\n", k)
        } else if (pointer) {
            size = type ~ /^u?int/ ? 64 : 8
            if (type == "void") { type = "uint64_t"; size = 64 }
            body = body sprintf("    %s a%d[%d];\n", type, k, size)
            body = body sprintf("    Frama_C_make_unknown((char *)a%d, sizeof a%d);\n", k, k)
            if (type in hook) body = body sprintf("    point_%s(a%d);\n", type, k)
        } else {
            body = body sprintf("    %s a%d;\n", type, k)
            if (type == "gpucmd_nv_chip") {
                groups[i] = 6
                body = body sprintf("    a%d = eva_chip(group);\n", k)
            } else if (type == "gpucmd_i915_gen") {
                groups[i] = 3
                body = body sprintf("    a%d = eva_gen(group);\n", k)
            } else if (own ~ /^(n|n_dw|count_dw|len_dw|count|pages|words)$/) {
                body = body sprintf("    a%d = (%s)Frama_C_interval(0, 3);\n    //@ split a%d;\n", k, type, k)
            } else if (type == "_Bool") {
                body = body sprintf("    a%d = (_Bool)Frama_C_interval(0, 1);\n", k)
            } else {
                body = body sprintf("    Frama_C_make_unknown((char *)&a%d, sizeof a%d);\n", k, k)
            }
        }
    }
    printf "static void call_%d(int group)\n{\n%s    %s%s(%s);\n}\n\n", i, body, voids[i] ? "" : "(void)!!", f[i], list
}

END {
    if (names) exit
    print "#define EVA_WRITER\n#include \"tests/proof/eva.h\""
    for (i = 1; i <= n; i++) harness(i)
    print "int main(void)\n{"
    for (i = 1; i <= n; i++) {
        for (k = 0; k < (groups[i] ? groups[i] : 1); k++) printf "    call_%d(%d);\n", i, k
    }
    print "    return 0;\n}"
}
