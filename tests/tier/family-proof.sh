# Remove members of families, one at a time, from a copy of the headers. Each time the family tier must
# fail and name the member. The rows of family-proof.txt list the members.
. tests/tier/lib.sh

if [ -z "$HEADERS" ]; then
    skip family-proof "no headers in the tree"
    exit 0
fi
root=$(pwd)
copy=$BUILD/proof
known=$root/$BUILD/proof.tests
rm -rf "$copy"
mkdir -p "$copy/tests"
cp $HEADERS "$copy/"
cp -R tests/tier tests/compile "$copy/tests/"

# family: run the tier in the copy.
family()
{
    (cd "$copy" && FAMILY_TESTS=$1 BUILD=build sh tests/tier/family.sh) >"$BUILD/proof.log" 2>&1
}

sh tests/tier/family.sh >"$BUILD/proof.log" 2>&1
if [ $? -ne 0 ]; then
    echo "FAIL: family-proof: the family tier fails before anything is left out"
    echo "family-proof: 0 passed, 1 failed"
    exit 1
fi
cp "$BUILD/family/tests" "$known"
passed=0 failed=0
while read -r where what words; do
    case $where in '' | '#'*) continue ;; esac
    header=${where%%:*}
    rooms=${where#"$header"}
    rooms=${rooms#:}
    case $what in
    *'('*) # a row of a list
        change="/^ *$(echo "$what" | sed 's/(/( */')/d"
        ;;
    *) change="s/\\(^\\|[^A-Za-z0-9_]\\)\\($what\\)\\([^A-Za-z0-9_]\\|\$\\)/\\1left_out\\3/g" ;;
    esac
    if [ "$header" = tests ]; then
        sed "$change" "$known" >"$known.less"
        cmp -s "$known" "$known.less" && same=1 || same=0
        family "$known.less"
    else
        awk -v rooms=",$rooms," '
            /^[/][*] ==+ \[/ { room = $3; gsub(/^.*[.]|\]$/, "", room) }
            { print (rooms == ",," || index(rooms, "," room ",") ? "+" : "-") $0 }' "$header" |
            sed "/^+/{s/^+//;$change;s/^/+/;}" | sed 's/^[-+]//' >"$copy/$header"
        cmp -s "$header" "$copy/$header" && same=1 || same=0
        family "$known"
    fi
    if [ $same -eq 0 ] && grep -q "^FAIL: family: $words" "$BUILD/proof.log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: family-proof: $what left out of $where (changed nothing: $same); expected: $words"
        sed 's/^/    /' "$BUILD/proof.log" | head -n 5
    fi
    [ "$header" = tests ] || cp "$header" "$copy/$header"
done <tests/tier/family-proof.txt
echo "family-proof: $passed passed, $failed failed"
[ $failed -eq 0 ]
