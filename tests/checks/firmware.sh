# Firmware: no operating system, no C library.
#   undefined   what each header leaves undefined, interface and implementation, on six CPUs with -Os
#               and on two with -O2: memcpy, memmove and memset only. With -Os, gcc for Cortex-M0
#               also calls a function for each switch, unless -fno-jump-tables is given. clang -Oz for
#               two CPUs: also __aeabi_mem*, the names that it has for them on ARM
#   macros      GPUCMD_MEMCPY and the like: only compilers call memcpy and memset, for structures
#   kernels     __KERNEL__ with and without headers of Linux
#   check       the part check has at most 45 KiB
#   sizes       the sizes by part in the manuals
#   flags       those of U-Boot and of EDK2
#   run         examples/firmware/baremetal in QEMU: Cortex-M3, RV32, RV64
#   trees       U-Boot and EDK2 of Debian's source packages with the files of examples/firmware, built by
#               their own systems and run in QEMU; with FULL=1 also on more machines. T=TREE...: these
#               only, for example T=uboot-powerpc. T=nuttx needs NUTTX_TREES=FOLDER with the trees nuttx, apps
. tests/checks/lib.sh

out=$BUILD/firmware
mkdir -p "$out"
passed=0 failed=0 skipped=0 status=0

result()
{
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: firmware: $2"
        [ ! -s "$out/errors" ] || head -n 10 "$out/errors"
    fi
}

# tree SCRIPT-ARGUMENT-...: run a script of tests/firmware; it must print output.txt.
tree()
{
    # shellcheck disable=SC2046
    sh "tests/firmware/${1%%-*}.sh" "$out" $(echo "$1" | sed 's/^[^-]*//; s/-/ /g') \
        >"$out/$1.txt" 2>"$out/$1.log" </dev/null
    code=$?
    if grep -q '^skip: ' "$out/$1.txt"; then
        skipped=$((skipped + 1))
        sed "s/^skip: /skip: firmware: $1: /" "$out/$1.txt"
        return
    fi
    [ $code -ne 0 ] || diff examples/firmware/output.txt "$out/$1.txt" >>"$out/$1.log" || code=1
    tail -n 10 "$out/$1.log" >"$out/errors"
    result $code "$1"
}

trees='uboot-mips edk2-X64-GCC5 edk2-IA32-GCC5'
[ -z "${FULL:-}" ] || trees="$trees uboot-sandbox uboot-arm64 uboot-riscv64 uboot-powerpc edk2-X64-CLANGDWARF"
if [ "${T:-}" ]; then
    for name in $T; do
        tree "$name"
    done
    echo "firmware: $passed passed, $failed failed, $skipped skipped"
    exit $failed
fi

# undefined CPU COMMAND...: one job for each header, with the core, in the ways of $parts and $levels. The
# implementation here also contains all inline functions; the interface contains those that can be
# compiled alone. A job writes the row of the table.
undefined()
{
    cpu=$1
    shift
    have "$1" || { job "$cpu" "skip: $1 not found"; return; }
    for h in $(echo $HEADERS | sed 's/gpucmd[.]h//'); do
        echo "#include \"$h\"" >"$out/$h.c"
        for o in $levels; do
            for part in $parts; do
                f=-fkeep-inline-functions
                [ $part = interface ] || f='-DGPUCMD_EXTERN -DGPUCMD_IMPLEMENTATION'
                rows=$((rows + 1))
                row=$out/$(printf 'row%03d' $rows)
                job "$cpu $o $h $part" "$* -std=c99 $o -ffreestanding -Werror $f -I. -c -o $row.o $out/$h.c &&
                    nm -u $row.o | awk '\$2 !~ /^gpucmd_/ { print \$2 }' | sort -u >$row.calls &&
                    printf '%-11s %-4s %-14s %-14s %s\\n' $cpu $o $h $part \"\$(tr '\\n' ' ' <$row.calls)\" >$row &&
                    ! grep -v -x -e memcpy -e memmove -e memset \
                        $([ $cpu != m0-switches ] || echo "-e '__gnu_thumb1_case_.*'") \
                        $([ $1 != clang ] || echo "-e '__aeabi_mem[a-z]*[48]*'") $row.calls"
            done
        done
    done
}

list=$BUILD/jobs/firmware.list
rows=0
mkdir -p "$BUILD/jobs"
rm -f "$out"/row*
{
    parts=implementation levels=-Os
    undefined m0-switches arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
    parts='interface implementation'
    undefined cortex-m0 arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -fno-jump-tables
    undefined cortex-m4 arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
    undefined rv32imac riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32
    undefined rv64imac riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64
    parts=implementation levels=-Oz
    undefined clang-i386 clang --target=i386-linux-gnu -fno-stack-protector -fno-pic
    undefined clang-v6m clang --target=thumbv6m-none-eabi
    parts='interface implementation' levels='-Os -O2'
    undefined aarch64 aarch64-linux-gnu-gcc
    undefined x86-64 gcc -m64
} >"$list"
sh tests/checks/jobs.sh count firmware/undefined "$list" 2>&1 || status=1

if have arm-none-eabi-gcc; then
    sh tests/checks/size.sh check >"$out/errors" 2>&1
    result $? "sizes in the manuals"
else
    skipped=$((skipped + 1))
    echo "skip: firmware: sizes: arm-none-eabi-gcc not found"
fi

