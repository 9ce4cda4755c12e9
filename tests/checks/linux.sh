# The Linux kernel, with Debian's own packages:
#   x86, arm64  kbuild builds examples/linux, W=1, without a warning; Debian's kernel boots in QEMU,
#               loads the module, and the serial console has one line for each vendor
#   x86         also with W=2 and C=2 (sparse): no line may name a file of ours
#   newer       the same with the kernel of trixie-backports (7.3), with FULL=1 also of trixie (6.12), and
#               their compiler, in a directory with packages of these suites
#   cfi         examples with callbacks, under control-flow integrity of clang
#   sparse      reads each header with its implementation, without a warning
#   drivers     our headers after and before the headers of i915, nouveau and PCI and all of include/drm
# The frame limit of a kernel with KASAN is in the tier compile. Packages that are only unpacked are kept
# in $BUILD/linux. Nothing is installed.
. tests/checks/lib.sh

need linux apt-get
need linux cpio
root=$PWD out=$PWD/$BUILD/linux src=/usr/src deb=$PWD/$BUILD/linux/deb
mkdir -p "$deb"
passed=0 failed=0 skipped=0
enter= # the command before kbuild that enters another root directory

pass()
{
    passed=$((passed + 1))
}
# fail WHAT FILE: print the end of FILE.
fail()
{
    failed=$((failed + 1))
    echo "FAIL: linux: $1"
    tail -n 15 "$2" | sed 's/^/    /'
}
miss()
{
    skipped=$((skipped + 1))
    echo "skip: linux: $1"
}

# debian ARCH COMMAND...: run an apt command for ARCH with lists of its own.
debian()
{
    arch=$1 cmd=$2
    shift 2
    mkdir -p "$deb/$arch/lists/partial" "$deb/$arch/cache/archives/partial"
    (cd "$deb" && $cmd -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
        -o Dir::State="$deb/$arch" -o Dir::State::lists="$deb/$arch/lists" \
        -o Dir::Cache="$deb/$arch/cache" -o Dir::State::status=/dev/null \
        -o APT::Sandbox::User=root "$@")
}

# unpack ARCH PACKAGE DIRECTORY: download PACKAGE, if it is not there, and unpack it.
unpack()
{
    set -- "$1" "$2" "$3" "$deb/$2"_*_"$1".deb
    if [ ! -f "$4" ]; then
        debian "$1" apt-get -q download "$2" || return 1
        set -- "$1" "$2" "$3" "$deb/$2"_*_"$1".deb
    fi
    mkdir -p "$3" && dpkg -x "$4" "$3"
}

# build NAME KERNEL-DIRECTORY SOURCE-DIRECTORY VARIABLE...: run kbuild; no line may be a warning.
build()
{
    name=$1 kernel=$2 dir=$3
    shift 3
    if $enter make -C "$kernel" M="$dir" W=1 "$@" modules >"$out/$name.log" 2>&1 &&
        ! grep -iE 'warning|objtool' "$out/$name.log"; then
        pass
    else
        fail "$name: kbuild fails or warns" "$out/$name.log"
        return 1
    fi
}

# ours NAME KERNEL-DIRECTORY SOURCE-DIRECTORY VARIABLE...: run kbuild; no line may name a file of ours.
ours()
{
    name=$1 kernel=$2 dir=$3
    shift 3
    if $enter make -C "$kernel" M="$dir" "$@" modules >"$out/$name.log" 2>&1 &&
        ! grep -E '(gpucmd|streams)[a-z0-9_]*[.][ch]:[0-9:]* (warning|error)' "$out/$name.log"; then
        pass
    else
        fail "$name: kbuild fails, or warns of our files" "$out/$name.log"
    fi
}

# boot NAME BUSYBOX MODULE QEMU...: boot with an initramfs that loads the module; compare the console.
boot()
{
    name=$1 dir=$out/$1.initramfs
    rm -rf "$dir"
    mkdir -p "$dir/bin"
    cp "$2" "$dir/bin/busybox" && cp tests/linux/init "$dir/init" && cp "$3" "$dir/"
    chmod 755 "$dir/init"
    shift 3
    (cd "$dir" && find . | cpio -o -H newc --quiet) >"$dir.cpio"
    timeout 120 "$@" -accel tcg -nographic -no-reboot -initrd "$dir.cpio" </dev/null >"$out/$name.console" 2>&1
    sed -n 's/\r$//; s/^.*gpucmd_example: \(nv\|i915\|agx\|unloaded\)/\1/p' "$out/$name.console" >"$out/$name.lines"
    if diff "$out/expected" "$out/$name.lines" >"$out/$name.diff"; then
        pass
    else
        fail "$name: the console lacks a line" "$out/$name.console"
    fi
}

