# The matrix of clients and GPUs: every row of *.rows on each of its GPUs, and the table of what came
# of it. Called by `make clients`, from the root of the tree.
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
$MAKE clients-build || { echo "clients: 0 passed, 1 failed"; exit 1; }

# lacks PROGRAM GPU: why this machine cannot run it; nothing if it can.
lacks()
{
    case $1 in
    gl*)
        [ -f "$libraries/dri/iris_dri.so" ] || echo 'libgl1-mesa-dri is not installed'
        [ -x "$clients/programs/$1" ] || echo 'libegl-dev, libgl-dev or libgles-dev is not installed'
        ;;
    vk*)
        [ -f /usr/share/vulkan/icd.d/intel_icd.x86_64.json ] ||
            echo 'mesa-vulkan-drivers is not installed'
        [ "$1" = vulkaninfo ] || [ -x "$clients/programs/$1" ] ||
            echo 'libvulkan-dev is not installed'
        ;;
    vulkaninfo) have vulkaninfo || echo 'vulkan-tools is not installed' ;;
    gem_* | intel_*) [ -x "$benchmarks/$1" ] || echo 'intel-gpu-tools is not installed' ;;
    *) have "$1" || echo "$1 is not installed" ;;
    esac
}

rm -rf "$clients/result"
mkdir -p "$BUILD/jobs" "$clients/result"
number=0
: >"$list"
for rows in tests/clients/*.rows; do
    while IFS='|' read -r step gpus options command rest; do
        case $step in
        '' | '#'*) continue ;;
        esac
        # shellcheck disable=SC2086
        set -- $command
        reason=$(lacks "$1" | head -n 1)
        for gpu in $gpus; do
            number=$((number + 1))
            label=$(echo $step $command on $gpu)
            if [ "$reason" ]; then
                printf '%s|skip: %s\n' "$label" "$reason" >>"$list"
            else
                row="$step|$gpu|$options|$command|$rest"
                # What follows the label goes through `sh -c`: quotes around the row.
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
cat "$clients/lines"
exit $status
