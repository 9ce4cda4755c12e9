# Compile a suite that compares structures with headers of Linux, with those of $SYSROOT, and run it.
#   uapi.sh i915/xe_uapi
: "${BUILD:=build}"
program=$BUILD/clients/$(basename "$1")
headers=$BUILD/clients/headers
# Only what the kernel has: the C library is that of this machine.
mkdir -p "$headers"
for one in drm linux asm-generic; do
    rm -f "$headers/$one"
    ln -s "$(cd "$SYSROOT/usr/include/$one" && pwd)" "$headers/$one" || exit 1
done
${CC:-cc} -std=c11 -D_GNU_SOURCE -DGPUCMD_IMPLEMENTATION -I. -Itests -isystem "$headers" \
    -DNEED_HEADERS -o "$program" "tests/$1.c" && "$program"