# module_in DIRECTORY: a copy of the example, because kbuild writes beside the sources.
module_in()
{
    rm -rf "$1"
    mkdir -p "$1/linux"
    cp gpucmd*.h examples/streams.h "$1/"
    cp examples/linux/* "$1/linux/"
}

cat >"$out/expected" <<'END'
nv: 6 words, run IDLE, result 7
i915: 13 words, run IDLE, result 10
agx: 80 words, run IDLE, result 9
unloaded
END

release=$(ls -d $src/linux-headers-*-amd64 2>/dev/null | sed 's/.*linux-headers-//; s/-amd64$//' | sort -V | tail -n 1)
if [ -z "$release" ]; then
    skip linux "linux-headers-amd64 not found"
    exit 0
fi

x86()
{
    have qemu-system-x86_64 || { miss "x86: qemu-system-x86 not found"; return; }
    [ -x /bin/busybox ] || { miss "x86: busybox-static not found"; return; }
    module_in "$out/x86"
    build x86 "$src/linux-headers-$release-amd64" "$out/x86/linux" || return
    if have sparse; then
        module_in "$out/x86-W2"
        ours x86-W2 "$src/linux-headers-$release-amd64" "$out/x86-W2/linux" W=2 C=2
    else
        miss "x86: W=2: sparse not found"
    fi
    [ -d "$deb/amd64/lists" ] || debian amd64 apt-get -q update >"$out/update.log" 2>&1
    unpack amd64 "linux-image-$release-amd64" "$out/image-amd64" >"$out/unpack.log" 2>&1 ||
        { miss "x86: linux-image-$release-amd64 cannot be downloaded"; return; }
    boot x86-boot /bin/busybox "$out/x86/linux/gpucmd_example.ko" qemu-system-x86_64 -m 256 \
        -kernel "$out/image-amd64/boot/vmlinuz-$release-amd64" -append 'console=ttyS0 loglevel=7 panic=-1'
}

arm64()
{
    have qemu-system-aarch64 || { miss "arm64: qemu-system-arm not found"; return; }
    have aarch64-linux-gnu-gcc || { miss "arm64: gcc-aarch64-linux-gnu not found"; return; }
    tree=$out/image-arm64
    [ -d "$deb/arm64/lists" ] || debian arm64 apt-get -q update >"$out/update.log" 2>&1
    for p in "linux-headers-$release-arm64" "linux-image-$release-arm64" busybox-static; do
        unpack arm64 "$p" "$tree" >"$out/unpack.log" 2>&1 ||
            { miss "arm64: $p cannot be downloaded"; return; }
    done
    # scripts and tools of the package are links to the programs of linux-kbuild.
    mkdir -p "$tree/usr/lib" && ln -sfn /usr/lib/linux-kbuild-* "$tree/usr/lib/"
    module_in "$out/arm64"
    build arm64 "$tree/usr/src/linux-headers-$release-arm64" "$out/arm64/linux" ARCH=arm64 \
        CROSS_COMPILE=aarch64-linux-gnu- || return
    boot arm64-boot "$tree/bin/busybox" "$out/arm64/linux/gpucmd_example.ko" qemu-system-aarch64 \
        -M virt -cpu cortex-a57 -m 512 -kernel "$tree/boot/vmlinuz-$release-arm64" \
        -append 'console=ttyAMA0 loglevel=7 panic=-1'
}

# newer SUITE: build with the headers and the compiler of a newer Debian, and boot its kernel.
newer()
{
    suite=$1 root_dir=$out/$1
    have qemu-system-x86_64 || { miss "$suite: qemu-system-x86 not found"; return; }
    enter="env -i PATH=/usr/bin:/usr/sbin LANG=C chroot $root_dir"
    [ "$(id -u)" = 0 ] || enter="env -i PATH=/usr/bin:/usr/sbin LANG=C unshare -r chroot $root_dir"
    tests/clients/sysroot -d 'gcc make linux-headers-amd64 dash coreutils sed grep mawk findutils diffutils
        kmod perl' "$suite" "$root_dir" >"$out/$suite.unpack" 2>&1 ||
        { miss "$suite: its packages cannot be downloaded"; return; }
    # What scripts of the packages do when they are installed.
    ln -sf dash "$root_dir/usr/bin/sh" && ln -sf mawk "$root_dir/usr/bin/awk"
    # objtool looks for the stack in the list of mappings; nothing is mounted here.
    mkdir -p "$root_dir/tmp" "$root_dir/dev" "$root_dir/proc/self"
    cat /proc/self/maps >"$root_dir/proc/self/maps"
    : >"$root_dir/dev/null"
    $enter /bin/sh -c : || { miss "$suite: no right to enter $root_dir"; enter=; return; }
    running=$(ls "$root_dir/usr/src" | sed -n 's/^linux-headers-\(.*-amd64\)$/\1/p')
    for level in 1 2; do
        module_in "$root_dir/W$level"
    done
    build "$suite" "/usr/src/linux-headers-$running" /W1/linux || { enter=; return; }
    ours "$suite-W2" "/usr/src/linux-headers-$running" /W2/linux W=2
    enter=
    for package in linux-binary linux-image; do
        tests/clients/sysroot -o "$package-$running" "$suite" "$out/image-$suite" >"$out/$suite.image" 2>&1 && break
    done
    image=$(find "$out/image-$suite" -name 'vmlinuz*' | head -n 1)
    [ "$image" ] || { miss "$suite: no image of the kernel $running"; return; }
    boot "$suite-boot" /bin/busybox "$root_dir/W1/linux/gpucmd_example.ko" qemu-system-x86_64 -m 512 \
        -kernel "$image" -append 'console=ttyS0 loglevel=7 panic=-1'
}
trixie() { newer trixie; }
backports() { newer trixie-backports; }

# An indirect call of a function that has another type ends the program.
cfi()
{
    have clang || { miss "cfi: clang not found"; return; }
    have ld.lld || { miss "cfi: lld not found"; return; }
    flags='-std=c99 -O1 -I. -flto -fvisibility=hidden -fsanitize=cfi-icall -fuse-ld=lld'
    for example in 14_tegra 20_i915_gem_exec_nop 25_xe_session 31_agx_vm_bind; do
        clang $flags -o "$out/cfi-$example" "examples/$example.c" >"$out/cfi.log" 2>&1 &&
            "$out/cfi-$example" >"$out/cfi.log" 2>&1
        if [ $? = 0 ]; then
            pass
        else
            fail "cfi: $example" "$out/cfi.log"
        fi
    done
}

sparse_headers()
{
    have sparse || { miss "sparse not found"; return; }
    for h in $HEADERS; do
        sparse -std=gnu99 -Wno-external-function-has-definition -fmax-warnings=unlimited -I. "-DHEADER=\"$h\"" \
            tests/compile/alone_impl.c >"$out/sparse.log" 2>&1
        if [ -s "$out/sparse.log" ]; then
            fail "sparse: $h" "$out/sparse.log"
        else
            pass
        fi
    done
}

drivers()
{
    linux=$(sh tests/checks/linux-source.sh "$out")
    [ "$linux" ] || { miss "drivers: linux-source-6.1 not found"; return; }
    drm=$linux/drivers/gpu/drm dir=$out/drivers
    rm -rf "$dir" && mkdir -p "$dir" && cp tests/linux/* "$dir/"
    (cd "$drm/nouveau/include" && ls nvhw/class/*.h) | sed 's/.*/#include <&>/' >"$dir/nouveau_classes.h"
    (cd "$linux/include" && find drm uapi/drm -name '*.h' | LC_ALL=C sort) |
        sed 's/.*/#include <&>/' >"$dir/drm_headers.h"
    pushes=
    for h in "$drm"/nouveau/include/nvif/push*.h; do
        p=$(basename "$h" .h)
        printf '#include %s\n' "<nvif/$p.h>" '"gpucmd_nv.h"' >"$dir/after_$p.c"
        printf '#include %s\n' '"gpucmd_nv.h"' "<nvif/$p.h>" >"$dir/before_$p.c"
        pushes="$pushes after_$p.o before_$p.o"
    done
    build drivers "$src/linux-headers-$release-amd64" "$dir" GPUCMD="$root" DRM="$drm" PUSHES="$pushes"
}

for part in ${PARTS:-x86 arm64 ${FULL:+trixie} backports cfi sparse_headers drivers}; do
    $part
done
echo "linux: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
