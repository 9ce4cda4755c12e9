# Install into a staging directory, build programs with the installed files in every way that INSTALL.md
# shows, read the manual pages, and uninstall. No file may remain.
. tests/checks/lib.sh

list=$BUILD/jobs/install-check.list
stage=$(pwd)/$BUILD/stage
prefix=$stage/opt/gpucmd
out=$(pwd)/$BUILD/consumers
mkdir -p "$BUILD/jobs"
rm -rf "$stage" "$out"
mkdir -p "$out"
if [ -z "$HEADERS" ]; then
    skip install-check "no headers in the tree"
    exit 0
fi

printf '#define GPUCMD_IMPLEMENTATION\n' >"$out/app.c"
for h in $HEADERS; do echo "#include <$h>"; done >>"$out/app.c"
echo 'int main(void) { return gpucmd_status_name(GPUCMD_OK)[0] == 0; }' >>"$out/app.c"

# snippet LABEL: print the lines of INSTALL.md with this label.
snippet()
{
    awk -v label="$1" '
        /^## / { on = $0 == "## In your build" }
        !on || !/^    / { mine = 0; next }
        substr($0, 5, 16) ~ /[^ ]/ { name = substr($0, 5, 16); sub(/ +$/, "", name); mine = name == label }
        mine { print substr($0, 21) }' INSTALL.md
}

# project LABEL FILE BEFORE: make a project folder with app.c, the snippet in FILE and a copy of the headers.
project()
{
    dir="$out/$(echo "$1" | tr -d ' ,')"
    mkdir -p "$dir/third_party/gpucmd"
    cp "$out/app.c" "$dir/"
    case $1 in *copy) cp $HEADERS "$dir/third_party/gpucmd/" ;; esac
    { printf '%s\n' "$3"; snippet "$1"; } >"$dir/$2"
}

cmake_project='cmake_minimum_required(VERSION 3.13)
project(app C)
add_executable(app app.c)'
meson_project="project('app', 'c')"
pc="PKG_CONFIG_PATH=$prefix/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage"

# cmake_job LABEL FLAGS, meson_job LABEL: configure, build and run a project.
cmake_job()
{
    project "$1" CMakeLists.txt "$cmake_project"
    if have cmake; then
        job "$1" "cd $dir && cmake -S . -B build $2 && cmake --build build && build/app"
    else
        job "$1" "skip: cmake not found (package cmake)"
    fi
}
meson_job()
{
    project "$1" meson.build "$meson_project"
    if have meson; then
        job "$1" "cd $dir && $pc meson setup build && meson compile -C build && build/app"
    else
        job "$1" "skip: meson not found (package meson)"
    fi
}

gpucmd_run=
lacks=$($MAKE gpucmd-run | tail -n 1)
[ ! -x "$BUILD/gpucmd-run" ] || gpucmd_run=1

{
    job install "$MAKE lib && $MAKE install DESTDIR=$stage PREFIX=/opt/gpucmd"
    for h in $HEADERS; do
        job "$h" "cmp $h $prefix/include/$h"
    done
    job "the tool" "$prefix/bin/gpucmd-dump --version"
    if [ "$gpucmd_run" ]; then
        job "gpucmd-run" "$prefix/bin/gpucmd-run --gpu skl --quiet --report $out/report -- true && grep '^status 0' $out/report"
    else
        job "gpucmd-run" "skip: $lacks"
    fi
    job "the library" "cmp $BUILD/lib/libgpucmd.a $prefix/lib/libgpucmd.a && test -f $prefix/lib/libgpucmd.so"
    if have pkg-config; then
        project pkg-config build.sh "set -e"
        job "version" "test \$($pc pkg-config --modversion gpucmd) = $VERSION"
        job "pkg-config" "cd $dir && export $pc && sh build.sh && ./a.out"
    else
        job "pkg-config" "skip: pkg-config not found"
    fi
    cmake_job CMake "-DCMAKE_PREFIX_PATH=$prefix"
    cmake_job "CMake, a copy"
    if have cmake; then
        sed 's/gpucmd 0[.]1/gpucmd 9.9/' "$out/CMake/CMakeLists.txt" >"$out/CMake/later"
        job "CMake, a later version" "cd $out && mkdir later && cp CMake/later later/CMakeLists.txt &&
            cp app.c later && ! cmake -S later -B later/build -DCMAKE_PREFIX_PATH=$prefix 2>later/log &&
            grep 'version: $VERSION' later/log"
    fi
    meson_job Meson
    meson_job "Meson, a copy"
    # Each option of a tool is in its manual page.
    for t in gpucmd-dump ${gpucmd_run:+gpucmd-run}; do
        if ! have groff; then
            job "manual page of $t" "skip: groff not found (package groff)"
            continue
        fi
        pages="''"
        [ $t = gpucmd-run ] || pages="'' nv i915 agx"
        job "manual page of $t" "groff -man -ww -Tascii -P-cbou $prefix/share/man/man1/$t.1 >$out/page 2>$out/page.log &&
            test ! -s $out/page.log && for p in $pages; do $BUILD/$t \$p --help; done |
            grep -o -e '--[a-z][a-z-]*' | sort -u >$out/options && test \$(wc -l <$out/options) -gt 12 &&
            while read -r o; do grep -q -e \"\$o\" $out/page || { echo \$o; exit 1; }; done <$out/options"
    done
} >"$list"
JOBS=1 sh tests/checks/jobs.sh count install-check "$list" 2>&1
status=$?
$MAKE uninstall DESTDIR="$stage" PREFIX=/opt/gpucmd
left=$(find "$stage" ! -type d 2>/dev/null)
if [ "$left" ]; then
    echo "FAIL: uninstall leaves $left"
    echo "uninstall: 0 passed, 1 failed"
    exit 1
fi
echo "uninstall: 1 passed, 0 failed"
exit $status
