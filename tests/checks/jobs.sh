# Run a list of shell commands with $JOBS workers.
#   jobs.sh count TIER FILE   each line `label|command` passes or fails; one closing line
#   jobs.sh lines TIER FILE   each command prints its own closing line, shown as TIER/label
# A command `skip: reason` is a skip that is reported. The output of a command that fails is printed.
. tests/checks/lib.sh

mode=$1 tier=$2 list=$3
dir=$BUILD/jobs/$tier
rm -rf "$dir"
mkdir -p "$dir"
limit=
[ "$TEST_SECONDS" -gt 0 ] && have timeout && limit="timeout $TEST_SECONDS"

# count LABEL LOG STATUS
count()
{
    if [ "$3" -eq 0 ]; then
        echo "1 0 0"
        return
    fi
    why=
    [ "$3" -eq 124 ] && why=": stopped after $TEST_SECONDS s"
    { echo "FAIL: $tier: $1$why"; sed 's/^/    /' "$2" | head -n 60; } >&2
    echo "0 1 0"
}

# lines LABEL LOG STATUS: accept the closing line only if it agrees with the exit status.
lines()
{
    set -- "$1" "$2" "$3" "$(tail -n 1 "$2" |
        sed -n 's/^[^ ]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p
                s/^[^ ]*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2 0/p')"
    read -r p f s <<END
$4
END
    why=
    if [ -z "$4" ]; then
        p=0 f=1 s=0 why="no closing line, exit status $3"
        [ "$3" -eq 124 ] && why="stopped after $TEST_SECONDS s"
    elif [ "$3" -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1 why="exit status $3 after a closing line without failures"
    elif [ "$3" -eq 0 ] && [ "$f" -gt 0 ]; then
        why="exit status 0 in spite of failures"
    elif [ $((p + f + s)) -eq 0 ]; then
        f=1 why="nothing was checked"
    fi
    {
        if [ "$f" -gt 0 ]; then
            echo "FAIL: $tier/$1${why:+: $why}"
            tail -n 60 "$2" | sed 's/^/    /'
        fi
        grep '^skip:' "$2" | sed "s|^skip:|skip: $tier/$1:|"
        if [ "$s" -gt 0 ]; then
            echo "$tier/$1: $p passed, $f failed, $s skipped"
        else
            echo "$tier/$1: $p passed, $f failed"
        fi
    } >"$2.report"
    cat "$2.report" >&2
    echo "$p $f $s"
}

worker()
{
    n=0
    while IFS='|' read -r label command; do
        n=$((n + 1))
        mkdir "$dir/$n" 2>/dev/null || continue # another worker has it
        case $command in
        skip:*)
            echo "skip: $tier: $label: ${command#skip: }" >&2
            echo "0 0 1"
            continue
            ;;
        esac
        [ "$command" ] || command='echo an empty command; false'
        $limit sh -c "$command" >"$dir/$n/log" 2>&1 </dev/null
        $mode "$label" "$dir/$n/log" $?
    done <"$list"
}

k=0
while [ $k -lt "$JOBS" ]; do
    k=$((k + 1))
    worker >"$dir/result.$k" &
done 2>&1
wait

cat "$dir"/result.* | awk -v tier="$tier" -v mode="$mode" '
    { p += $1; f += $2; s += $3 }
    END {
        if (mode == "count") {
            if (p + f + s == 0) f = 1
            printf "%s: %d passed, %d failed%s\n", tier, p, f, s ? ", " s " skipped" : ""
        }
        exit f > 0
    }'
