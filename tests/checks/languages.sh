# The library of `make lib` and its users in other languages. Every public function of the headers is an
# external symbol of it, and nothing else is. Programs in C, Rust and Python write, decode and run the
# words of examples/01_first_words.c; their output is the output of that example. So is the first part of the
# output of the crate, whose program writes and decodes.
. tests/checks/lib.sh

list=$BUILD/jobs/languages.list
out=$BUILD/languages lib=$BUILD/lib
mkdir -p "$out" "$BUILD/jobs"
if ! have objcopy; then
    skip languages "objcopy not found (package binutils)"
    exit 0
fi
sed -n '/^\/\* Output:/,/^ \*\//s/^ \* //p' examples/01_first_words.c >"$out/expected"
rm -rf "$lib"
if ! $MAKE lib >"$out/lib.log" 2>&1; then
    cat "$out/lib.log"
    echo "languages: 0 passed, 1 failed"
    exit 1
fi
$CC -std=c99 -D_GNU_SOURCE -I. -DGPUCMD_EXTERN -DGPUCMD_IMPLEMENTATION -E "$lib/gpucmd.c" >"$out/gpucmd.i"
awk -f tests/checks/functions.awk $HEADERS "$out/gpucmd.i" | awk '$1 == "def" && $4 !~ /_priv_/ { print $4 }' |
    LC_ALL=C sort -u >"$out/functions"

# Debian's Python has Debian's packages; another one in the PATH may not.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
real=libgpucmd.so.$VERSION

{
    job "functions" "test -s $out/functions"
    job "names in the archive" "nm -g --defined-only $lib/libgpucmd.a | awk 'NF == 3 { print \$3 }' |
        LC_ALL=C sort | diff $out/functions -"
    job "names in the shared library" "nm -D --defined-only $lib/$real | awk '{ print \$3 }' |
        LC_ALL=C sort | diff $out/functions -"
    job "version" "readelf -d $lib/$real | grep -F 'soname: [libgpucmd.so.${VERSION%%.*}]' &&
        test \$(readlink $lib/libgpucmd.so.${VERSION%%.*}) = $real"
    for cc in $(compilers); do
        job "warnings of $cc" "$cc -std=c99 -D_GNU_SOURCE -I. $(warnings "$cc" c) -DGPUCMD_EXTERN \
            -DGPUCMD_IMPLEMENTATION -c -o $out/warnings-$cc.o $lib/gpucmd.c"
    done
    cxx=$(cxx_of gcc)
    if [ "$cxx" ]; then
        job "names in C++" "$cxx -x c++ -std=c++11 -I. $(warnings gcc c++) -DGPUCMD_EXTERN \
            -DGPUCMD_IMPLEMENTATION -c -o $out/cxx.o $lib/gpucmd.c && nm -g --defined-only $out/cxx.o |
            awk 'NF == 3 && \$3 !~ /_priv_/ { print \$3 }' | LC_ALL=C sort | diff $out/functions -"
    fi
    x="$CC -std=c99 -I. -o $out/c"
    sed '/^#define GPUCMD_IMPLEMENTATION/d' examples/01_first_words.c >"$out/01.c"
    job "C, archive" "$x.a $out/01.c $lib/libgpucmd.a && $out/c.a | diff $out/expected -"
    job "C, shared library" "$x.so $out/01.c -L$lib -lgpucmd &&
        LD_LIBRARY_PATH=$lib $out/c.so | diff $out/expected -"
    if ! have bindgen; then
        job Rust "skip: bindgen not found (package bindgen)"
    elif ! have rustc; then
        job Rust "skip: rustc not found (package rustc)"
    else
        job "Rust, bindings" "for h in $HEADERS; do
            bindgen --allowlist-file '(.*/)?gpucmd.*' --blocklist-item '.*_(priv|PRIV)_.*' \$h \
                -o $out/\${h%.h}.rs -- -DGPUCMD_EXTERN -DGPUCMD_IMPLEMENTATION || exit 1; done;
            sed -n 's/.*pub fn \(gpucmd_[a-z0-9_]*\).*/\1/p' $out/*.rs | LC_ALL=C sort -u >$out/rust.names;
            grep -vx gpucmd_sys_ops_init_linux $out/functions | diff - $out/rust.names"
        job "Rust, first_words" "GPUCMD_BINDINGS=$(pwd)/$out/gpucmd_nv.rs rustc -D warnings -o $out/rust \
            examples/languages/first_words.rs -L $lib -l static=gpucmd && $out/rust | diff $out/expected -"
        mkdir -p "$out/crate"
        job "Rust, crate" "make -s -C examples/languages/crate OUT=$PWD/$out/crate LIB=$PWD/$lib &&
            $out/crate/user >$out/crate.txt && grep '^0x' $out/expected | diff - $out/crate.txt"
    fi
    if ! have $python; then
        job Python "skip: python3 not found (package python3)"
    elif ! $python -c 'import clang.cindex' 2>/dev/null; then
        job Python "skip: clang.cindex not found (package python3-clang-14)"
    else
        job "Python, module" "$python examples/languages/ctypes_module.py $lib/$real $HEADERS >$out/gpucmd.py &&
            sed -n 's/ = library[.].*//p' $out/gpucmd.py | LC_ALL=C sort >$out/python.names &&
            grep -vx gpucmd_sys_ops_init_linux $out/functions | diff - $out/python.names"
        # From another folder; also the macros that are no constants of an enum.
        here=$PWD
        job "Python, first_words" "cd / &&
            PYTHONPATH=$here/$out $python $here/examples/languages/first_words.py |
            diff $here/$out/expected -"
        job "Python, macros" "cd / && PYTHONPATH=$here/$out $python -c 'import gpucmd as g;
            assert g.GPUCMD_DRM_ASAHI_BARRIER_NONE == 0xffff and g.GPUCMD_PARTS == 15;
            assert g.GPUCMD_NVGPU_VA_END == 0xff00000000;
            assert g.GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR == 0xc0406469'"
    fi
} >"$list"
JOBS=1 sh tests/checks/jobs.sh count languages "$list" 2>&1
