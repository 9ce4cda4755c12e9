# Runs one row of a *.rows file on one GPU, from the root of the tree.
#   case.sh NUMBER GPU ROW
# Leaves in $BUILD/clients/result/NUMBER a line for the table:
#   step, client, GPU, result, submissions, commands, seconds, executor's seconds, seconds with
#   execution off, submissions in a second as the client itself has measured them
: "${BUILD:=build}"
number=$1 gpu=$2 row=$3
clients=$BUILD/clients
dir=$clients/result/$number
out=$dir.out err=$dir.err report=$dir.report
benchmarks=/usr/libexec/igt-gpu-tools/benchmarks
tab=$(printf '\t')

field()
{
    printf '%s' "$row" | cut -d'|' -f"$1" | sed 's/^ *//; s/ *$//'
}
step=$(field 1) options=$(field 3) command=$(field 4) status=$(field 5) lines=$(field 6)

# The program with its first arguments: one of ours is told which renderer to expect.
# shellcheck disable=SC2086
set -- $command
name=$1
shift
text=$("$clients/runner" --list | awk -F "$tab" -v gpu="$gpu" '$1 == gpu { print $4 }')
if [ -x "$clients/programs/$name" ]; then
    set -- "$clients/programs/$name" "$text" "$@"
elif [ -x "$benchmarks/$name" ]; then
    set -- "$benchmarks/$name" "$@"
else
    set -- "$name" "$@"
fi

# run OPTIONS PROGRAM...: the last --timeout counts.
run()
{
    # shellcheck disable=SC2086
    "$clients/runner" --library "$clients/shim.so" --gpu "$gpu" --timeout 40 \
        --report "$report" $run_options -- "$@" >"$out" 2>"$err" </dev/null
}

counter()
{
    awk -v name="$1" '$1 == name { print $2 }' "$report"
}

# Adds a reason why the case failed.
wrong=
fail()
{
    wrong="${wrong:+$wrong; }$1"
}

expect()
{
    case $1 in
    @*)
        what=${1#@}
        have=$(counter "${what%%[<=>]*}")
        case $what in
        *'>'*) [ "${have:-0}" -gt "${what#*>}" ] ;;
        *'<'*) [ "${have:-0}" -lt "${what#*<}" ] ;;
        *) [ "${have:--1}" -eq "${what#*=}" ] ;;
        esac || fail "${what%%[<=>]*} is ${have:-missing}, not ${what#"${what%%[<=>]*}"}"
        ;;
    *)
        while IFS= read -r line; do
            line=${line#"$tab"}
            # The pattern is one of the shell, with its brackets taken literally.
            # shellcheck disable=SC2254
            case $line in
            $pattern) return ;;
            esac
        done <"$out"
        fail "no line \"$1\""
        ;;
    esac
}

check_lines()
{
    rest=$lines
    while [ "$rest" ]; do
        one=$(printf '%s' "${rest%%;*}" | sed 's/^ *//; s/ *$//')
        pattern=$(printf '%s' "$one" | sed 's/[][?\\]/\\&/g')
        case $rest in
        *';'*) rest=${rest#*;} ;;
        *) rest= ;;
        esac
        if [ "$one" ]; then expect "$one"; fi
    done
}

# Commands of two decoders: Mesa's and ours, first words with names.
compare_decoders()
{
    INTEL_DEBUG=bat run "$@"
    sed 's/\x1b\[[0-9;]*m//g' "$err" | awk '
        /^0x[0-9a-f]+:  0x[0-9a-f]+:  / { sub("0x", "", $2); sub(":", "", $2); print $2, $3 }
        /unknown instruction 05000000/ { print "05000000 MI_BATCH_BUFFER_END" }' |
        sort >"$dir.mesa"
    run_options="$run_options --trace"
    run "$@"
    awk '/^[0-9a-f]+: [0-9a-f]+ [^ ]/ { print $2, $3 }' "$err" | sort >"$dir.ours"
    [ -s "$dir.mesa" ] || fail "Mesa's decoder says nothing"
    diff "$dir.mesa" "$dir.ours" >"$dir.diff" || fail "decoders differ: $(head -n 2 "$dir.diff" | tail -n 1)"
    result="$(wc -l <"$dir.ours" | tr -d ' ') commands agree"
}

# What came out exact; apart, what did so with execution off, too, and proves nothing of it.
exact()
{
    awk '/ EXACT$/ { if (FILENAME == ARGV[1]) off[$1] = 1; else if ($1 in off) cpu = cpu " " $1; else gpu = gpu " " $1 }
        END { print "exact:" (gpu ? gpu : " -") (cpu ? "; by the processor:" cpu : "") }' "$2" "$1"
}

mkdir -p "$clients/result"
run_options=$options result=ok
if [ "$step" = bat ]; then
    compare_decoders "$@"
else
    run "$@"
    got=$?
    [ "$got" -eq "$status" ] || fail "exit status $got, not $status"
    [ "$step" = off ] && result="seen: ${lines:-exit status $status}"
fi
check_lines
if [ "$(counter opens)" = 0 ]; then fail 'the device was not opened'; fi

seconds=$(counter wall_ns) exec_seconds=$(counter exec_ns)
submits=$(counter submits) commands=$(counter commands)
off=
case $step$name in
walk* | exact* | long* | vk* | igtgem_exec_nop | igtgem_blt)
    # The same with execution off: it may end, hang, or fall over.
    cp "$out" "$dir.on.out"
    run_options="--no-exec --quiet --timeout $(awk -v s="${seconds:-0}" 'BEGIN {
        t = 8 * s / 1e9
        print t < 1 ? 1 : t
    }')"
    cp "$err" "$dir.on.err"
    run "$@"
    off=$?
    [ "$off" -eq 124 ] && off=hangs || off=$(counter wall_ns)
    [ "$step" = exact ] && result=$(exact "$dir.on.out" "$out")
    # The executor is not what a client of GL waits for.
    case $step in
    walk | exact | long | vk)
        [ "$((${exec_seconds:-0} * 2))" -lt "${seconds:-0}" ] || fail 'the executor took half of the time'
        ;;
    esac
    mv "$dir.on.out" "$out"
    mv "$dir.on.err" "$err"
    ;;
esac
rate=
case $name in # microseconds each
gem_exec_nop | gem_exec_ctx) rate=$(awk '/^ *[0-9.]+$/ { r = 1e6 / $1 } END { printf "%.0f", r }' "$out") ;;
esac
[ "$wrong" ] && result="FAIL: $wrong"
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$step" "$command" "$gpu" "$result" \
    "$submits" "$commands" "$seconds" "$exec_seconds" "$off" "$rate" >"$dir"
[ "$wrong" ] || exit 0
echo "$command on $gpu: $wrong"
head -n 30 "$out"
grep '^run:' "$err" | head -n 20
exit 1
