# tests/refuse/*.c must not compile, but must compile with -DFIXED. So the compiler rejects each file
# for the reason in its first line, and for no other.
#   refuse.sh refuse       with $CC
#   refuse.sh refuse-all   with gcc and clang, whichever $CC is not
. tests/tier/lib.sh

tier=$1
list=$BUILD/jobs/$tier.list
mkdir -p "$BUILD/jobs"
case $tier in
*-all) set -- $(others gcc clang) ;;
*) set -- "$CC" ;;
esac
for cc in "$@"; do
    if ! have "${cc%% *}"; then
        job "$cc" "skip: $cc not found"
        continue
    fi
    for f in tests/refuse/*.c; do
        [ -f "$f" ] || continue
        # An object file of its own: tcc removes the file that -o names, also a device.
        o=$BUILD/jobs/$(basename "$f").${cc%% *}.o
        x="$cc -std=c99 $(warnings "$cc" c) -I. -Itests -c -o $o"
        job "$f first line" "head -n 1 $f | grep '^/[*] refuse: .* [*]/$'"
        job "$f refused by $cc" "if $x $f 2>/dev/null; then echo it compiles; exit 1; fi"
        job "$f fixed for $cc" "$x -DFIXED $f"
    done
done >"$list"
if [ ! -s "$list" ]; then
    skip "$tier" "no tests/refuse/*.c in the tree"
    exit 0
fi
sh tests/jobs.sh count "$tier" "$list" 2>&1
