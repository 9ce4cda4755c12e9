# Run the matrix of clients and GPUs: every row of *.rows on each of its GPUs. Print the table of
# results. `make clients` calls this script from the root of the tree. ONLY selects the rows whose
# label `step client on gpu` contains it. With FULL, also the GPUs after "/" of a row. With SUITE, the
# rows of today/*.rows, with the drivers of that suite of Debian.
. tests/checks/lib.sh

clients=$BUILD/clients
list=$BUILD/jobs/clients.list
all_rows="tests/clients/*.rows"
SYSROOT=
if [ "$SUITE" ]; then
    SYSROOT=$BUILD/sysroot/$SUITE
    all_rows="tests/clients/today/*.rows"
fi
export SYSROOT
benchmarks=/usr/libexec/igt-gpu-tools/benchmarks
libraries=/usr/lib/x86_64-linux-gnu

if [ "$(uname -sm)" != 'Linux x86_64' ]; then
    skip clients "the preload library is for Linux on x86-64"
    exit 0
fi
if [ ! -f /usr/include/libdrm/i915_drm.h ]; then
    skip clients "libdrm-dev is not installed"
    exit 0
fi

# lacks PROGRAM: print a line for each missing package that is needed to build or run it.
lacks()
{
    while read -r what file package; do
        # shellcheck disable=SC2254
        case $1 in
        $what)
            case $file in
            */include/*) ;;
            *) file=$SYSROOT$file ;;
            esac
            # shellcheck disable=SC2086
            ls $file >"$BUILD/jobs/lacks" 2>&1 || echo "$package is not installed"
            ;;
        esac
    done <<END
gl* /usr/include/EGL/egl.h libegl-dev
gl_* /usr/include/GL/gl.h libgl-dev
gles2_* /usr/include/GLES2/gl2.h libgles-dev
gl* $libraries/dri/iris_dri.so libgl1-mesa-dri
gl* $libraries/libEGL_mesa.so.0 libegl-mesa0
vk_* /usr/include/vulkan/vulkan.h libvulkan-dev
vk_* /usr/share/vulkan/icd.d/intel_icd*.json mesa-vulkan-drivers
vulkaninfo /usr/share/vulkan/icd.d/intel_icd*.json mesa-vulkan-drivers
vulkaninfo /usr/bin/vulkaninfo vulkan-tools
vkmark /usr/bin/vkmark vkmark
cl_* /usr/include/CL/cl.h opencl-c-headers
cl_* $libraries/libOpenCL.so* ocl-icd-opencl-dev
cl* $libraries/intel-opencl/libigdrcl.so intel-opencl-icd
clinfo /usr/bin/clinfo clinfo
clpeak /usr/bin/clpeak clpeak
decode /usr/bin/ffmpeg ffmpeg
download /usr/bin/ffmpeg ffmpeg
encode /usr/bin/ffmpeg ffmpeg
filter /usr/bin/ffmpeg ffmpeg
filter /usr/share/vulkan/icd.d/intel_icd*.json mesa-vulkan-drivers
decode $libraries/dri/i965_drv_video.so i965-va-driver
decode $libraries/dri/iHD_drv_video.so intel-media-va-driver
download $libraries/dri/i965_drv_video.so i965-va-driver
download $libraries/dri/iHD_drv_video.so intel-media-va-driver
encode $libraries/dri/i965_drv_video.so i965-va-driver
encode $libraries/dri/iHD_drv_video.so intel-media-va-driver
vainfo /usr/bin/vainfo vainfo
${SYSROOT:+here-}vainfo $libraries/dri/nouveau_drv_video.so mesa-va-drivers
${SYSROOT:+here-}vainfo $libraries/dri/i965_drv_video.so i965-va-driver
vainfo $libraries/dri/iHD_drv_video.so intel-media-va-driver
gears /usr/bin/es2gears_wayland mesa-utils
gears /usr/bin/weston weston
glmark /usr/bin/glmark2-es2-wayland glmark2-es2-wayland
glmark /usr/bin/weston weston
cube /usr/bin/vkcube-wayland vulkan-tools
cube /usr/bin/weston weston
gltestsrc /usr/bin/gst-launch-1.0 gstreamer1.0-tools
gltestsrc $libraries/gstreamer-1.0/libgstopengl.so gstreamer1.0-gl
gltestsrc /usr/bin/weston weston
glsink /usr/bin/gst-launch-1.0 gstreamer1.0-tools
glsink $libraries/gstreamer-1.0/libgstopengl.so gstreamer1.0-gl
glsink $libraries/gstreamer-1.0/libgstvideotestsrc.so gstreamer1.0-plugins-base
glsink /usr/bin/weston weston
piglit $libraries/piglit/bin piglit
kms /usr/bin/kmscube kmscube
kms /usr/bin/modetest libdrm-tests
kms /usr/bin/drm_info drm-info
kms /usr/bin/glmark2-es2-drm glmark2-es2-drm
kms $libraries/libEGL_mesa.so.0 libegl-mesa0
gem_* $benchmarks/$1 intel-gpu-tools
intel_* $benchmarks/$1 intel-gpu-tools
END
}

mkdir -p "$BUILD/jobs"
if [ "$SUITE" ] && ! tests/clients/sysroot "$SUITE" "$SYSROOT"; then
    skip "clients-$SUITE" "the packages of $SUITE cannot be fetched"
    exit 0
fi
build=gpucmd-run
for source in tests/clients/programs/*.c; do
    name=$(basename "$source" .c)
    [ "$(lacks "$name")" ] || build="$build $clients/programs/$name"
done
# shellcheck disable=SC2086
$MAKE $build || { echo "clients: 0 passed, 1 failed"; exit 1; }

rm -rf "$clients/result" "$clients/trees"
mkdir -p "$BUILD/jobs" "$clients/result" "$clients/trees"
TMPDIR=$(cd "$clients/trees" && pwd)
CLIENTS_MEDIA=$(cd "$clients" && pwd)
export TMPDIR CLIENTS_MEDIA
if [ -z "$(lacks decode)" ] && [ ! -f "$CLIENTS_MEDIA/in.h264" ]; then
    sh tests/clients/stack.sh media
fi
number=0
: >"$list"
for rows in $all_rows; do
    # Drivers that only newer suites have: those for Apple GPUs came with Mesa 26.
    case $rows in
    */today/apple.rows | */today/mesa26.rows) [ -e "$SYSROOT$libraries/libvulkan_asahi.so" ] || continue ;;
    esac
    while IFS='|' read -r step gpus options command rest; do
        case $step in
        '' | '#'*) continue ;;
        esac
        # shellcheck disable=SC2086
        set -- $command
        [ "$1" = stack ] && shift
        reason=$(lacks "$1" | tr '\n' ' ')
        for gpu in $gpus; do
            if [ "$gpu" = / ]; then
                [ "$FULL" ] || break
                continue
            fi
            number=$((number + 1))
            label=$(echo $step $command on $gpu)
            # shellcheck disable=SC2254
            case $label in
            *$ONLY*) ;;
            *) continue ;;
            esac
            lacking=$reason
            case $gpu in
            m1* | m2*) [ "$1" = asahi_answers ] || [ -e "$SYSROOT$libraries/libvulkan_asahi.so" ] ||
                lacking="${reason}the suite has no drivers for Apple GPUs" ;;
            esac
            if [ "$lacking" ]; then
                printf '%s|skip: %s\n' "$label" "$lacking" >>"$list"
            else
                row="$step|$gpu|$options|$command|$rest"
                # The row is quoted, because `sh -c` runs the text after the label.
                printf "%s|sh tests/clients/case.sh %04d %s '%s'\n" "$label" "$number" "$gpu" \
                    "$row" >>"$list"
            fi
        done
    done <"$rows"
done

if [ "$SUITE" ]; then
    case "uapi i915/xe_uapi" in
    *$ONLY*) echo "uapi i915/xe_uapi|sh tests/clients/uapi.sh i915/xe_uapi" >>"$list" ;;
    esac
fi

start=$(date +%s)
sh tests/checks/jobs.sh count "clients${SUITE:+-$SUITE}" "$list" >"$clients/lines" 2>&1
status=$?
cat "$clients"/result/[0-9][0-9][0-9][0-9] 2>/dev/null | awk -F '\t' -f tests/clients/table.awk |
    tee "$clients/table"
echo "$(($(date +%s) - start)) s"
# No tree of a run may remain, and no program that uses one may still run.
for left in "$clients"/trees/* $(grep -als "GPUCMD_CLIENT_ROOT=$TMPDIR" /proc/[0-9]*/environ); do
    [ -e "$left" ] || continue
    echo "FAIL: clients: left behind: $left" >>"$clients/lines"
    status=1
done
cat "$clients/lines"
exit $status
