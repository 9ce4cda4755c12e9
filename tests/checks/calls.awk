# Read the stack usage of clang (.su), then its object on x86-64 as `objdump -dr --no-show-raw-insn` prints
# it. Write the call graph in the form of gcc's -fcallgraph-info=su, which chains.awk reads. clang does
# not count the 8 bytes of the return address. A jump to another function counts as a call.
FILENAME ~ /[.]su$/ {
    split($0, column, "\t")
    n = split(column[1], part, ":")
    printf "node: { title: \"%s\" label: \"%d bytes (static)\" }\n", part[n], column[2] + 8
    next
}
/^[0-9a-f]+ <.*>:$/ {
    call()
    name = $2
    gsub(/[<>:]/, "", name)
    next
}
# The target of the last instruction, which a relocation in the next line replaces.
/^ *[0-9a-f]+:\t(call|j[a-z]+) / {
    call()
    to = $NF
    if (to !~ /^<.*>$/) to = ""
    gsub(/[<>]/, "", to)
    sub(/[+]0x.*/, "", to)
    next
}
/R_X86_64_(PLT32|PC32)/ {
    if (to != "") {
        to = $NF
        sub(/[-+]0x.*/, "", to)
    }
    next
}
{ call() }
END { call() }

function call()
{
    if (to != "" && to != name && to !~ /^[.]/) {
        printf "edge: { sourcename: \"%s\" targetname: \"%s\" }\n", name, to
    }
    to = ""
}
