# fences.sh HEADER: names every `clang-format off` outside the sections that may have one.
awk '
    /^\/\* ==+ \[/ { allowed = /\.(FACTS|SOURCES)[].]/ }
    /clang-format off/ {
        if (open) { print FILENAME ":" FNR ": fence inside a fence"; bad++ }
        open = FNR
        if (!allowed) { print FILENAME ":" FNR ": fence outside FACTS and SOURCES"; bad++ }
    }
    /clang-format on/ { open = 0 }
    END {
        if (open) { print FILENAME ":" open ": fence never closed"; bad++ }
        exit bad > 0
    }' "$1"
