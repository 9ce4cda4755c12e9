# machines.sh MACHINE NAME...: the words of tests/compile/words.c on another machine, with -O0, -O2 and
# -Os, must be those of this one; then the suites. MACHINE is a name of qemu-user: ppc, ppc64, mips,
# hppa, m68k, sparc64. Debian packages: qemu-user, and for ppc gcc-powerpc-linux-gnu and
# libc6-dev-powerpc-cross.
. tests/checks/lib.sh

machine=$1
shift
case $machine in
ppc*) cc=powerpc${machine#ppc}-linux-gnu-gcc ;;
*) cc=$machine-linux-gnu-gcc ;;
esac
out=$BUILD/machines
list=$BUILD/jobs/$machine-words.list
mkdir -p "$out" "$BUILD/jobs"
need "$machine" "$cc"
need "$machine" "qemu-$machine"
flags="-std=c99 -I. -Itests/compile $(have_vendors)"
here=$out/words-here
$CC $flags -O1 -o "$here" tests/compile/words.c && "$here" >"$here.txt" || exit 1
for o in -O0 -O2 -Os; do
    p=$out/words-$machine$o
    job "words $machine $o" "$cc $flags $o -static -Wall -Werror -o $p tests/compile/words.c &&
        qemu-$machine $p | diff $here.txt -"
done >"$list"
sh tests/checks/jobs.sh count "$machine-words" "$list" 2>&1
status=$?
sh tests/checks/suite.sh "$machine" "$cc -static" "qemu-$machine" "$@" || status=1
exit $status
