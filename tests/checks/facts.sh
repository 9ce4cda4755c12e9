# Each fact has one place. For every vendor header: a range in a comment, such as `COUNT 0..8191`, must
# agree with a field row of that name. No code outside the rows may repeat the mask of a wide field.
. tests/checks/lib.sh

if [ -z "$HEADERS" ]; then
    skip facts "no headers in the tree"
    exit 0
fi
p=0 f=0
for h in $HEADERS; do
    awk -f tests/checks/facts.awk "$h" "$h" >"$BUILD/facts.out"
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
