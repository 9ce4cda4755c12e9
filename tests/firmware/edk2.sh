# edk2.sh OUT ARCH TOOLCHAIN: do what examples/firmware/edk2/README.md says, with Debian's source of
# EDK2 and its own build; then run the application in QEMU with Debian's OVMF. Print the lines that it
# writes to the debug port; messages of the build go to stderr. ARCH: X64 or IA32. TOOLCHAIN: a name
# of EDK2, GCC5 or CLANGDWARF.
# Only the application is built, with the libraries that the platform chooses for it.
# Debian has changed Shell.inf: without SECURE_BOOT_ENABLE the platform has not all its libraries.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd) arch=$2 toolchain=$3
case $arch in
X64) platform=OvmfPkg/OvmfPkgX64.dsc name=OvmfX64 boot=BOOTX64.EFI
    code=/usr/share/OVMF/OVMF_CODE_4M.fd vars=/usr/share/OVMF/OVMF_VARS_4M.fd
    qemu='qemu-system-x86_64 -machine q35' ;;
IA32) platform=OvmfPkg/OvmfPkgIa32.dsc name=OvmfIa32 boot=BOOTIA32.EFI
    code=/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd vars=/usr/share/OVMF/OVMF32_VARS_4M.fd
    # Debian's firmware of 32 bits requires SMM.
    qemu='qemu-system-i386 -machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on' ;;
esac
for tool in bash gcc g++ nasm iasl "${qemu%% *}" $([ "$toolchain" = GCC5 ] || echo clang ld.lld llvm-ar); do
    command -v "$tool" >/dev/null || { echo "skip: $tool not found"; exit 0; }
done
[ -f "$code" ] || { echo "skip: $code not found (packages ovmf, ovmf-ia32)"; exit 0; }
[ -f /usr/include/uuid/uuid.h ] || { echo "skip: uuid.h not found (package uuid-dev)"; exit 0; }

tree=$(sh tests/firmware/source.sh edk2 "$out/edk2")
example=examples/firmware/edk2
mkdir -p "$tree/OvmfPkg/Gpucmd"
cp gpucmd*.h examples/streams.h $example/gpucmd.c $example/gpucmd.inf "$tree/OvmfPkg/Gpucmd/"
line=$(sed -n 's/^    \(OvmfPkg.*inf\)/\1/p' $example/README.md)
grep -q "$line" "$tree/$platform" || sed -i "s#^\[Components\]#&\n  $line#" "$tree/$platform"
(
    cd "$tree"
    export WORKSPACE="$tree" PYTHON_COMMAND=/usr/bin/python3 CLANG_BIN="" CLANG_HOST_BIN=""
    # The tools that a build of one module needs, without their tests.
    make -s -C BaseTools/Source/C HOST_ARCH=X64 Common GenFw
    options="-a $arch -t $toolchain -b RELEASE -p $platform -m $line -D SECURE_BOOT_ENABLE=TRUE"
    bash -c ". ./edksetup.sh && build -q -n 1 $options"
) </dev/null >&2
efi=$tree/Build/$name/RELEASE_$toolchain/$arch/Gpucmd.efi
run=$out/edk2-$arch-$toolchain
rm -rf "$run"
mkdir -p "$run/disk/EFI/BOOT"
cp "$efi" "$run/disk/EFI/BOOT/$boot"
cp "$vars" "$run/vars.fd"
# shellcheck disable=SC2086
timeout 600 $qemu -m 256 -display none -serial none -net none -no-reboot \
    -drive if=pflash,format=raw,unit=0,readonly=on,file=$code \
    -drive "if=pflash,format=raw,unit=1,file=$run/vars.fd" \
    -drive "format=raw,file=fat:rw:$run/disk" -debugcon "file:$run/port.txt" -global isa-debugcon.iobase=0x402 \
    </dev/null >&2
tr -d '\r' <"$run/port.txt" | grep -a -E '^(nv|i915|agx): '
