# Run the matrix of clients and GPUs: every row of *.rows on each of its GPUs. Print the table of
# results. `make clients` calls this script from the root of the tree. ONLY selects the rows whose
# label `step client on gpu` contains it.
. tests/tier/lib.sh

clients=$BUILD/clients
list=$BUILD/jobs/clients.list
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
        $what) [ -e "$file" ] || echo "$package is not installed" ;;
        esac
    done <<END
gl* /usr/include/EGL/egl.h libegl-dev
gl_* /usr/include/GL/gl.h libgl-dev
gles2_* /usr/include/GLES2/gl2.h libgles-dev
gl* $libraries/dri/iris_dri.so libgl1-mesa-dri
gl* $libraries/libEGL_mesa.so.0 libegl-mesa0
vk_* /usr/include/vulkan/vulkan.h libvulkan-dev
vk_* /usr/share/vulkan/icd.d/intel_icd.x86_64.json mesa-vulkan-drivers
vulkaninfo /usr/share/vulkan/icd.d/intel_icd.x86_64.json mesa-vulkan-drivers
vulkaninfo /usr/bin/vulkaninfo vulkan-tools
gem_* $benchmarks/$1 intel-gpu-tools
intel_* $benchmarks/$1 intel-gpu-tools
END
}

build="$clients/shim.so $clients/runner"
for source in tests/clients/programs/*.c; do
    name=$(basename "$source" .c)
    [ "$(lacks "$name")" ] || build="$build $clients/programs/$name"
done
# shellcheck disable=SC2086
$MAKE $build || { echo "clients: 0 passed, 1 failed"; exit 1; }

rm -rf "$clients/result" "$clients/trees"
mkdir -p "$BUILD/jobs" "$clients/result" "$clients/trees"
TMPDIR=$(cd "$clients/trees" && pwd)
export TMPDIR
number=0
: >"$list"
for rows in tests/clients/*.rows; do
    while IFS='|' read -r step gpus options command rest; do
        case $step in
        '' | '#'*) continue ;;
        esac
        # shellcheck disable=SC2086
        set -- $command
        reason=$(lacks "$1" | tr '\n' ' ')
        for gpu in $gpus; do
            number=$((number + 1))
            label=$(echo $step $command on $gpu)
            # shellcheck disable=SC2254
            case $label in
            *$ONLY*) ;;
            *) continue ;;
            esac
            if [ "$reason" ]; then
                printf '%s|skip: %s\n' "$label" "$reason" >>"$list"
            else
                row="$step|$gpu|$options|$command|$rest"
                # The row is quoted, because `sh -c` runs the text after the label.
                printf "%s|sh tests/clients/case.sh %04d %s '%s'\n" "$label" "$number" "$gpu" \
                    "$row" >>"$list"
            fi
        done
    done <"$rows"
done

start=$(date +%s)
sh tests/jobs.sh count clients "$list" >"$clients/lines" 2>&1
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
