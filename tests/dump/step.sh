# Shell test of gpucmd-dump --step: forwards, backwards, breaks, memory, what waits for what. Run from the
# root of the tree with the tool in $BUILD.
suite=dump_step
. tests/dump/lib.sh
samples=examples/page/samples

# ---- two engines that wait for each other ----
lines run print 'set 0x500040 1' run
run 0 i915 --step $samples/i915_hang.txt
has_line out '0: rcs0 0x400000  stream 0 offset 0x0  7a000004  PIPE_CONTROL'
has_line out '  write (rcs0) 0x500000: 00000000 -> 00000001'
has_line out '  wait (rcs0) 0x500040, 0x1'
has_line out 'rcs0 at 0x400028 waits for memory 0x500040 == 0x1, which is 0x0'
has_line out 'bcs0 at 0x401014 waits for memory 0x500080 == 0x1, which is 0x0'
has out 'ACTHD=0x400028'
has_line out '  wake (rcs0) 0x500040, 0x1'
has_line out '  write (rcs0) 0x500080: 00000000 -> 00000001'
has_line out 'all words are executed'

# ---- back is the inverse of step: memory, too ----
lines 'step 2' 'memory 0x500000 1' back 'memory 0x500000 1' step 'memory 0x500000 1' 'undo 100' print
run 0 i915 --step $samples/i915_hang.txt
if [ "$(grep '^0x500000:' "$dir/out" | tr '\n' ' ')" = "0x500000: 00000001 0x500000: 00000000 0x500000: 00000001 " ]; then
    good
else
    bad "back and step" "$(cat "$dir/out")"
fi
has_line out '0: rcs0 0x400000  stream 0 offset 0x0  7a000004  PIPE_CONTROL'

# ---- breaks ----
lines 'break name MI_SEMAPHORE_WAIT' run delete 'break 0x500080' 'set 0x500040 1' run
run 0 i915 --step $samples/i915_hang.txt
has_line out 'break: MI_SEMAPHORE_WAIT at 0x401014'
has_line out 'break: write at 0x500080'
lines 'break semaphore' run
run 0 nv --step $samples/nouveau_hang.txt
has out 'break: release at 0x100000'

# ---- two channels: who would release ----
lines 'break method 0x1c' run print delete run waits
run 0 nv --step $samples/nouveau_hang.txt
has out 'break: SEMAPHORED at 0x'
has out 'METHOD=0x1c'
has out 'PB_COUNT=0x1'
has_line out '  release (ch1) 0x100000, 0x1'
has_line out 'channel 1: channel 2 would release it'
has_line out 'channel 2: no channel writes there'

# ---- a finding ----
printf '0x00000000 0x10000001 0x00500000 0x00000000 0x05000000 0x00000000\n' >"$dir/file"
lines 'break finding' run
run 0 i915 --gen 9 --engine rcs --step "$dir/file"
has out 'finding: '

# ---- Apple: the three queues ----
lines step step print run
run 0 agx --step $samples/agx_queues.txt
has_line out '  start command 0 in the compute queue'
has out 'compute.ENDED=0x1'
has_line out 'all words are executed'

# ---- JSON: one object a command ----
lines step 'unit 1' back
run 0 i915 --step --format json $samples/i915_hang.txt
has out '"units":[{"name":"rcs0","result":"DONE"'
if [ "$(grep -c '^{"steps":' "$dir/out")" = 4 ]; then good; else bad "objects" "$(cut -c1-60 "$dir/out")"; fi

# ---- what is wrong ----
lines nonsense 'unit 9' 'set 1 2' 'break' 'memory x'
run 0 i915 --step $samples/i915_hang.txt
has_line out "'nonsense': expected a command of help"
has_line out 'unit: expected 0 to 1'
has_line out 'set: expected an address, a multiple of 4, and a word'
has_line out 'break: expected an address, method, name, semaphore or finding'
has_line out "'x': expected a number, decimal or hex with 0x"
refuses "expected FILE" i915 --step
refuses "cannot be combined" i915 --step --run $samples/i915_hang.txt
refuses "not tsv" nv --step --format tsv $samples/nouveau_hang.txt
finish
