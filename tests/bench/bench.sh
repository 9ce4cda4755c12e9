# Measure the rows of rows.txt that this machine can measure, for gcc and clang if installed, and print
# one table. BENCH_QUICK=1: fewer repetitions. The exit status is 0 if the measurements succeeded;
# missed goals do not change it.
. tests/bench/lib.sh

mkdir -p "$bench"
results=$bench/results
: >"$results"
[ "${BENCH_QUICK:-0}" = 0 ] && rounds=41 || rounds=11

# report COMPILER ROW VALUE
report()
{
    echo "$1 $2 $3" >>"$results"
}

# ---- time, each compiler ----

for cc in $(compilers); do
    build_all $cc
    for program in "$bench/$cc"/bench_*; do
        case $program in *.o) continue ;; esac
        "$program" >"$bench/$cc/out" || exit 1
        sed "s/^/$cc /" "$bench/$cc/out" >>"$results"
    done
    report $cc P19a "$(size "$bench/$cc/i915_recipes.o" "$bench/$cc/i915_kernel.o" |
        awk 'NR > 1 { text[NR] = $1 } END { printf "%.4f", text[2] / text[3] }')"
done

# ---- instructions ----

if have valgrind; then
    for cc in $(compilers); do
        for k in raw_s hand_s lib_s lib_s_noalias lib_s_os lib_s_reserve hand_m lib_m \
            raw_unit lib_unit lib_unit_reserve raw_push lib_push raw_walk lib_walk lib_pbdma lib_pusher lib_print \
            raw_i915_unit lib_i915_unit raw_i915_walk lib_i915_walk lib_i915_run lib_i915_print \
            agx_build agx_bind_few agx_bind_many \
            nouveau_bind_few nouveau_bind_many xe_bind_few xe_bind_many; do
            n=$(count $cc $(program_of $k) $k)
            report $cc "instr:$k" "$n"
            [ $k = lib_s ] && report $cc P2 "$n"
            case $k in
            *_bind_few) few=$n ;;
            agx_bind_many) report $cc P14c "$(quotient "$n" "$few")" ;;
            nouveau_bind_many) report $cc P20f "$(quotient "$n" "$few")" ;;
            xe_bind_many) report $cc P20g "$(quotient "$n" "$few")" ;;
            esac
        done
    done
else
    echo 'skip: bench: valgrind not found: no instruction counts'
fi

# ---- include cost ----

if have valgrind; then
    for cc in $(compilers); do
        include_ratios $cc >"$bench/include.$cc"
        report $cc P15a "$(sed -n 1p "$bench/include.$cc")"
        report $cc P15b "$(sed -n 2p "$bench/include.$cc")"
    done
fi

# ---- size on a microcontroller ----

arm='arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb'

# core_size OBJECT NAME ENTRY PROBE...: print the bytes that a link of OBJECT from ENTRY contains, and
# list them in NAME.txt. memcpy, memmove and memset belong to the environment and are not counted. The
# code of the PROBE functions is not counted either.
core_size()
{
    object=$1 name=$2 entry=$3
    shift 2
    $arm -nostdlib -nostartfiles -Wl,--gc-sections,-e,$entry,--unresolved-symbols=ignore-all \
        -o "$bench/$name.elf" "$bench/$object.o" || exit 1
    arm-none-eabi-nm -S --size-sort -r -t d "$bench/$name.elf" >"$bench/$name.txt"
    own=$(for probe in "$@"; do
        awk -v probe=$probe '$4 == probe { print $2 + 0 }' "$bench/$name.txt"
    done | awk '{ n += $1 } END { print n + 0 }')
    arm-none-eabi-size "$bench/$name.elf" | awk -v own="$own" 'NR == 2 { print $1 - own }'
}

if have arm-none-eabi-gcc; then
    flags='-std=c99 -Os -ffreestanding -ffunction-sections -fdata-sections -I.'
    $arm $flags -c -o "$bench/probe.o" tests/bench/nv_probe.c || exit 1
    report gcc P16a "$(arm-none-eabi-nm -S -t d "$bench/probe.o" |
        awk '$4 == "writer_probe" { print $2 + 0 }')"
    report gcc P16b "$(core_size probe core core_probe)"
    report gcc P16e "$(core_size probe ring ring_probe)"
    $arm $flags -c -o "$bench/i915_probe.o" tests/bench/i915_probe.c || exit 1
    report gcc P16c "$(core_size i915_probe i915_core i915_probe)"
    report gcc P16d "$(core_size i915_probe i915_fields i915_fields_probe i915_probe)"
