# Headers of `make slim`. They compile alone in C and C++ without warnings. Programs that need no other
# part print the same with them as with the whole headers; with fewer parts they do not compile.
. tests/checks/lib.sh

list=$BUILD/jobs/slim-check.list
out=$BUILD/slim
rm -rf "$out"
mkdir -p "$out" "$BUILD/jobs"
have_all=$(have_vendors)

# copies DIRECTORY PARTS: print all slim headers with these parts.
copies()
{
    mkdir -p "$out/$1"
    for h in $HEADERS; do
        v=${h#gpucmd_}
        [ "$h" = gpucmd.h ] && v=core
        sh tests/checks/slim.sh "${v%.h}" "$2" >"$out/$1/$h" || exit 1
    done
    copied="$copied $1"
}
copied=
copies write write
copies read read
copies run 'run'
copies check check
copies write-read 'write read'
copies write-read-run 'write read run'
copies all 'write read run kernel'

# The program of the README, and one that only reads.
awk '/^```c/ { on = 1; next } /^```/ { if (on) exit } on' README.md >"$out/readme.c"
cat >"$out/reader.c" <<'END'
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include <stdio.h>
int main(void)
{
    const uint32_t words[3] = {0x20010040, 7, 0x80000000};
    char lines[512];
    gpucmd_text text;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    if (gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, true, true, GPUCMD_NV_FMT_NEW) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_text_init(&text, lines, sizeof lines);
    gpucmd_nv_walk_init(&walk, &gate, words, 3);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_print(&text, &gate, &cmd, 4 * (uint64_t)(cmd.data - cmd.head_dw - words));
    }
    return fputs(lines, stdout) < 0;
}
END

# The sizes in the table of INSTALL.md, in KiB. A difference of one tenth is accepted.
cat >"$out/sizes.awk" <<'EOF'
FILENAME == "-" { bytes[FNR] = $1; next }
index($0, "| " row " |") == 1 {
    split($0, cell, / *[|] */)
    for (i = 1; i <= 4; i++) {
        n++
        if (cell[i + 2] * 1024 < bytes[i] * .9 || cell[i + 2] * 1024 > bytes[i] * 1.1) {
            print row ": " cell[i + 2] " KiB; expected " bytes[i] / 1024
            n = 9
        }
    }
}
END { exit n != 4 }
EOF

# same SOURCE PARTS [FEWER]: the program prints the same with slim headers; with fewer parts it does not
# compile.
same()
{
    id=$(basename "$1" .c)
    x="$CC -std=c99 -O0 -w $have_all"
    job "$id, $2" "$x -Werror=implicit-function-declaration -Werror=undef -I$out/$2 -Itests/compile \
        -o $out/$2/$id $1 && $x -I. -o $out/$id.whole $1 && $out/$2/$id >$out/$2/$id.txt &&
        $out/$id.whole >$out/$id.txt && test -s $out/$id.txt && cmp $out/$id.txt $out/$2/$id.txt"
    if [ "$3" ]; then
        job "$id needs more than $3" "! $x -Werror=implicit-function-declaration -I$out/$3 \
            -Itests/compile -o $out/$3/$id $1 2>/dev/null"
    fi
}

{
    for d in $copied; do
        for h in $HEADERS; do
            for cc in $(compilers); do
                job "$d $h $cc" "$cc -std=c99 $(warnings "$cc" c) -I$out/$d -c -o $out/$d-$h-$cc.o \
                    -DHEADER='\"$h\"' tests/compile/alone_impl.c"
            done
            cxx=$(cxx_of gcc)
            [ "$cxx" ] && job "$d $h $cxx" "$cxx -x c++ -std=c++11 $(warnings gcc c++) -I$out/$d -c \
                -o $out/$d-$h-$cxx.o -DHEADER='\"$h\"' tests/compile/alone_impl.c"
            job "$d $h licence" "head -n 1 $out/$d/$h | grep -qxF '/* SPDX-License-Identifier: MIT */' && grep -q 'MIT License' $out/$d/$h && grep -q 'SLIM COPY' $out/$d/$h"
        done
    done
    same "$out/readme.c" write
    same tests/compile/words.c write read
    same "$out/reader.c" read write
    same examples/13_pci_windows.c run write-read
    same examples/16_io_ports.c run write-read
    for e in 01_first_words 02_measure_then_write 10_nv4_ring 11_ampere_copy 12_sli_mask 15_doorbell \
        21_i915_ring_wrap 22_i915_two_engines 23_i915_math 40_deadlock; do
        same "examples/$e.c" write-read-run write-read
    done
    for e in 14_tegra 20_i915_gem_exec_nop 31_agx_vm_bind; do
        same "examples/$e.c" all write-read-run
    done
    for d in write:write read:read 'write read run:write-read-run' 'whole headers:.'; do
        row=${d%%:*} dir=$out/${d##*:}
        [ "${d##*:}" = . ] && dir=.
        job "INSTALL.md, $row" "wc -c $dir/gpucmd.h $dir/gpucmd_nv.h $dir/gpucmd_i915.h $dir/gpucmd_agx.h |
            awk -v row='$row' -f $out/sizes.awk - INSTALL.md"
    done
} >"$list"
sh tests/checks/jobs.sh count slim-check "$list" 2>&1
status=$?
echo "bytes                $HEADERS"
for d in $copied; do
    printf '%-20s' "$d"
    for h in $HEADERS; do printf ' %d' $(wc -c <"$out/$d/$h"); done
    echo
done
exit $status
