# The structures and numbers of the model kernels against the headers of Linux 7.3, Debian's package
# linux-source-7.3: see uapi.py. libclang reads both, and the compiler compares them.
. tests/checks/lib.sh

need uapi gcc
python=/usr/bin/python3
[ -x $python ] || python=python3
if ! $python -c 'import clang.cindex' 2>/dev/null; then
    skip uapi "clang.cindex not found (package python3-clang-14)"
    exit 0
fi
linux=$(sh tests/checks/linux-source.sh "$BUILD/linux" 7.3)
if [ -z "$linux" ]; then
    skip uapi "linux-source-7.3 not found"
    exit 0
fi
# Only what drm.h needs of Linux: the C library is that of this machine.
out=$BUILD/uapi
rm -rf "$out"
mkdir -p "$out/linux"
linux=$(cd "$linux/include/uapi" && pwd)
ln -s "$linux/drm" "$out/drm"
ln -s "$linux/linux/bits.h" "$out/linux/bits.h"
CC=gcc $python tests/checks/uapi.py "$out" "$out/unit.c"
