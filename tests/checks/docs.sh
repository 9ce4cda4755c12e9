# The documents. Every gpucmd_ name in them, and in the manuals of the headers, exists. Every file that
# they link exists. The names of Linux in examples/migration.md are in the source of Linux. The program of
# the README prints what the README shows.
. tests/checks/lib.sh

out=$BUILD/docs
mkdir -p "$out"
have_all=$(have_vendors)
x="$CC -std=c99 -D_GNU_SOURCE -I. $have_all"
sed 's/^#include "all.h"/#include <errno.h>\n#include <fcntl.h>\n#include <unistd.h>\n#include <sys\/ioctl.h>\n#include <sys\/mman.h>\n&/' \
    tests/compile/impl.c >"$out/impl.c"
$x -Itests/compile -E "$out/impl.c" >"$out/all.i" && $x -Itests/compile -E -dM "$out/impl.c" >"$out/macros" || exit 1
grep -h '^#.*def' $HEADERS | cat - "$out/all.i" "$out/macros" | tr -cs 'A-Za-z0-9_' '\n' | grep -i '^gpucmd_' |
    LC_ALL=C sort -u >"$out/known"
passed=0 failed=0 skipped=0

# names LABEL: check the gpucmd_ names of standard input. A name before * or < is a prefix.
names()
{
    grep -o -i 'gpucmd_[A-Za-z0-9_]*[*<(#]*' | grep -v '[*<#]$\|_$' | tr -d '(' | LC_ALL=C sort -u >"$out/names"
    if missing=$(LC_ALL=C comm -23 "$out/names" "$out/known") && [ -z "$missing" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: docs: $1: no such name:" $missing
    fi
}

for f in README.md INSTALL.md examples/*.md examples/*/README.md tests/clients/README.md; do
    names "$f" <"$f"
done
for h in $HEADERS; do
    sed '/^ \*\//q' "$h" | names "manual of $h"
done

# Links of the form [text](file).
for f in README.md INSTALL.md examples/*.md examples/*/README.md tests/clients/README.md; do
    for link in $(grep -o '](\([^)]*\))' "$f" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^http'); do
        if [ -e "$(dirname "$f")/$link" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL: docs: $f links $link: no such file"
        fi
    done
done
# theirs SECTION PACKAGE DIRECTORY...: the names on the left of a table of migration.md are in these sources.
theirs()
{
    section=$1 package=$2
    shift 2
    if [ ! -d "$1" ]; then
        skipped=$((skipped + 1))
        echo "skip: docs: names of $section: no $package"
        return
    fi
    awk -v section="### $section" '/^##/ { on = $0 == section } on && /^[|] `/ { sub(/^[|] /, ""); sub(/ [|] .*$/, ""); print }' \
        examples/migration.md | grep -o '`[^`]*`' | grep -o '[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*' |
        LC_ALL=C sort -u >"$out/names"
    cat $(find "$@" -name '*.[ch]') | tr -cs 'A-Za-z0-9_' '\n' | LC_ALL=C sort -u >"$out/theirs"
    missing=$(LC_ALL=C comm -23 "$out/names" "$out/theirs")
    if [ -z "$missing" ] && [ "$(wc -l <"$out/names")" -gt 5 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: docs: $section: not in $package:" $missing
    fi
}
linux=$(sh tests/checks/linux-source.sh "$BUILD/linux")
theirs 'Linux: nouveau' linux-source-6.1 "${linux:-none}/drivers/gpu/drm/nouveau"
theirs 'Linux: i915' linux-source-6.1 "${linux:-none}/drivers/gpu/drm/i915/gt"

# The program of the README, and what it prints.
awk '/^```c/ { on = 1; next } /^```/ { if (on) exit } on' README.md >"$out/first.c"
sed -n 's/^    \(0x0000.*\)/\1/p' README.md >"$out/expected"
if $CC -std=c99 -I. -o "$out/first" "$out/first.c" && [ -s "$out/expected" ] &&
    "$out/first" | "$BUILD/gpucmd-dump" nv --chip ga102 | diff "$out/expected" -; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL: docs: the program of README.md"
fi

# The picture of the README.
if "$BUILD/gpucmd-dump" agx --idle --run --svg "$out/timeline.svg" examples/timeline.txt >/dev/null &&
    cmp "$out/timeline.svg" examples/timeline.svg; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL: docs: examples/timeline.svg is not what the tool draws of examples/timeline.txt"
fi

[ "$(grep -c 'gpucmd_' "$out/known")" -gt 500 ] || failed=$((failed + 1))
if [ $skipped -gt 0 ]; then
    echo "docs: $passed passed, $failed failed, $skipped skipped"
else
    echo "docs: $passed passed, $failed failed"
fi
[ $failed -eq 0 ]
