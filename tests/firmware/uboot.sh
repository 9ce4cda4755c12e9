# uboot.sh OUT BOARD: do what examples/firmware/uboot/README.md says, with Debian's source of U-Boot and
# its own build; then give the command gpucmd on the board's console. Print what it prints; messages of
# the build and of the board go to stderr. BOARD: sandbox, which is a program, or arm64, riscv64,
# mips (big-endian), powerpc (big-endian), in QEMU.
# The configuration is the board's, without the parts that cost most of the time of a build.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd) board=$2
qemu='-m 256 -display none -monitor none -serial stdio -net none -bios'
prompt='=> ' cross=
case $board in
sandbox) config=sandbox target='u-boot dtbs' run= ;;
arm64) config=qemu_arm64 target=u-boot.bin cross=aarch64-linux-gnu-
    run="qemu-system-aarch64 -M virt -cpu cortex-a57 $qemu u-boot.bin" ;;
riscv64) config=qemu-riscv64 target=u-boot.bin cross=riscv64-linux-gnu-
    run="qemu-system-riscv64 -M virt $qemu u-boot.bin" ;;
mips) config=malta target=u-boot.bin cross=mips-linux-gnu- prompt='malta # '
    run="qemu-system-mips -M malta $qemu u-boot.bin" ;;
powerpc) config=qemu-ppce500 target=u-boot cross=powerpc-linux-gnu-
    run="qemu-system-ppc -M ppce500 $qemu u-boot" ;;
esac
for tool in make python3 flex bison "${cross}gcc" ${run:+"${run%% *}"}; do
    command -v "$tool" >/dev/null || { echo "skip: $tool not found"; exit 0; }
done

example=examples/firmware/uboot
tree=$(sh tests/firmware/source.sh u-boot "$out/u-boot")
console=$PWD/tests/firmware/console.py
cp gpucmd*.h examples/streams.h $example/gpucmd.c "$tree/cmd/"
line=$(sed -n 's/^    \(obj-y .*\)/\1/p' $example/README.md)
grep -q -x -F "$line" "$tree/cmd/Makefile" || echo "$line" >>"$tree/cmd/Makefile"
build=$out/u-boot-$board
make="make -s -C $tree O=$build CROSS_COMPILE=$cross NO_SDL=1"
$make "${config}_defconfig" >&2
# A driver of K210 calls nop(), which the sandbox has only with LTO.
for option in EFI_LOADER LTO UNIT_TEST CLK_K210; do
    echo "# CONFIG_$option is not set"
done >>"$build/.config"
$make olddefconfig >&2
# U-Boot's Python library, for SWIG, is for images of several parts.
# shellcheck disable=SC2086
$make -j"${JOBS:-1}" CONFIG_PYLIBFDT= $target >&2
cd "$build"
if [ "$board" = sandbox ]; then
    # It colours its lines.
    ./u-boot -d arch/sandbox/dts/sandbox.dtb -c gpucmd </dev/null | tee /dev/stderr |
        sed -n 's/^\(\(nv\|i915\|agx\): [ -~]*\).*/\1/p'
    exit
fi
# shellcheck disable=SC2086
python3 "$console" "$prompt" gpucmd $run
