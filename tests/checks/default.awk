# Print `default FILE:LINE CASE` for each switch over commands, methods, ioctls or rules that has a
# default. CASE is the first case, or the list of rows that makes the cases. A switch ends at the
# closing brace in the column of the switch.
/^ *switch \(/ { depth++; column[depth] = index($0, "s"); line[depth] = FNR; first[depth] = found[depth] = "" }
depth && first[depth] == "" &&
match($0, /case GPUCMD_(NV_FORM|NV_HOST|NV_CONTROL|I915_OP|DRM|NVGPU_[A-Z]*_?IOCTL|NVMAP_IOC|[A-Z0-9]*_RULE)_/) {
    first[depth] = substr($0, RSTART + 5)
    sub(/[:,) ].*$/, "", first[depth])
}
depth && first[depth] == "" && match($0, /GPUCMD_[A-Z0-9_]*(COMMANDS|EXECUTED|METHODS|IOCTLS|FORMS|RULES)[A-Z0-9_]*\(/) {
    first[depth] = substr($0, RSTART, RLENGTH - 1)
}
depth && /^ *default:/ { found[depth] = 1 }
depth && /^ *[}]/ && index($0, "}") == column[depth] {
    if (found[depth] && first[depth] != "") print "default", FILENAME ":" line[depth], first[depth]
    depth--
}
