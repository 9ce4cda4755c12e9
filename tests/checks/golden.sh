# Print the differences between tests/golden/*.txt and the present output for these streams. The first
# line of a file is its origin and is not compared. No file is rewritten: a person decides and commits.
. tests/checks/lib.sh

$MAKE "$BUILD/tests/nv/golden" || exit 1
status=0
for f in tests/golden/nv_*.txt; do
    name=$(basename "$f" .txt)
    { head -n 1 "$f"; "$BUILD/tests/nv/golden" "$name"; } >"$BUILD/$name.golden"
    diff -u "$f" "$BUILD/$name.golden" || status=1
done
[ $status -ne 0 ] || echo "golden files agree"
exit $status
