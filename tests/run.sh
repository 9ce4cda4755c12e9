# run.sh NAME TIER...: run tiers, print their lines immediately, and print the sum of all closing lines
# `name: N passed, N failed[, N skipped]` at the end. $BUILD/log/ contains the output of each tier, the
# sum in NAME.total, and for each tier its seconds and the CPU seconds of its processes in NAME.times.
. tests/tier/lib.sh

all=$BUILD/log/$1.all times=$BUILD/log/$1.times total=$BUILD/log/$1.total
shift

mkdir -p "$BUILD/log"
rm -f "$all" "$times" "$total"

# cpu: set cpu to the CPU seconds of all processes that have ended. A pipe would have its own count.
cpu()
{
    times >"$times.cpu"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } print int(s) }' \
        "$times.cpu")
}

for tier in "$@"; do
    log=$BUILD/log/$tier
    echo "== $tier"
    start=$(date +%s)
    cpu
    before=$cpu
    { $MAKE "$tier"; echo $? >"$log.status"; } 2>&1 | tee "$log"
    awk -v tier="$tier" -v status="$(cat "$log.status")" '
        /^[^ ]+: [0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
            n++; p += $2; f += $4; s += $6
        }
        END {
            if (n == 0 || (status != 0 && f == 0)) {
                printf "%s: 0 passed, 1 failed\n", tier >"/dev/stderr"
                f++
            }
            print p + 0, f + 0, s + 0
        }' "$log" >>"$all"
    cpu
    echo "-- $tier: $(($(date +%s) - start)) s, $((cpu - before)) s of CPU" | tee -a "$times"
done

awk -v no_skip="$NO_SKIP" -v total="$total" '
    { p += $1; f += $2; s += $3 }
    END {
        print ""
        if (no_skip == "1" && s > 0) {
            print "NO_SKIP=1: " s " skipped, counted as failed"
            f += s
            s = 0
        }
        if (f > 0) print "see the lines that start with FAIL: or skip: above"
        printf "%d passed, %d failed, %d skipped\n", p, f, s >total
        printf "%d passed, %d failed, %d skipped\n", p, f, s
        exit f > 0
    }' "$all"
