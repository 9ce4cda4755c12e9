# Count the instructions per word of short paths with callgrind, with small fixed loads, and compare
# them with tests/bench/instr.txt. Every run with one compiler gives equal counts; `make bench` measures
# times.
. tests/bench/lib.sh

need instr valgrind

# within LABEL NUMBER LIMIT: count a pass if there is a number and it is at most the limit.
within()
{
    if [ -n "$2" ] && awk -v n="$2" -v limit="$3" 'BEGIN { exit !(n + 0 <= limit + 0) }'; then
        passed=$((passed + 1))
    else
        echo "FAIL: instr: $1: ${2:-no number}, limit $3"
        failed=$((failed + 1))
    fi
}

passed=0 failed=0 skipped=0
for cc in gcc clang; do
    if ! have $cc; then
        echo "skip: instr: $cc not found"
        skipped=$((skipped + 1))
        continue
    fi
    for program in bench_nv bench_agx bench_i915; do
        build $cc $program
    done
    while read -r kernel gcc clang _; do
        case $kernel in '' | '#'*) continue ;; esac
        [ $cc = gcc ] && limit=$gcc || limit=$clang
        within "$cc: $kernel" "$(count $cc $(program_of $kernel) $kernel)" "$limit"
    done <tests/bench/instr.txt
    [ $cc = gcc ] || continue # `make bench` has clang, too
    include_ratios $cc >"$bench/include.$cc"
    within "$cc: include of gpucmd.h" "$(sed -n 1p "$bench/include.$cc")" 1.3 # P15a of rows.txt
    within "$cc: include of the heaviest header" "$(sed -n 2p "$bench/include.$cc")" 0.82 # P15b, goal 0.75
done
if [ $((passed + failed)) = 0 ]; then
    skip instr "neither gcc nor clang found"
    exit 0
fi
echo "instr: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
