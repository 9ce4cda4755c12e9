# Pages of `make html`: well-formed; every link has its target; no anchor twice; every public function
# has an anchor. In Chromium no page is wider than a window of 400 or 1400 pixels.
. tests/checks/lib.sh

out=$BUILD/html
sh tests/checks/html.sh >/dev/null || { echo "html-check: 0 passed, 1 failed"; exit 1; }
passed=0 failed=0 skipped=0
check()
{
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: html-check: $1: $2; expected $3"
    fi
}

for f in "$out"/*.html; do
    page=${f##*/}
    # Anchors of every page, as page#anchor, and the pages themselves.
    grep -o ' id="[^"]*"' "$f" | sed "s/^ id=\"/$page#/; s/\"\$//"
    echo "$page"
done >"$out/../html.anchors"
echo style.css >>"$out/../html.anchors"
check "anchors that are there twice" "$(LC_ALL=C sort "$out/../html.anchors" | uniq -d | head -n 3)" ""
LC_ALL=C sort -u "$out/../html.anchors" -o "$out/../html.anchors"
for f in "$out"/*.html; do
    page=${f##*/}
    grep -o 'href="[^"]*"' "$f" | sed "s/^href=\"//; s/\"\$//; s/^#/$page#/" | LC_ALL=C sort -u >"$out/../html.links"
    check "$page: dead links" "$(LC_ALL=C comm -23 "$out/../html.links" "$out/../html.anchors" | head -n 3)" ""
    check "$page: it has links" "$([ -s "$out/../html.links" ] && echo yes)" yes
done
$CC -std=c99 -I. $(have_vendors) -E tests/compile/impl.c >"$out/../html.i"
awk -f tests/checks/functions.awk $HEADERS "$out/../html.i" | awk '$1 ~ /^de/ && $4 !~ /_priv_/ { print $4 }' |
    LC_ALL=C sort -u >"$out/../html.functions"
sed 's/^[^#]*#//' "$out/../html.anchors" | LC_ALL=C sort -u >"$out/../html.has"
check "functions without an anchor" "$(LC_ALL=C comm -23 "$out/../html.functions" "$out/../html.has" | head -n 3)" ""

python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
if have $python; then
    for f in "$out"/*.html; do
        check "$f is well-formed" "$($python -c '
import sys, xml.dom.minidom
try: xml.dom.minidom.parse(sys.argv[1])
except Exception as e: print(e)' "$f")" ""
    done
else
    skipped=$((skipped + 1))
    echo "skip: html-check: well-formed: python3 not found (package python3)"
fi

# Each page stands in a frame of each width, and tells its own width to the page around it.
if have chromium; then
    wide=$out/../wide
    rm -rf "$wide"
    cp -R "$out" "$wide"
    {
        echo '<pre id="all"></pre><script>addEventListener("message", function (e) {'
        echo 'document.getElementById("all").textContent += e.data + "; " })</script>'
        for f in "$wide"/*.html; do
            page=${f##*/}
            sed "s|</body>|<script>parent.postMessage(\"$page \" + document.documentElement.scrollWidth + \" in \" + innerWidth, \"*\")</script>&|" \
                "$f" >"$f.new" && mv "$f.new" "$f"
            for w in 400 1400; do echo "<iframe src=\"$page\" width=\"$w\" height=\"900\" style=\"border:0\"></iframe>"; done
        done
    } >"$wide/../frames.html"
    mv "$wide/../frames.html" "$wide/frames.html"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=10000 --dump-dom \
        "file://$(pwd)/$wide/frames.html" >"$wide.txt" 2>/dev/null
    for f in "$out"/*.html; do
        for w in 400 1400; do
            check "${f##*/} in $w pixels" "$(grep -cF "${f##*/} $w in $w;" "$wide.txt")" 1
        done
    done
else
    skipped=$((skipped + 1))
    echo "skip: html-check: width: chromium not found (package chromium)"
fi
if [ $skipped -gt 0 ]; then
    echo "html-check: $passed passed, $failed failed, $skipped skipped"
else
    echo "html-check: $passed passed, $failed failed"
fi
[ $failed -eq 0 ]
