# Every `clang-format off` must be in a section that may contain one. The core has no FACTS, and may use
# it for the rows of a table in any section.
. tests/checks/lib.sh

passed=0 failed=0
for h in $HEADERS; do
    if bad=$(awk '
        /^\/\* ==+ \[/ { allowed = /\.(FACTS|SOURCES)[].]/ }
        /clang-format off/ {
            if (open) print FILENAME ":" FNR ": fence inside a fence"
            open = FNR
            if (!allowed && FILENAME != "gpucmd.h") {
                print FILENAME ":" FNR ": fence outside FACTS and SOURCES"
            }
            next
        }
        open && FNR == open + 1 && !allowed && !/^#define GPUCMD_[A-Z_]+\([A-Z]\)/ {
            print FILENAME ":" FNR ": fence around something that is not a table of rows"
        }
        /clang-format on/ { open = 0 }
        END { if (open) print FILENAME ":" open ": fence never closed" }' "$h") && [ -z "$bad" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$bad" | sed 's/^/FAIL: fences: /'
    fi
done
[ "$HEADERS" ] || skip fences "no headers in the tree"
[ -z "$HEADERS" ] || echo "fences: $passed passed, $failed failed"
[ $failed -eq 0 ]
