# nuttx.sh OUT: do what examples/firmware/nuttx/README.md says with NuttX and its own build. $NUTTX_TREES is a
# folder with the trees nuttx and apps, as git has them; both are built in place. Then give the command
# gpucmd on the console of NuttX, in QEMU, Cortex-M7. Print what it prints; other messages go to stderr.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd) tree=${NUTTX_TREES:-}
[ "$tree" ] || { echo "skip: NUTTX_TREES=FOLDER with the trees nuttx and apps not given"; exit 0; }
for tool in make python3 kconfig-conf arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" >/dev/null || { echo "skip: $tool not found"; exit 0; }
done
for dir in nuttx apps; do
    [ -d "$tree/$dir" ] || { echo "skip: $tree/$dir not found"; exit 0; }
done
console=$PWD/tests/firmware/console.py
mkdir -p "$tree/apps/examples/gpucmd"
cp gpucmd*.h examples/streams.h examples/firmware/nuttx/[!R]* "$tree/apps/examples/gpucmd/"
cd "$tree/nuttx"
[ -f .config ] || ./tools/configure.sh -l mps2-an500:nsh >&2
# Without the tests of NuttX, and optimised.
for option in DEBUG_NOOPT TESTING_OSTEST SYSTEM_GPROF PROFILE_ALL; do
    echo "# CONFIG_$option is not set"
done >>.config
echo 'CONFIG_DEBUG_FULLOPT=y' >>.config
make olddefconfig >&2
make -j"${JOBS:-1}" >&2
cp nuttx "$out/nuttx.elf"
python3 "$console" 'nsh> ' gpucmd qemu-system-arm -M mps2-an500 -display none -monitor none \
    -serial stdio -kernel "$out/nuttx.elf" | grep -E '^(nv|i915|agx): ' # without the messages of the scheduler
