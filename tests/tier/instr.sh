# Count the instructions per word of short paths with callgrind, with small fixed loads, and compare
# them with tests/bench/instr.txt. Every run with one compiler gives equal counts; `make bench` measures
# times.
. tests/bench/lib.sh

need instr valgrind
passed=0 failed=0 skipped=0
for cc in gcc clang; do
    if ! have $cc; then
        echo "skip: instr: $cc not found"
        skipped=$((skipped + 1))
        continue
    fi
    build_all $cc
    while read -r kernel gcc clang _; do
        case $kernel in '' | '#'*) continue ;; esac
        [ $cc = gcc ] && limit=$gcc || limit=$clang
        n=$(count $cc $(program_of $kernel) $kernel)
        if [ -n "$n" ] && awk -v n="$n" -v limit="$limit" 'BEGIN { exit !(n + 0 <= limit + 0) }'; then
            passed=$((passed + 1))
        else
            echo "FAIL: instr: $cc: $kernel takes ${n:-no} instructions a word, limit $limit"
            failed=$((failed + 1))
        fi
    done <tests/bench/instr.txt
done
if [ $((passed + failed)) = 0 ]; then
    skip instr "neither gcc nor clang found"
    exit 0
fi
echo "instr: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
