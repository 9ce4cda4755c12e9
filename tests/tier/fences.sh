# fences.sh HEADER: names every `clang-format off` outside the sections that may have one. The core,
# which has no FACTS, may fence the rows of a table where it stands.
awk '
    /^\/\* ==+ \[/ { allowed = /\.(FACTS|SOURCES)[].]/ }
    /clang-format off/ {
        if (open) { print FILENAME ":" FNR ": fence inside a fence"; bad++ }
        open = FNR
        if (!allowed && FILENAME != "gpucmd.h") {
            print FILENAME ":" FNR ": fence outside FACTS and SOURCES"
            bad++
        }
        next
    }
    open && FNR == open + 1 && !allowed && !/^#define GPUCMD_[A-Z_]+\([A-Z]\)/ {
        print FILENAME ":" FNR ": fence around something that is not a table of rows"
        bad++
    }
    /clang-format on/ { open = 0 }
    END {
        if (open) { print FILENAME ":" open ": fence never closed"; bad++ }
        exit bad > 0
    }' "$1"
