# Print the definitions of the C functions and tables in the list `names` (separated by blanks) from a
# source file in the style of a kernel: the name begins a line or follows its type, and a brace in
# the first column ends the body. A name that is not found is an error.
BEGIN {
    n = split(names, want, " ")
    for (i = 1; i <= n; i++) wanted[want[i]] = 1
}

!inside && match($0, /[a-z0-9_]+\[\] = \{$/) {
    name = substr($0, RSTART, RLENGTH - 6)
    inside = 1
    keep = name in wanted
    delete wanted[name]
    head = ""
}

# Lines of the head: types, and the parameters up to the opening brace.
!inside && /^[a-z_].*[^;:]$/ && !/^#/ && !/^(typedef|struct [a-z0-9_]+ \{|enum)/ {
    head = head $0 "\n"
    if (match($0, /[a-z0-9_]+\(/)) {
        name = substr($0, RSTART, RLENGTH - 1)
    }
    next
}
!inside && /^[ \t#]/ && head != "" { head = head $0 "\n"; next }
!inside && /^\{/ && head != "" {
    inside = 1
    keep = name in wanted
    if (keep) {
        printf "%s", head
        delete wanted[name]
    }
}
!inside { head = "" }
inside && keep { print }
inside && /^\}/ { inside = 0; head = ""; if (keep) print "" }

END {
    for (name in wanted) {
        printf "%s: no function %s\n", FILENAME, name >"/dev/stderr"
        failed = 1
    }
    exit failed
}
