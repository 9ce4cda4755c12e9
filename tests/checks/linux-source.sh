# linux-source.sh DIRECTORY [VERSION [SUITE]]: unpack there, once, what the tiers read of Debian's package
# linux-source-VERSION (6.1), and print its path. A package that is not installed is downloaded
# from SUITE (VERSION 7.3: trixie-backports) without installing it. Print nothing if there is none.
version=${2:-6.1}
case $version in 7.3) suite=trixie-backports ;; *) suite= ;; esac
suite=${3:-$suite}
name=linux-source-$version
if [ ! -f "$1/$name/drivers/gpu/drm/nouveau/nouveau_dma.h" ]; then
    tarball=/usr/src/$name.tar.xz
    rm -rf "${1:?}/$name" "$1/part"
    mkdir -p "$1/part"
    if [ ! -f "$tarball" ] && [ "$suite" ]; then
        tests/clients/sysroot -o "$name" "$suite" "$1/part/$name.deb" >&2 || exit 0
        tarball=$1/part/$name.deb/usr/src/$name.tar.xz
    fi
    [ -f "$tarball" ] || exit 0
    # Members that a version lacks are no error.
    tar -C "$1/part" -xf "$tarball" --wildcards "$name/drivers/gpu/drm/i915/*" \
        "$name/drivers/gpu/drm/nouveau/*" "$name/drivers/gpu/drm/xe/*" "$name/include/*" \
        "$name/arch/x86/include/*" "$name/arch/arm64/include/*" 2>/dev/null
    [ -f "$1/part/$name/drivers/gpu/drm/nouveau/nouveau_dma.h" ] || exit 0
    mv "$1/part/$name" "$1/" && rm -rf "$1/part"
fi
echo "$1/$name"
