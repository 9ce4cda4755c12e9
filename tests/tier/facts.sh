# Facts are written once. For every vendor header: a range in a comment, `COUNT 0..8191`, agrees
# with a field row of that name, and no code outside the rows repeats the mask of a wide field.
. tests/tier/lib.sh

if [ -z "$HEADERS" ]; then
    skip facts "no headers in the tree"
    exit 0
fi
p=0 f=0
for h in $HEADERS; do
    awk -f tests/tier/facts.awk "$h" "$h" >"$BUILD/facts.out"
    sed -n '/^FAIL/p' "$BUILD/facts.out"
    read -r good bad <<END
$(tail -n 1 "$BUILD/facts.out")
END
    p=$((p + good)) f=$((f + bad))
done
if [ $((p + f)) -eq 0 ]; then
    skip facts "no field rows in the headers"
    exit 0
fi
echo "facts: $p passed, $f failed"
[ $f -eq 0 ]
