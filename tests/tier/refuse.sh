# tests/refuse/*.c must not compile, and must compile with -DFIXED: so each is refused for what its
# first line says and not for a slip.
. tests/tier/lib.sh

list=$BUILD/jobs/refuse.list
mkdir -p "$BUILD/jobs"
for cc in $(compilers); do
    x="$cc -std=c99 $(warnings "$cc" c) -I. -Itests -c -o /dev/null"
    for f in tests/refuse/*.c; do
        [ -f "$f" ] || continue
        job "$f first line" "head -n 1 $f | grep '^/[*] refuse: .* [*]/$'"
        job "$f refused by $cc" "if $x $f 2>/dev/null; then echo it compiles; exit 1; fi"
        job "$f fixed for $cc" "$x -DFIXED $f"
    done
done >"$list"
if [ ! -s "$list" ]; then
    skip refuse "no tests/refuse/*.c in the tree"
    exit 0
fi
sh tests/jobs.sh count refuse "$list" 2>&1
