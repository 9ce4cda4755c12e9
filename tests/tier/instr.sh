# Instructions per word of the paths that must stay short, counted by callgrind over small fixed loads
# and compared with tests/bench/instr.txt. Times are for `make bench`; counts are the same on every
# run of one compiler.
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
