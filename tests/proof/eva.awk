# Read preprocessed headers and write a C program for EVA of Frama-C: for each public encoder and
# emitter one function that calls it with unknown arguments. A writer has room for 0 to 16 words, which
# end where their array ends; -v room=N: 0 to N words, chips by eva_chip and flags below 128 one at a
# time. An array has 64 unknown words or 8 structures; the argument that counts
# them is at most 3. A function point_TYPE of eva.h sets the pointers in a structure. -v only=REGEX and
# skip=REGEX select functions by name.
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
            body = body "    uint32_t words[16];\n"
            body = body sprintf("    const size_t cap = (size_t)Frama_C_interval(0, %d);\n", room ? room : 16)
            body = body "    //@ split cap;\n"
            body = body sprintf("    gpucmd_writer a%d[1];\n", k)
            body = body sprintf("    gpucmd_writer_init(a%d, words + (16 - cap), cap);\n", k)
        } else if (pointer) {
            size = type ~ /^u?int/ ? 64 : 8
            if (type == "void") { type = "uint64_t"; size = 64 }
            body = body sprintf("    %s a%d[%d];\n", type, k, size)
            body = body sprintf("    Frama_C_make_unknown((char *)a%d, sizeof a%d);\n", k, k)
            if (type in hook) body = body sprintf("    point_%s(a%d);\n", type, k)
        } else {
            body = body sprintf("    %s a%d;\n", type, k)
            if (room && type == "gpucmd_nv_chip") {
                body = body sprintf("    a%d = eva_chip();\n", k)
            } else if (room && own == "flags") {
                body = body sprintf("    a%d = Frama_C_unsigned_int_interval(0, 127);\n    //@ split a%d;\n", k, k)
            } else if (own ~ /^(n|n_dw|count_dw|len_dw|count|pages|words)$/) {
                body = body sprintf("    a%d = (%s)Frama_C_interval(0, 3);\n    //@ split a%d;\n", k, type, k)
            } else if (type == "_Bool") {
                body = body sprintf("    a%d = (_Bool)Frama_C_interval(0, 1);\n", k)
            } else {
                body = body sprintf("    Frama_C_make_unknown((char *)&a%d, sizeof a%d);\n", k, k)
            }
        }
    }
    printf "static void call_%d(void)\n{\n%s    %s%s(%s);\n}\n\n", i, body, voids[i] ? "" : "(void)!!", f[i], list
}

END {
    print "#include \"tests/proof/eva.h\""
    for (i = 1; i <= n; i++) harness(i)
    print "int main(void)\n{"
    for (i = 1; i <= n; i++) printf "    call_%d();\n", i
    print "    return 0;\n}"
    printf "%d functions\n", n >"/dev/stderr"
}
