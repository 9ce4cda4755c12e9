# No token of ours is a macro of another tree. Every name that a header there defines and that occurs in
# our headers is defined as a marker, and the preprocessor reads our headers: no marker may appear, in
# the interface or in the implementation, nor in the expansion of any macro that a user can call.
# Rows may name things like another tree does, because rows are only pasted: the preprocessor knows.
. tests/checks/lib.sh

out=$BUILD/tokens list=tests/checks/tokens.txt
mkdir -p "$out"
rm -f "$out"/*.names
passed=0 failed=0 skipped=0

# names SET PACKAGE PATH...: list the macros that the headers below PATH define.
names()
{
    set_name=$1 package=$2
    shift 2
    for path in "$@"; do
        [ -e "$path" ] || continue
        find "$path/" -name '*.h' -type f
    done | tr '\n' '\0' | xargs -0 -r grep -haE '^[[:space:]]*#[[:space:]]*define[[:space:]]+[A-Za-z_]' |
        sed -E 's/^[[:space:]]*#[[:space:]]*define[[:space:]]+([A-Za-z0-9_]+).*/\1/' | sort -u >"$out/$set_name.names"
    if [ ! -s "$out/$set_name.names" ]; then
        skipped=$((skipped + 1))
        echo "skip: tokens: $set_name: $package not found"
    fi
}

# installed PACKAGE...: print the header directories of the packages.
installed()
{
    for p in "$@"; do
        dpkg -L "$p" 2>/dev/null
    done | grep '^/usr/include/.*\.h$'
}

linux=$(sh tests/checks/linux-source.sh "$BUILD/linux")
drm=$linux/drivers/gpu/drm
names i915 linux-source-6.1 "$drm/i915/gt" "$drm/i915/display"
for h in "$drm"/i915/*.h; do cat "$h"; done 2>/dev/null |
    sed -nE 's/^[[:space:]]*#[[:space:]]*define[[:space:]]+([A-Za-z0-9_]+).*/\1/p' >>"$out/i915.names"
names nouveau linux-source-6.1 "$drm/nouveau/include"
names kernel linux-source-6.1 "$linux/include/linux" "$linux/include/drm" "$linux/include/uapi/drm" \
    "$linux/include/uapi/asm-generic" "$linux/include/asm-generic"
names arch linux-source-6.1 "$linux/arch/x86/include" "$linux/arch/arm64/include"
names libdrm libdrm-dev /usr/include/libdrm
names mesa libgl-dev /usr/include/GL /usr/include/EGL /usr/include/GLES /usr/include/GLES2 \
    /usr/include/GLES3 /usr/include/KHR /usr/include/vulkan
mkdir -p "$out/glibc" && installed libc6-dev | grep -v -e '^/usr/include/linux' -e '^/usr/include/[a-z]*/*asm' >"$out/glibc.list"
tr '\n' '\0' <"$out/glibc.list" | xargs -0 -r cat | sed -nE 's/^[[:space:]]*#[[:space:]]*define[[:space:]]+([A-Za-z0-9_]+).*/\1/p' |
    sort -u >"$out/glibc.names"
names newlib libnewlib-dev /usr/include/newlib
names mingw mingw-w64-common /usr/share/mingw-w64/include /usr/x86_64-w64-mingw32/include
names x11 libx11-dev /usr/include/X11
sed -n 's/^typed //p' $list | tr ' ' '\n' >"$out/typed.names"

sed -n 's/^own //p' $list | tr ' ' '\n' | sort -u >"$out/own"
grep -ohE '[A-Za-z_][A-Za-z0-9_]*' $HEADERS | sort -u | grep -vE '^(gpucmd|GPUCMD)_' |
    comm -23 - "$out/own" >"$out/ours"
cat "$out"/*.names | sort -u >"$out/theirs"
comm -12 "$out/ours" "$out/theirs" | sed 's/.*/#define & MARK_&_/' >"$out/marks.h"

# look WHAT COMMAND...: fail for every marker in the output of the preprocessor.
look()
{
    what=$1
    shift
    if "$@" >"$out/text" 2>"$out/errors" && [ -s "$out/text" ]; then
        for m in $(grep -ohE 'MARK_[A-Za-z0-9_]+_' "$out/text" | sort -u); do
            m=${m#MARK_} m=${m%_}
            echo "FAIL: tokens: $what: $m is a macro of $(cd "$out" && grep -lx "$m" *.names | sed 's/[.]names//' | tr '\n' ' ')"
            failed=$((failed + 1))
        done
        passed=$((passed + 1))
    else
        echo "FAIL: tokens: $what: the preprocessor fails"
        head -n 5 "$out/errors"
        failed=$((failed + 1))
    fi
}

for h in $HEADERS; do
    for impl in '' -DGPUCMD_IMPLEMENTATION; do
        for how in '-O0' '-O2' '-Os' '-O2 -x c++' '-U__GNUC__' '-D__KERNEL__'; do
            printf '#include "%s"\n' "marks.h" "$h" >"$out/unit.c"
            look "$h $impl $how" $CC $how -E -P -U__linux__ -DGPUCMD_NO_STD_INCLUDES $impl -I. -I"$out" "$out/unit.c"
        done
    done
    # Every macro with arguments, called with a macro that makes a string of its arguments.
    printf '#include "%s"\n' "$h" >"$out/plain.c"
    $CC -E -dM -I. "$out/plain.c" | grep -E '^#define GPUCMD_[A-Z0-9_]+\([a-z.]' |
        sed -E 's/^#define (GPUCMD_[A-Z0-9_]+)\(([^)]*)\).*/\1 \2/' |
        awk '{ n = split($0, part, /,/); a = "PROBE"; for (i = 2; i <= n; i++) a = a ", PROBE"; print $1 "(" a ")" }' >"$out/calls"
    { printf '#include "%s"\n' marks.h "$h"; echo '#define PROBE(...) #__VA_ARGS__'; cat "$out/calls"; } >"$out/unit.c"
    look "$h, macros of the interface" $CC -E -P -U__linux__ -DGPUCMD_NO_STD_INCLUDES -I. -I"$out" "$out/unit.c"
done
echo "note: tokens: $(wc -l <"$out/theirs") macros of other trees, $(wc -l <"$out/marks.h") of these names occur in our headers"
echo "tokens: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
