# Remove members of families, one at a time, from a copy of the headers. Each time the family tier must
# fail and name the member. The rows of family-proof.txt list the members; $JOBS workers share them.
. tests/tier/lib.sh

if [ -z "$HEADERS" ]; then
    skip family-proof "no headers in the tree"
    exit 0
fi
root=$(pwd)
out=$root/$BUILD/family-proof
known=$out/tests
rm -rf "$out"
mkdir -p "$out"

# family TESTS: run the tier in the copy of a worker.
family()
{
    (cd "$copy" && FAMILY_TESTS=$1 BUILD=build sh tests/tier/family.sh) >"$copy/log" 2>&1
}

if ! sh tests/tier/family.sh >"$out/log" 2>&1; then
    echo "FAIL: family-proof: the family tier fails before anything is left out"
    echo "family-proof: 0 passed, 1 failed"
    exit 1
fi
cp "$BUILD/family/tests" "$known"

# worker N: the rows N, N + JOBS, ... of the list; one line PASSED FAILED in $out/N/count.
worker()
{
    copy=$out/$1 passed=0 failed=0
    mkdir -p "$copy/tests"
    cp $HEADERS "$copy/"
    cp -R tests/tier tests/compile "$copy/tests/"
    awk -v n="$1" -v jobs="$JOBS" '!/^(#|$)/ && ++rows % jobs == n' tests/tier/family-proof.txt >"$copy/rows"
    while read -r where what words; do
        header=${where%%:*}
        rooms=${where#"$header"}
        rooms=${rooms#:}
        case $what in
        *'('*) # a row of a list
            change="s/$(echo "$what" | sed 's/(/( */')[^)]*)//"
            ;;
        *) change="s/\\(^\\|[^A-Za-z0-9_]\\)\\($what\\)\\([^A-Za-z0-9_]\\|\$\\)/\\1left_out\\3/g" ;;
        esac
        if [ "$header" = tests ]; then
            sed "$change" "$known" >"$copy/less"
            cmp -s "$known" "$copy/less" && same=1 || same=0
            family "$copy/less"
        else
            awk -v rooms=",$rooms," '
                /^[/][*] ==+ \[/ { room = $3; gsub(/^.*[.]|\]$/, "", room) }
                { print (rooms == ",," || index(rooms, "," room ",") ? "+" : "-") $0 }' "$header" |
                sed "/^+/{s/^+//;$change;s/^/+/;}" | sed 's/^[-+]//' >"$copy/$header"
            cmp -s "$header" "$copy/$header" && same=1 || same=0
            family "$known"
        fi
        if [ $same -eq 0 ] && grep -q "^FAIL: family: $words" "$copy/log"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL: family-proof: $what left out of $where (changed nothing: $same); expected: $words"
            sed 's/^/    /' "$copy/log" | head -n 5
        fi
        [ "$header" = tests ] || cp "$header" "$copy/$header"
    done <"$copy/rows"
    echo "$passed $failed" >"$copy/count"
}

k=0
while [ $k -lt "$JOBS" ]; do
    worker $k &
    k=$((k + 1))
done 2>&1
wait
cat "$out"/*/count | awk -v rows="$(grep -cv -e '^#' -e '^$' tests/tier/family-proof.txt)" '
    { p += $1; f += $2 }
    END {
        if (p + f != rows) { f++; print "FAIL: family-proof: " p + f " of " rows " rows" }
        printf "family-proof: %d passed, %d failed\n", p, f
        exit f > 0
    }'