else
    echo 'skip: bench: arm-none-eabi-gcc not found: no P16'
fi

# ---- data, heap, stack ----

defines=$(have_vendors)
for cc in $(compilers); do
    o=$bench/$cc/impl.o
    $cc -std=c99 -O2 -I. $defines $([ $cc = gcc ] && echo -fstack-usage) -c -o "$o" \
        tests/compile/impl.c || exit 1
    report $cc P17a "$(size -A -d "$o" | awk '
        $1 ~ /^\.(t?data|t?bss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ { n += $2 }
        END { print n + 0 }')"
    report $cc P17b "$(nm -u "$o" | grep -Ecw 'malloc|calloc|realloc|free|aligned_alloc|mmap|brk|sbrk')"
done
if [ -f "$bench/gcc/impl.su" ]; then
    report gcc P17c "$(awk -F '\t' '$2 > n { n = $2 } END { print n + 0 }' "$bench/gcc/impl.su")"
fi

# ---- real drivers: wall time with execution and the checker ----

clients=$BUILD/clients/programs
drivers=/usr/lib/x86_64-linux-gnu/dri/iris_dri.so
if [ -f /usr/include/vulkan/vulkan.h ] && [ -f /usr/include/EGL/egl.h ] && [ -f $drivers ] &&
    $MAKE gpucmd-run "$clients/gl_mix" "$clients/vk_xfer" "$clients/vk_submits" >"$bench/make.log" 2>&1; then
    report gcc P20a "$(added tgl gl_mix)"
    report gcc P20b "$(added tgl vk_xfer)"
    report gcc P20c "$(against_no_exec tgl)"
    SYSROOT=$BUILD/sysroot/trixie
    if [ -d "$SYSROOT" ]; then
        report gcc P20h "$(against_no_exec lnl)"
        report gcc P20i "$(against_no_exec ga102)"
        report gcc P20j "$(added ga102 vk_xfer)"
    else
        echo 'skip: bench: no build/sysroot/trixie: no rows of newer drivers'
    fi
else
    echo 'skip: bench: no GL and Vulkan drivers, or their headers: no P20a'
fi

# ---- the table ----

echo
awk -F '|' -v results="$results" '
    function trim(s) { gsub(/^ +| +$/, "", s); return s }
    BEGIN {
        while ((getline line <results) > 0) {
            split(line, part, " ")
            value[part[1], part[2]] = part[3]
            if (part[2] ~ /^instr:/) {
                name = substr(part[2], 7)
                if (!((name) in seen)) order[++names] = name
                seen[name] = 1
            }
        }
        format = "%-5s %-56s %-6s %9s  %-8s %s\n"
        printf format, "row", "what", "cc", "value", "goal", "verdict"
    }
    /^#/ || NF < 5 { next }
    {
        row = trim($1); what = trim($2); relation = trim($3)
        goal["gcc"] = trim($4); goal["clang"] = trim($5)
        split("gcc clang", compiler, " ")
        for (c = 1; c <= 2; c++) {
            cc = compiler[c]
            if ((cc, row) in value && relation == "floor") {
                printf format, row, what, cc, sprintf("%.2f", value[cc, row]), "-", "floor"
                continue
            }
            if (goal[cc] == "-" || !((cc, row) in value)) continue
            v = value[cc, row]
            if (v != "") v = goal[cc] ~ /\./ ? sprintf("%.2f", v) : sprintf("%d", v)
            ok = v != "" && (relation == "<=" ? v + 0 <= goal[cc] + 0 : v + 0 >= goal[cc] + 0)
            ok ? met++ : missed++
            printf format, row, what, cc, v, relation " " goal[cc], ok ? "met" : "MISSED"
        }
    }
    END {
        if (names) {
            printf "\n%-16s %8s %8s   instructions per word (per entry: *_push; per bind: *_bind_*)\n", "kernel", "gcc", "clang"
            for (i = 1; i <= names; i++)
                printf "%-16s %8s %8s\n", order[i], value["gcc", "instr:" order[i]],
                    value["clang", "instr:" order[i]]
        }
        printf "\nbench: %d goals met, %d missed\n", met, missed
    }' tests/bench/rows.txt
