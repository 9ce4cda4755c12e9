# Run one row of a *.rows file on one GPU, from the root of the tree.
#   case.sh NUMBER GPU ROW
# Write a line for the table to $BUILD/clients/result/NUMBER:
#   step, client, GPU, result, submissions, commands, seconds, executor's seconds, seconds with
#   execution off, submissions per second as measured by the client
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

# Set the program and its arguments. The first argument of a program of programs/ is the expected
# renderer.
# shellcheck disable=SC2086
set -- $command
name=$1
shift
text=$("$BUILD/gpucmd-run" --list | awk -F "$tab" -v gpu="$gpu" '$1 == gpu { print $4 }')
case $name$options$text in
*NVL*) ;; # Nova Lake
vk_*NV* | *'--gl zink'*NV*) text=NVK ;; # the name of its GPUs
esac
if [ -x "$clients/programs/$name" ]; then
    set -- "$clients/programs/$name" "$text" "$@"
elif [ "$name" = vkmark ]; then # its plugins are not found by the loader's path
    set -- vkmark --winsys headless --winsys-dir "$SYSROOT/usr/lib/x86_64-linux-gnu/vkmark" \
        --data-dir "$SYSROOT/usr/share/vkmark" --size 8x8 -b :duration=0.1 \
        -b clear -b vertex -b texture -b effect2d -b desktop -b cube -b shading
elif [ "$name" = stack ]; then
    set -- sh tests/clients/stack.sh "$@"
elif [ -x "$benchmarks/$name" ]; then
    set -- "$benchmarks/$name" "$@"
else
    set -- "$name" "$@"
fi

# run PROGRAM...: run the program with $run_options, whose --timeout overrides the one here.
run()
{
    case $run_options in
    *--display*) pictures=$dir.frames ;;
    *) pictures= ;;
    esac
    rm -rf "$dir.frames"
    # shellcheck disable=SC2086
    "$BUILD/gpucmd-run" --gpu "$gpu" --timeout 40 ${SYSROOT:+--sysroot "$SYSROOT"} \
        ${pictures:+--frames "$pictures"} --report "$report" $run_options -- "$@" \
        >"$out" 2>"$err" </dev/null
    got=$?
    for picture in ${pictures:+"$pictures"/*.ppm}; do
        [ ! -f "$picture" ] || echo "PICTURE $(basename "$picture" .ppm) $(cksum <"$picture") EXACT" >>"$out"
    done
    rm -rf "$dir.frames"
    return $got
}

counter()
{
    awk -v name="$1" '$1 == name { print $2 }' "$report"
}

# fail TEXT: add a reason why the case failed.
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
            # The pattern is a shell pattern; its brackets, ? and \ are escaped.
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

# Compare the first word and the name of each command in Mesa's decoder and in ours.
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
    [ -s "$dir.mesa" ] || fail "Mesa's decoder printed nothing"
    diff "$dir.mesa" "$dir.ours" >"$dir.diff" ||
        fail "decoders differ: $(head -n 2 "$dir.diff" | tail -n 1)"
    result="$(wc -l <"$dir.ours" | tr -d ' ') commands agree"
}

# exact ON OFF: list the exact results. Results that are exact even with execution off are listed
# separately, because the CPU computed them.
exact()
{
    awk '/ EXACT$/ { 
            if (FILENAME == ARGV[1]) off[$1] = 1
            else if ($1 in off) cpu = cpu " " $1
            else gpu = gpu " " $1
        }
        END { print "exact:" (gpu ? gpu : " -") (cpu ? "; by the CPU:" cpu : "") }' "$2" "$1"
}

# Say what the expected lines show: names of exact data, and how many answers are right.
shown()
{
    printf '%s' "$lines" | tr ';' '\n' | awk '/ EXACT *$/ { data = data " " $1 }
        / RIGHT *$/ { answers++ }
        /"result": "pass"/ { print "exact: the test passes" }
        END {
            if (data || answers) print "exact:" data (answers ? " " answers " answers" : "")
        }'
}

# Record a run and replay it: submissions, commands and results must be equal. A replay without
# execution must differ.
replay()
{
    rm -rf "$dir.rec"
    run_options="$run_options --record $dir.rec"
    run "$@" || fail "recording: exit status $?"
    recorded=$(counter submits)/$(counter commands)
    replay="$BUILD/gpucmd-run --quiet --report $report --replay $dir.rec"
    $replay --no-exec 2>/dev/null
    [ $? -eq 120 ] && [ "$(counter different)" -gt 0 ] || fail 'a replay without execution is equal'
    $replay 2>>"$err" || fail "replay: exit status $?"
    [ "$recorded" = "$(counter submits)/$(counter commands)" ] || fail 'another number of commands'
    result="replay equal, $(du -k "$dir.rec" | cut -f1) KiB"
    rm -rf "$dir.rec"
}

mkdir -p "$clients/result"
run_options=$options result=
if [ "$step" = bat ]; then
    compare_decoders "$@"
elif [ "$step" = replay ]; then
    replay "$@"
else
    run "$@"
    got=$?
    [ "$got" -eq "$status" ] || fail "exit status $got, not $status"
    case $step in
    off) result="seen: ${lines:-exit status $status}" ;;
    exact) ;;
    *) result=$(shown) ;;
    esac
fi
check_lines
if [ "$(counter opens)" = 0 ]; then fail 'the device was not opened'; fi

seconds=$(counter wall_ns) exec_seconds=$(counter exec_ns)
submits=$(counter submits) commands=$(counter commands)
off=
case $SYSROOT$step$name in # once with the drivers of a newer suite
walk* | exact* | long* | vk* | igtgem_exec_nop | igtgem_blt)
    # Run the program again with execution off: it may end, hang or crash.
    cp "$out" "$dir.on.out"
    run_options="--no-exec --quiet --timeout $(awk -v s="${seconds:-0}" 'BEGIN {
        t = 8 * s / 1e9
        if (t < 1) t = 1
        if (t > 2) t = 2
        print t
    }')"
    cp "$err" "$dir.on.err"
    run "$@"
    off=$?
    [ "$off" -eq 124 ] && off=hangs || off=$(counter wall_ns)
    [ "$step" = exact ] && result=$(exact "$dir.on.out" "$out")
    # The executor must take less than half of the time of the program.
    case $step in
    walk | exact | long | vk)
        [ "$((${exec_seconds:-0} * 2))" -lt "${seconds:-0}" ] ||
            fail 'the executor took half of the time'
        ;;
    esac
    mv "$dir.on.out" "$out"
    mv "$dir.on.err" "$err"
    ;;
esac
rate=
case $name in # the output is in microseconds per submission
gem_exec_nop | gem_exec_ctx)
    rate=$(awk '/^ *[0-9.]+$/ { r = 1e6 / $1 } END { printf "%.0f", r }' "$out")
    ;;
esac
# `clean`: --check reported nothing. A row without an exact result shows only that.
case $step$options in
off*) ;;
*--check*) result="${result:-only}${result:+;} clean" ;;
*) result=${result:-ended} ;;
esac
[ "$wrong" ] && result="FAIL: $wrong"
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$step" "$command" "$gpu" "$result" \
    "$submits" "$commands" "$seconds" "$exec_seconds" "$off" "$rate" >"$dir"
[ "$wrong" ] || exit 0
echo "$command on $gpu: $wrong"
head -n 30 "$out"
grep '^run:' "$err" | head -n 20
exit 1
