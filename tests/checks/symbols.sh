# Check the symbols of an object with the whole implementation, built -ffreestanding. It may define only
# functions gpucmd_*, and no writable data. Its only undefined symbols may be memcpy, memmove and memset,
# which a compiler may call without a call in the source.
. tests/checks/lib.sh

need symbols nm
if [ -z "$HEADERS" ]; then
    skip symbols "no headers in the tree"
    exit 0
fi
list=$BUILD/jobs/symbols.list
out=$BUILD/symbols
mkdir -p "$BUILD/jobs" "$out"
for cc in $(compilers); do
    for h in $HEADERS; do
        for o in -O0 -O2; do
            f=$out/$cc$o-${h%.h}
            job "$h $cc $o" "
                $cc -std=c99 $o -ffreestanding -fno-stack-protector -I. -c \
                    -DHEADER='\"$h\"' -o $f.o tests/compile/alone_impl.c &&
                nm $f.o >$f.nm && awk -f tests/checks/symbols.awk $f.nm"
        done
    done
done >"$list"
sh tests/checks/jobs.sh count symbols "$list" 2>&1