# Names of functions in place of memcpy, memmove and memset; what __KERNEL__ means; the part check.
cat >"$out/macros.c" <<'END'
#include <stddef.h>
void *CopyMem(void *to, const void *from, size_t n);
void *SetMem(void *to, size_t n, unsigned char byte);
#define GPUCMD_MEMCPY(d, s, n)  CopyMem(d, s, n)
#define GPUCMD_MEMMOVE(d, s, n) CopyMem(d, s, n)
#define GPUCMD_MEMSET(d, b, n)  SetMem(d, n, b)
#define GPUCMD_IMPLEMENTATION
#include "all.h"
END
if have arm-none-eabi-gcc; then
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -Os -ffreestanding $(have_vendors) \
        -I. -Itests/compile -c -o "$out/macros.o" "$out/macros.c" 2>"$out/errors" &&
        arm-none-eabi-nm -u "$out/macros.o" | awk '{ print $2 }' >"$out/macros.calls" &&
        grep -q -x CopyMem "$out/macros.calls" && grep -q -x SetMem "$out/macros.calls" &&
        ! grep -v -x -e CopyMem -e SetMem -e memcpy -e memset "$out/macros.calls" >>"$out/errors"
    result $? "macros: functions that no macro names"
    rm -rf "$out/part" && mkdir -p "$out/part"
    for v in core nv i915 agx; do
        sh tests/checks/slim.sh $v check >"$out/part/gpucmd_$v.h"
    done
    mv "$out/part/gpucmd_core.h" "$out/part/gpucmd.h"
    for h in gpucmd_nv.h gpucmd_i915.h gpucmd_agx.h; do
        arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -Os -ffreestanding -Wall -Werror "-I$out/part" \
            "-DHEADER=\"$h\"" -c -o "$out/part.o" tests/compile/alone_impl.c 2>"$out/errors" &&
            arm-none-eabi-size "$out/part.o" | awk -v h=$h 'NR == 2 { print "check, Cortex-M3, -Os: " $1 + $2 " bytes of " h;
                exit $1 + $2 > 45 * 1024 }'
        result $? "the part check of $h is larger than 45 KiB"
    done
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -Os -ffreestanding -I. -c -o "$out/write.o" \
        tests/compile/write_only.c 2>"$out/errors" && arm-none-eabi-size "$out/write.o" |
        awk 'NR == 2 { print "write only, Cortex-M3, -Os: " $1 " bytes"; exit $1 > 450 }'
    result $? "a user that only writes is larger than the manual says"
else
    skipped=$((skipped + 1))
    echo "skip: firmware: macros, check: arm-none-eabi-gcc not found"
fi
mkdir -p "$out/kernel/linux"
echo '#define LINUX_TYPES' >"$out/kernel/linux/kconfig.h"
echo '#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#define LINUX_TYPES' >"$out/kernel/linux/types.h"
for kernel in other linux; do
    { echo '#include "gpucmd.h"'; [ $kernel = other ] && echo '#ifdef LINUX_TYPES' || echo '#ifndef LINUX_TYPES'
        echo '#error types'; echo '#endif'; } >"$out/kernel.c"
    $CC -std=gnu99 -ffreestanding -D__KERNEL__ -I. $([ $kernel = other ] || echo "-I$out/kernel") -c \
        -o "$out/kernel.o" "$out/kernel.c" 2>"$out/errors"
    result $? "__KERNEL__ of $kernel"
done

# Flags of other trees, with the implementation of all headers.
flags()
{
    tree=$1
    shift
    have "$1" || { skipped=$((skipped + 1)); echo "skip: firmware: $tree: $1 not found"; return; }
    : >"$out/errors"
    "$@" -Wall -Werror $(have_vendors) -I. -c -o "$out/unit.o" tests/compile/impl.c 2>"$out/errors"
    result $? "flags of $tree"
}
flags u-boot aarch64-linux-gnu-gcc -std=gnu11 -Os -ffreestanding -fno-builtin -fno-stack-protector \
    -fno-delete-null-pointer-checks -mgeneral-regs-only -fno-PIE -fshort-wchar -fno-common -ffixed-x18 \
    -mstrict-align -Wno-format-security -Wstrict-prototypes
flags edk2 gcc -Os -fshort-wchar -fno-builtin -fno-strict-aliasing -ffunction-sections -fdata-sections \
    -fno-common -mno-red-zone -Wno-address -Wno-array-bounds -fno-stack-protector -mno-sse -m64 -fpie \
    -maccumulate-outgoing-args -fno-asynchronous-unwind-tables -mcmodel=small -D_EFI_P= -flto -DUSING_LTO
flags edk2-clang clang -Os -fshort-wchar -fno-builtin -fno-strict-aliasing -mno-implicit-float -mno-sse \
    -ffreestanding -mno-red-zone -target x86_64-pc-linux-gnu -mcmodel=small -Wno-unused-function

# run BOARD QEMU COMPILER
run()
{
    for tool in "$2" "$3"; do
        have "$tool" || { skipped=$((skipped + 1)); echo "skip: firmware: $1: $tool not found"; return; }
    done
    baremetal="$MAKE -C examples/firmware/baremetal OUT=$PWD/$out"
    $baremetal "$PWD/$out/$1.elf" >"$out/errors" 2>&1 &&
        timeout 60 $baremetal "run-$1" </dev/null >"$out/$1.txt" 2>&1
    [ $? = 0 ] && grep -E '^(nv|i915|agx): ' "$out/$1.txt" | tr -d '\r' |
        diff examples/firmware/output.txt - >>"$out/errors"
    result $? "$1: the program does not print its lines"
}
run arm qemu-system-arm arm-none-eabi-gcc
run rv32 qemu-system-riscv32 riscv64-unknown-elf-gcc
run rv64 qemu-system-riscv64 riscv64-unknown-elf-gcc

for name in $trees; do
    tree "$name"
done

echo 'cpu         -O   header         part           undefined'
cat "$out"/row???
echo "firmware: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $status -eq 0 ]
