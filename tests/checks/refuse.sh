# tests/refuse/*.c must not compile, but must compile with -DFIXED. So the compiler rejects each file
# for the reason in its first line, and for no other. Optimised, because some refusals need it.
# A row of gpucmd_i915.h must not compile without a macro of its fields: every eighth macro.
#   refuse.sh refuse       with $CC
#   refuse.sh refuse-all   with gcc and clang, whichever $CC is not
. tests/checks/lib.sh

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
        x="$cc -std=c99 -O1 $(warnings "$cc" c) -I. -Itests -c -o $o"
        job "$f first line" "head -n 1 $f | grep '^/[*] refuse: .* [*]/$'"
        job "$f refused by $cc" "if $x $f 2>/dev/null; then echo it compiles; exit 1; fi"
        job "$f fixed for $cc" "$x -DFIXED $f"
    done
done >"$list"
if [ "$tier" = refuse ] && [ "$(sh tests/checks/kind.sh $CC)" = gcc ]; then
    for macro in $(sed -n 's/^#define \(GPUCMD_I915_[A-Z0-9_]*_BITS[0-9]*\)(F, x).*/\1/p
                           s/^#define \(GPUCMD_I915_PART_[A-Z0-9_]*\)(F, x,.*/\1/p' gpucmd_i915.h |
        awk 'NR % 8 == 1'); do
        job "$macro is named" "sh tests/checks/lacks.sh $macro"
    done >>"$list"
fi
if [ ! -s "$list" ]; then
    skip "$tier" "no tests/refuse/*.c in the tree"
    exit 0
fi
sh tests/checks/jobs.sh count "$tier" "$list" 2>&1
