# manual.awk - the comments of the functions that write commands, as members of JSON. Arguments:
# headers. A member has the name of the vendor and of the command: "i915_mi_store_data_imm".
function quote(s)
{
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    gsub(/\t/, " ", s)
    gsub(/\n/, "\\n", s)
    return "\"" s "\""
}

FNR == 1 { comment = ""; header = FILENAME; sub(/.*\//, "", header) }
/^\/\* / { comment = ""; inside = 1 }
inside {
    line = $0
    sub(/^\/\* /, "", line)
    sub(/^ \* ?/, "", line)
    if (sub(/ ?\*\/$/, "", line)) inside = 0
    comment = comment (comment == "" ? "" : "\n") line
    next
}
match($0, /gpucmd_(nv|i915|agx)_emit_[a-z0-9_]+\(/) && !/^ / {
    name = substr($0, RSTART, RLENGTH - 1)
    key = name
    sub(/^gpucmd_/, "", key)
    sub(/_emit_/, "_", key)
    if (comment != "" && !(key in seen)) {
        seen[key] = 1
        printf "%s%s: {\"where\": %s, \"text\": %s}", (n++ ? ",\n" : ""), quote(key), quote(header ", " name), quote(comment)
    }
}
!/^[A-Za-z]/ { if (!inside) comment = "" }
