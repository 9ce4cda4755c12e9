# gpucmd_i915_parse against the command parser of the i915 driver: the driver's own file is compiled in
# user space, with stand-in headers of tests/ports/parser_stub.h, and both check COUNT random batches.
# Archives: the source of Linux 6.1 that the other tiers read, and those that LINUX_SOURCES names.
#   make parser COUNT=10000000 LINUX_SOURCES="/usr/src/linux-source-7.3.tar.xz"
. tests/checks/lib.sh

: "${COUNT:=10000000}"
out=$BUILD/parser
need parser gcc
need parser xz
linux=$(sh tests/checks/linux-source.sh "$BUILD/linux")
if [ -z "$linux" ]; then
    skip parser "no /usr/src/linux-source-6.*.tar.xz (Debian: linux-source-6.1)"
    exit 0
fi
mkdir -p "$out"
for archive in $LINUX_SOURCES; do
    name=$(basename "$archive" .tar.xz)
    [ -f "$out/$name/include/drm/drm_print.h" ] ||
        tar -C "$out" -xf "$archive" "$name/drivers/gpu/drm/i915" "$name/include/drm" || exit 1
    linux="$linux $out/$name"
done

# Headers of the kernel and of the driver whose definitions are in parser_stub.h.
for h in linux/highmem linux/bitfield linux/bits linux/bitops linux/types drm/drm_cache drm/drm_print gt/intel_engine \
    i915_cmd_parser i915_drv i915_memcpy; do
    mkdir -p "$out/include/$(dirname $h)"
    : >"$out/include/$h.h"
done

gcc -std=c99 -O2 $(warnings gcc c) -I. -Itests/ports -c -o "$out/compare.o" tests/ports/parser_compare.c &&
    gcc -std=c99 -O2 -I. -c -DHEADER='"gpucmd_i915.h"' -o "$out/i915.o" tests/compile/alone_impl.c ||
    { echo "parser: 0 passed, 1 failed"; exit 1; }
passed=0 failed=0
for tree in $linux; do
    i915=$tree/drivers/gpu/drm/i915 name=$(basename "$tree")
    # A quoted name is searched beside the file first: the file is copied to a directory of its own.
    mkdir -p "$out/$name.c" && cp "$i915/i915_cmd_parser.c" "$out/$name.c/"
    echo "$name: $COUNT batches"
    if gcc -std=gnu11 -O2 -w -Werror=implicit-function-declaration -I"$out/include" -Itests/ports \
        -I"$out/$name.c" -idirafter "$i915" -idirafter "$tree/include" -c -o "$out/$name.o" \
        tests/ports/parser_upstream.c &&
        gcc -o "$out/$name.compare" "$out/compare.o" "$out/i915.o" "$out/$name.o"; then
        "$out/$name.compare" "$COUNT" ${SEED:+"$SEED"} >"$out/$name.txt"
        status=$?
        cat "$out/$name.txt"
        [ $status = 0 ] && passed=$((passed + 1)) || failed=$((failed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: parser: $name does not compile"
    fi
done
echo "parser: $passed passed, $failed failed"
[ $failed -eq 0 ]
