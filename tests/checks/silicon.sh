# The programs of tests/silicon on a model of the driver that is preloaded: the example, the comparison
# and the measurements, a GPU that is wrong, one that stops, no GPU at all; the reading of a program's
# streams. Needs Linux with a 64-bit little-endian CPU.
. tests/checks/lib.sh

tier=silicon
out=$BUILD/silicon
list=$BUILD/jobs/$tier.list
mkdir -p "$out" "$BUILD/jobs"
case $(uname -s)-$(uname -m) in
Linux-x86_64 | Linux-aarch64) ;;
*) skip "$tier" "needs Linux on x86_64 or aarch64"; exit 0 ;;
esac
if ! works $CC -shared -fPIC -pthread -ldl; then
    skip "$tier" "$CC does not build a shared library here"
    exit 0
fi
w=$(warnings "$CC" c)
lib="$CC -std=gnu11 -O2 -shared -fPIC -fvisibility=hidden -pthread $w -Wno-reserved-macro-identifier -I."
exe="$CC -std=c99 -O2 $w -Wno-reserved-macro-identifier -I."
model="LD_PRELOAD=$PWD/$out/model.so"
watch="LD_PRELOAD='$PWD/$out/watch.so $PWD/$out/model.so'"

# seen DIR COUNT ERRORS: the table of watch.c says that COUNT (the player's "N segments, M words", plus
# those of the example's copy: 1 and 23) were seen, with so many errors, and nothing was lost.
seen="awk -F'\t' -v want=\"\$(cat %s/player.txt)\" -v errors=%s 'NR > 1 { s += \$3; n += \$4; u += \$5; e += \$6; l += \$7 }
    END { exit !(s \" segments, \" n - 23 \" words\" == want && u == errors && e == errors && l == 0) }' %s/watch.tsv"

for l in model watch; do
    $lib -o "$out/$l.so" tests/silicon/$l.c -ldl 2>"$out/$l.err" || echo "FAIL: $tier: $l.so: $(head -3 "$out/$l.err")"
done
for e in silicon player; do
    $exe -o "$out/$e" tests/silicon/$e.c 2>"$out/$e.err" || echo "FAIL: $tier: $e: $(head -3 "$out/$e.err")"
done
{
    job "libraries and programs build" "cat $out/model.err $out/watch.err $out/silicon.err $out/player.err | { ! grep .; }"
    job "run" "rm -rf $out/run; $model CC='$CC' tests/silicon/run --out $out/run --seconds 2 >$out/run.txt && awk -F'\t' '\$1 ~ /streams compared/ { n += \$2 } \$1 ~ /streams that differ/ { d += \$2 } \$1 ~ /^(submissions|doorbell|copy|time)/ { m++ } END { exit !(n > 20 && d == 0 && m == 7) }' $out/run/report.tsv"
    job "run without a GPU" "CC='$CC' tests/silicon/run --out $out/none >/dev/null; [ \$? = 77 ] && [ ! -e $out/none/report.tsv ]"
    job "one channel, all risks" "$model $out/silicon --seconds 15 --streams 40 --channels 1 --risk 2 >$out/one.txt && grep -q 'risk 0: streams compared  *20.000' $out/one.txt && grep -q 'risk 2: streams compared  *10.000' $out/one.txt"
    job "a sandbox: UVM maps" "RM_MODEL_SANDBOX=1 $model $out/silicon --seconds 5 --streams 60 >$out/uvm.txt && grep -q 'memory by UVM' $out/uvm.txt"
    job "a GPU that is wrong" "RM_MODEL_WRONG=1 $model $out/silicon --seconds 20 --streams 400 --report $out/wrong.tsv >$out/wrong.txt; [ \$? = 1 ] && grep -q '^seed [0-9]*: ce_reduce\$' $out/wrong.txt && [ \$(grep -c DIFFERENCE $out/wrong.txt) = 1 ] && grep -q '^difference	[0-9]* ce_reduce	vid+0x' $out/wrong.tsv"
    job "a GPU that stops" "RM_MODEL_STOP=1 $model $out/silicon --seconds 20 >$out/stop.txt; [ \$? = 1 ] && grep -q '^channel error: Xid 32, engine 0xc' $out/stop.txt && grep -q ^STOPPED $out/stop.txt && ! grep -q 'streams compared' $out/stop.txt"
    for way in '' bad; do
        d=$out/watch$way
        job "watch $way" "rm -rf $d; mkdir $d; GPUCMD_WATCH=$d $watch $out/player $way >$d/player.txt && $(printf "$seen" "$d" "$([ -z "$way" ] && echo 0 || echo 1)" "$d")"
    done
    job "watch keeps files" "$BUILD/gpucmd-dump nv --chip gh100 \$(ls $out/watch/c1_*.bin | head -1) | grep -q SET_OBJECT"
    for h in i915 asahi tegra nouveau nvidia; do
        job "$h without a device" "$exe -o $out/hw_$h examples/hardware/$h.c && { $out/hw_$h >$out/hw_$h.txt; [ \$? = 77 ]; } && [ \$(wc -l <$out/hw_$h.txt) = 1 ]"
    done
    # The same programs on the devices that examples/gpucmd-run emulates.
    if $MAKE gpucmd-run >"$out/gpucmd-run.err" 2>&1 && [ -x "$BUILD/gpucmd-run" ]; then
        on="$BUILD/gpucmd-run --check --quiet"
        for g in bdw:8 skl:9 icl:11 tgl:12; do
            job "hw_i915 on ${g%:*}" "$on --gpu ${g%:*} -- $out/hw_i915 ${g#*:}"
        done
        for g in gf100 gk104 gm107 gp102 gv100 tu102; do
            job "hw_nouveau on $g" "$on --gpu $g -- $out/hw_nouveau"
        done
        job "hw_i915 without execution" "! $on --no-exec --gpu skl -- $out/hw_i915 9"
        job "hw_nouveau without copies" "! $on --off copy --gpu gk104 -- $out/hw_nouveau"
    else
        job "hw_i915 and hw_nouveau on emulated devices" "skip: $(tail -n 1 "$out/gpucmd-run.err")"
    fi
} >"$list"
JOBS=1 sh tests/checks/jobs.sh count "$tier" "$list" 2>&1
