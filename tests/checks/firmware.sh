# Firmware: no operating system, no C library.
#   undefined   what each header leaves undefined, interface and implementation, on six CPUs with -Os
#               and on two with -O2: memcpy, memmove and memset only. With -Os, gcc for Cortex-M0
#               also calls a function for each switch, unless -fno-jump-tables is given
#   sizes       the sizes by part in the manuals
#   trees       the flags of U-Boot and of EDK2
#   run         examples/baremetal in QEMU: Cortex-M3, RV32, RV64
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
                        $([ $cpu != m0-switches ] || echo "-e '__gnu_thumb1_case_.*'") $row.calls"
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
    levels='-Os -O2'
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
    $MAKE -C examples/baremetal OUT="$PWD/$out" "$PWD/$out/$1.elf" >"$out/errors" 2>&1 &&
        timeout 60 $MAKE -C examples/baremetal OUT="$PWD/$out" "run-$1" </dev/null >"$out/$1.txt" 2>&1
    [ $? = 0 ] && grep -E '^(nv|i915|agx): ' "$out/$1.txt" | tr -d '\r' | diff "$out/expected" - >>"$out/errors"
    result $? "$1: the program does not print its lines"
}
cat >"$out/expected" <<'END'
nv: 6 words, run IDLE, result 7
i915: 13 words, run IDLE, result 10
agx: 80 words, run IDLE, result 9
END
run arm qemu-system-arm arm-none-eabi-gcc
run rv32 qemu-system-riscv32 riscv64-unknown-elf-gcc
run rv64 qemu-system-riscv64 riscv64-unknown-elf-gcc

echo 'cpu         -O   header         part           undefined'
cat "$out"/row???
echo "firmware: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $status -eq 0 ]
