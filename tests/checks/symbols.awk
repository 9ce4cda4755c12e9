# Read lines of nm and report every symbol that the implementation must not have.
{
    name = $NF
    kind = $(NF - 1)
}
kind == "U" && name !~ /^(memcpy|memmove|memset|_GLOBAL_OFFSET_TABLE_)$/ && name !~ /^gpucmd_/ {
    print "asks for " name
    bad++
}
kind ~ /^[BbDdCGgSs]$/ && name !~ /[.]rel[.]ro|^[.]L/ {
    print "writable data: " name
    bad++
}
kind ~ /^[TRVW]$/ && (kind != "T" || name !~ /^gpucmd_/) && name !~ /^__x86[.]get_pc_thunk/ {
    print "external symbol: " kind " " name
    bad++
}
kind == "T" { functions++ }
END {
    if (!functions) {
        print "no function at all"
        bad++
    }
    exit bad > 0
}
