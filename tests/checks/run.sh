# run.sh NAME TIER... [-- TIER...]: run tiers, print their lines immediately, and print the sum of all
# closing lines `name: N passed, N failed[, N skipped]` at the end. The tiers after -- run beside the
# others, one job at a time, in $BUILD/beside; their lines are printed when all have ended. $BUILD/log/
# contains the output of each tier, the sum in NAME.total, and in NAME.times for each tier its seconds
# and the CPU seconds of its processes.
. tests/checks/lib.sh

name=$1 log=$BUILD/log
shift

mkdir -p "$log"
rm -f "$log/$name".*

# cpu FILE: set cpu to the CPU seconds of all processes of this shell that have ended. A pipe would
# have its own count.
cpu()
{
    times >"$1"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } print int(s) }' "$1")
}

# tiers LANE ARGUMENTS TIER...: run tiers one after the other, with ARGUMENTS for make.
tiers()
{
    lane=$log/$name.$1 arguments=$2
    shift 2
    for tier in "$@"; do
        echo "== $tier"
        start=$(date +%s)
        cpu "$lane.cpu"
        before=$cpu
        # shellcheck disable=SC2086
        { $MAKE "$tier" $arguments; echo $? >"$log/$tier.status"; } 2>&1 | tee "$log/$tier"
        awk -v tier="$tier" -v status="$(cat "$log/$tier.status")" '
            /^[^ ]+: [0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
                n++; p += $2; f += $4; s += $6
            }
            END {
                if (n == 0 || (status != 0 && f == 0)) {
                    printf "%s: 0 passed, 1 failed\n", tier >"/dev/stderr"
                    f++
                }
                print p + 0, f + 0, s + 0
            }' "$log/$tier" >>"$lane.all"
        cpu "$lane.cpu"
        echo "-- $tier: $(($(date +%s) - start)) s, $((cpu - before)) s of CPU" | tee -a "$log/$name.times"
    done
}

main=
number=$#
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    main="$main $1"
    shift
done
if [ $# -gt 0 ]; then
    shift
    number=$((number - 1))
    beside="BUILD=$BUILD/beside JOBS=1"
    # shellcheck disable=SC2086
    { $MAKE "$BUILD/beside/gpucmd-dump" $beside; tiers beside "$beside" "$@"; } >"$log/$name.lines" 2>&1 &
fi
# shellcheck disable=SC2086
tiers main '' $main
wait
[ ! -f "$log/$name.lines" ] || cat "$log/$name.lines"

cat "$log/$name".*.all | awk -v no_skip="$NO_SKIP" -v total="$log/$name.total" -v tiers="$number" '
    { p += $1; f += $2; s += $3 }
    END {
        print ""
        if (NR != tiers) {
            print "FAIL: " NR " of " tiers " tiers have a result"
            f++
        }
        if (no_skip == "1" && s > 0) {
            print "NO_SKIP=1: " s " skipped, counted as failed"
            f += s
            s = 0
        }
        if (f > 0) print "see the lines that start with FAIL: or skip: above"
        printf "%d passed, %d failed, %d skipped\n", p, f, s >total
        printf "%d passed, %d failed, %d skipped\n", p, f, s
        exit f > 0
    }'
