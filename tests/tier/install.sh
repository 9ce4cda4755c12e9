# Install into a staging directory, build a program with the flags of pkg-config, and uninstall. No file
# may remain.
. tests/tier/lib.sh

list=$BUILD/jobs/install-check.list
stage=$(pwd)/$BUILD/stage
mkdir -p "$BUILD/jobs"
rm -rf "$stage"
if [ -z "$HEADERS" ]; then
    skip install-check "no headers in the tree"
    exit 0
fi
{
    job install "$MAKE install DESTDIR=$stage PREFIX=/opt/gpucmd"
    for h in $HEADERS; do
        job "$h" "cmp $h $stage/opt/gpucmd/include/$h"
    done
    if [ -f examples/gpucmd-dump.c ]; then
        job "the tool" "test -x $stage/opt/gpucmd/bin/gpucmd-dump"
    fi
    pc="PKG_CONFIG_PATH=$stage/opt/gpucmd/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage pkg-config"
    if have pkg-config; then
        job "version" "test \$($pc --modversion gpucmd) = $VERSION"
        printf '#define GPUCMD_IMPLEMENTATION\n' >"$BUILD/installed.c"
        for h in $HEADERS; do echo "#include <$h>"; done >>"$BUILD/installed.c"
        echo 'int main(void) { return gpucmd_status_name(GPUCMD_OK)[0] == 0; }' >>"$BUILD/installed.c"
        job "a program" "cd $BUILD && $CC -std=c99 \$($pc --cflags gpucmd) -o installed installed.c && ./installed"
    else
        job "a program" "skip: pkg-config not found"
    fi
} >"$list"
JOBS=1 sh tests/jobs.sh count install-check "$list" 2>&1
status=$?
$MAKE uninstall DESTDIR="$stage" PREFIX=/opt/gpucmd
left=$(find "$stage" -type f 2>/dev/null)
if [ "$left" ]; then
    echo "FAIL: uninstall leaves $left"
    echo "uninstall: 0 passed, 1 failed"
    exit 1
fi
echo "uninstall: 1 passed, 0 failed"
exit $status
