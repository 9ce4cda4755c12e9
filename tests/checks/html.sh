# html.sh: write $BUILD/html: a page for each header, and an index.
. tests/checks/lib.sh

out=$BUILD/html
rm -rf "$out"
mkdir -p "$out"
page="awk -f tests/checks/items.awk -f tests/checks/html.awk"
for h in $HEADERS; do
    $CC -std=c99 -I. -E "$h" 2>/dev/null | awk -v header="$h" -f tests/checks/signatures.awk "$h" - >"$out/../html.$h"
    $page -v mode=index -v made="$out/../html.$h" "$h"
done | LC_ALL=C sort -u >"$out/../html.names" || exit 1
for h in $HEADERS; do
    $page -v mode=page -v made="$out/../html.$h" -v headers="$HEADERS" "$out/../html.names" "$h" >"$out/$h.html" || exit 1
done
cat >"$out/style.css" <<'END'
:root { color-scheme: light dark; --line: #8886; --code: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: flex; overflow-wrap: anywhere; }
nav { box-sizing: border-box; width: 20rem; height: 100vh; overflow-y: auto; position: sticky; top: 0;
      flex: none; padding: 1rem; border-right: 1px solid var(--line); font-size: 0.875rem; }
nav ul { padding: 0; list-style: none; }
main { min-width: 0; max-width: 54rem; padding: 1rem 2rem; }
section { border-top: 1px solid var(--line); padding: 0.5rem 0; }
section.more { border-top: 0; padding-top: 0; }
:target, a:target + p, a:target + pre { scroll-margin-top: 1rem; }
section:has(a:target) { background: var(--code); }
p, dl, ul, ol { margin: 0.4rem 0; }
dt { font-family: ui-monospace, monospace; font-size: 0.875rem; }
pre { font: 0.8125rem/1.4 ui-monospace, monospace; background: var(--code); padding: 0.5rem;
      overflow-x: auto; margin: 0.4rem 0; overflow-wrap: normal; }
pre a { text-decoration: none; }
a { color: light-dark(#0550ae, #79b8ff); }
summary { cursor: pointer; }
@media (max-width: 60rem) {
    body { display: block; }
    nav { width: auto; height: auto; position: static; border-right: 0; border-bottom: 1px solid var(--line); }
    main { padding: 1rem; }
}
END
{
    echo '<!DOCTYPE html>'
    echo '<html lang="en"><head><meta charset="utf-8"/>'
    echo '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    echo '<title>gpucmd</title><link rel="stylesheet" href="style.css"/></head><body><main>'
    echo "<h1>gpucmd $VERSION</h1><p>Headers that write, read, check and execute GPU command streams.</p><ul>"
    for h in $HEADERS; do
        echo "<li><a href=\"$h.html\">$h</a> $(sed -n '1s/.* - v[0-9.]* - \(.*\) - SPDX.*/\1/p' "$h")</li>"
    done
    echo '</ul>'
    for h in $HEADERS; do
        echo "<h2>Functions and types of $h</h2><p>"
        grep " ${h}[.]html#gpucmd_" "$out/../html.names" | grep -v '^gpucmd_barrier_macros' | sed 's|^\([^ ]*\) \(.*\)|<a href="\2">\1</a>|'
        echo '</p>'
    done
    echo '</main></body></html>'
} >"$out/index.html"
echo "$out/index.html"
