# Shell test of gpucmd-dump on kernel logs of Intel and on excerpts with registers: each line in plain
# words, streams only where words are. Codes and registers are those of public reports, with values
# changed; the expected words are by hand. Run from the root of the tree with the tool in $BUILD.
suite=dump_logs
. tests/dump/lib.sh

# log LINE...: a text without a stream.
log()
{
    lines "$@"
    run 2 i915
    has err 'read as i915-log: 0 streams, 0 words'
}

# ---- i915: hangs. The code is IPEHR xor INSTDONE: 0x85dffffb is 7a000004 with ffdfffff, 0xe757fefe is
# 18800101 with ffd7ffff, 0xe7577efe the same with bit 15 clear.

log '[  785.576863] [drm] GPU HANG: ecode 9:0:0x85dffffb, in game.exe [2301], reason: Hang on rcs0, action: reset' \
    '[  785.576866] [drm] GPU crash dump saved to /sys/class/drm/card0/error' \
    '[  785.576872] i915 0000:00:02.0: Resetting rcs0 after gpu hang'
has out 'gen9, engine rcs0: IPEHR xor INSTDONE is 0x85dffffb, IPEHR may be 0x7a000004 PIPE_CONTROL'
has_line out '    process game.exe [2301]'
has_line out 'line 2: the state of the GPU is in /sys/class/drm/card0/error: save this file whole, as root'
has_line out 'line 3: engine rcs0 is being reset'
log '[ 1.0] i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out' \
    '[ 1.0] i915 0000:00:02.0: [drm] a[7] context reset due to GPU hang' \
    '[ 1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:e757fefe, in a [7]' \
    '[ 2.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:e7577efe, in a [7]'
has_line out '    reason: preemption time out: the batch did not yield to other work within preempt_timeout_ms'
has_line out 'line 2: the work of a[7] was taken off the GPU, because it hung'
has out 'gen9, engines 0x1 render: IPEHR xor INSTDONE is 0xe757fefe, IPEHR may be 0x18800101 MI_BATCH_BUFFER_START'
has_line out 'the codes of lines 3 and 4 differ in 0x00008000: the same command, with another INSTDONE; 0x18800101 MI_BATCH_BUFFER_START fits both'
log '[ 7.0] [drm] stuck on render ring' '[ 7.1] [drm] GPU HANG: ecode 0:0x87d3bffa, in wm [2243], reason: Ring hung, action: reset'
has_line out 'line 1: the render ring did not move on (hang)'
has out '    engine 0 (render): IPEHR xor INSTDONE is 0x87d3bffa'
has out 'the generation is not told: --gen'
# 0x87d3bffa is 18800101 with 9f53befb; a batch start is named beside the commands that fit better.
has out 'at the start of a batch, 0x18800101 MI_BATCH_BUFFER_START (gen8 and later), INSTDONE is 0x9f53befb'
log '[ 7.1] [drm] GPU HANG: ecode 9:0:0x00000000, reason: Kicking stuck wait, action: continue'
has out 'no engine was found hung'
log '[ 7.1] i915 0000:00:02.0: [drm] GT0: GUC: Got context reset notification: 0x1004 on rcs0, exiting = no, banned = no' \
    '[ 7.2] i915 0000:00:02.0: [drm] *ERROR* GT0: GUC: Engine reset failed on 0:0 (rcs0) because 0x00000000' \
    '[ 7.3] i915 0000:00:02.0: [drm] Resetting chip for GuC failed to reset engine mask=0x1' \
    '[ 7.4] i915 0000:00:02.0: [drm] something new with 0x12345678'
has_line out 'line 1: the GuC took context 0x1004 off rcs0: it hung, or did not yield in time'
has_line out 'line 2: the GuC could not reset engine 0 of class 0, render (rcs) (code 0x0)'
has_line out 'line 3: the whole GPU is being reset'
has_line out 'line 4: not explained: something new with 0x12345678'
# A line that mail has wrapped.
log '[ 7.1] i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:85def5fb,' 'in llama-bench [15]' '[ 7.2] i915 0000:00:02.0: [drm] Resetting chip for stopped' 'heartbeat on rcs0'
has_line out '    process llama-bench [15]'
has_line out '    reason: stopped heartbeat on rcs0: nothing moved on for heartbeat_interval_ms'

# ---- the command parser and gvt

log '[ 3.1] [drm:i915_cmd_parser [i915]] CMD: Rejected register 0x2080 in command: 0x11000001 (rcs0)' \
    '[ 3.2] [drm:check_cmd] CMD: Rejected command: 0x0a000000'
has_line out '    command 0x11000001: MI_LOAD_REGISTER_IMM'
has_line out '    register 0x2080: rcs0.HWS_PGA; a batch without rights may not write it'
has_line out '    command 0x0a000000: MI_DISPLAY_FLIP'
log '[ 4.0] gvt: vgpu 1: unknown cmd 0x7a000004, opcode=0x7a00, addr_type=ppgtt, ring rcs0, workload=00000000a1b2' \
    '[ 4.1] gvt: vgpu 1: len is not valid:  len=3  valid_len=6'
has_line out '    command 0x7a000004: PIPE_CONTROL'
has_line out '    the length is wrong; expected 6 words'
{
    echo '[ 4.0] gvt: cmd: vgpu1 RINGrcs0: ring_start(00001000) ring_end(00005000) ring_head(00001040) ring_tail(00001080)'
    echo '[ 4.0] gvt: cmd: BATCH_BUFFER PPGTT ip_gma(00201010) '
    echo '[ 4.0] gvt: cmd: ip_va=00000000f00f1010: 11000001 00002600 00000005 05000000 '
    echo '[ 4.0] gvt: cmd: ip_va=00000000f00f1000: 7a000004 00101021 00000000 00000000 00000000 00000000 00000000 00000000 '
    echo '[ 4.0] gvt: cmd: ip_va=00000000f00f1020: '
    for word in 11000001 00002600 00000005 00000000 05000000 00000000 00000000 00000000; do
        echo "[ 4.0] gvt: cmd: $word "
    done
} >"$dir/in"
run 0 i915 --gen 9
has_line out '# stream 0: rcs0 batch at 0x201000, 16 words, line 3, gen9'
has_line out '00201020: 11000001 MI_LOAD_REGISTER_IMM'
has_line out '00201030: 05000000 MI_BATCH_BUFFER_END'
lines '[ 5.0] gvt: cmd_parser: Malicious MI_STORE_DATA_IMM detected, addr=0xdead0000, len=4!' '[ 5.0] cmd dump: ' \
    '[ 5.0] 10000002 ' '[ 5.0] dead0000 ' '[ 5.0] 00000000 ' '[ 5.0] 00000001 ' '[ 5.0] vgpu1: aperture 0x10000000'
run 0 i915 --gen 9
has_line out '    the operand of MI_STORE_DATA_IMM goes beyond what the guest owns'
has out '# stream 0: command, 4 words, line 2, gen9'
has_line out '00000000: 10000002 MI_STORE_DATA_IMM'

# ---- registers

log 'render error detected, EIR: 0x00000010' '  IPEHR: 0x01000000' '  INSTDONE_0: 0xfffffffe' '  ACTHD: 0x000004c0'
has_line out '    IPEHR 0x01000000 MI_USER_INTERRUPT: first word of the command in execution'
has_line out '    INSTDONE 0xfffffffe: busy: bit 0'
has_line out '    EIR 0x00000010: privilege of memory'
log 'It hangs with IPEHR 0x70020002 and ACTHD = 0x00345678 on my machine,' 'see above. INSTDONE was 0xffffdfff.'
has_line out '    IPEHR 0x70020002 MEDIA_INTERFACE_DESCRIPTOR_LOAD: first word of the command in execution'
has_line out '    ACTHD 0x00345678: address of the command that is read'
has out '    INSTDONE 0xffffdfff: busy: bit 13'
run 2 i915 --gen 9
has_line out '    INSTDONE 0xffffdfff: busy: bit 13 (URBM)'
log 'GPU HANG: ecode 12:1:85def5fb, in llama-bench [15]' 'Platform: METEORLAKE' '-- engine rcs0 --' \
    '      IPEHR:  0x7a000a04' '      ACTHD_LDW:  0xffe52144' '      ACTHD_UDW:  0x0000effe'
has_line out '    ACTHD 0xeffeffe52144: address of the command that is read'
has_line out 'the code of line 1 and IPEHR give INSTDONE 0xffdeffff: busy: bit 16 (VFE), bit 21 (CS)'
# An error state without memory.
lines 'GPU HANG: ecode 9:0:0x85dffffb, in x [1]' 'PCI ID: 0x1912' 'render command stream:' '  START: 0x00001000' \
    '  HEAD:  0x00200040' '  TAIL:  0x00000080' '  CTL: 0x00003001' '  ACTHD: 0x00000000 00100040' '  IPEHR: 0x7a000004' '  INSTDONE: 0xffdfffff'
run 2 i915
has_line out '    CTL 0x00003001: a ring of 0x4000 bytes, on'
has_line out '    INSTDONE 0xffdfffff: busy: bit 21 (CS)'
has_line out 'the code of line 1 is IPEHR xor INSTDONE of rcs0'
has_line out '    the engine is in a batch'
# An opcode that was shifted by one too many.
log 'IPEHR: 0x1c008002' 'ACTHD: 0x00001000'
has out 'it looks like MI_SEMAPHORE_WAIT (0x0e008002) with its opcode shifted by 24 instead of 23'

# ---- xe

log '[ 1.0] xe 0000:03:00.0: [drm] Tile0: GT0: Engine reset: engine_class=ccs, logical_mask: 0x1, guc_id=2, state=0x3' \
    '[ 1.1] xe 0000:03:00.0: [drm] GT0: Timedout job: seqno=42, lrc_seqno=42, guc_id=2, flags=0x20 in app [77]' \
    '[ 1.2] xe 0000:03:00.0: [drm] Xe device coredump has been created' \
    '[ 1.3] xe 0000:03:00.0: [drm] Check your /sys/class/drm/card1/device/devcoredump/data' \
    '[ 1.4] xe 0000:03:00.0: [drm] GT0: Engine memory CAT error [18]: class=bcs, logical_mask: 0x1, guc_id=4' \
    '[ 1.5] xe 0000:03:00.0: [drm] device wedged, needs recovery'
has_line out 'line 1: the GuC reset an engine of class ccs: its work hung or faulted'
has_line out 'line 2: a job of app [77] did not end in time, queue of guc_id 2'
has_line out 'line 4: the coredump is in /sys/class/drm/card1/device/devcoredump/data: copy it whole, as root, before it is dropped'
has_line out 'line 5: an engine of class bcs made an access that the page tables do not translate'
has_line out '    type 18: its meaning is not public'
has_line out 'line 6: wedged: every call fails until the driver is bound anew or the bus is reset'
has err 'devcoredump/data'
log '[ 2.0] xe 0000:03:00.0: [drm] GT0: ' '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	ASID: 7' \
    '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	Faulted Address: 0x00007f1234567000' '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	FaultType: 1' \
    '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	AccessType: 1' '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	FaultLevel: 0' \
    '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	EngineClass: 3 bcs' '[ 2.0] xe 0000:03:00.0: [drm] GT0: 	EngineInstance: 0' \
    '[ 2.1] xe 0000:03:00.0: [drm] GT0: Fault response: Unsuccessful -EINVAL'
has_line out '    address 0x7f1234567000 (of the page)'
has_line out '    FaultType 1: write without the right'
has_line out '    AccessType 1: write'
has_line out '    FaultLevel 0: PTE'
has_line out '    EngineClass 3: bcs'
log '[ 1.0] xe 0000:03:00.0: [drm] GT0: Check job timeout: seqno=1, lrc_seqno=1, guc_id=2, running_time_ms=5120, timeout_ms=5000, diff=0x1234' \
    '[ 1.0] xe 0000:03:00.0: [drm] GT0: Schedule disable failed to respond, guc_id=5' '[ 1.0] xe 0000:03:00.0: [drm] GT0: reset queued from xe_guc_exec_queue_trigger'
has_line out 'line 1: the job ran for 5120 ms; 5000 ms are allowed'
has_line out 'line 2: the GuC did not stop a queue: a reset of the GT follows'
# A coredump without a job: the batch that the engine reads is found by ACTHD.
zeros=$(printf '%01018d' 0 | tr 0 z)
lines '**** Xe Device Coredump ****' 'PCI ID: 0x9a49' '**** HW Engines ****' 'bcs0 (physical), logical instance=0' \
    '	ACTHD: 0x0000000000800004' '	IPEHR: 0x05000000' '**** VM state ****' '[800000].length: 0x1000' \
    "[800000].data: z#QOi)$zeros" "z$zeros"
run 1 i915
has err 'the topic Job is missing: no batch is named'
has err 'the object at 0x800000 has the address where bcs0 stopped'
has out '<== ACTHD: the GPU stopped here'

# ---- NVIDIA: registers of the host engine by name, old and new lines, wrapped lines

lines 'NVRM: Xid (PCI:0000:00:07): 32, pid=1, name=x, channel 0x01000008 intr1 00000004 HCE_DBG0 00000300 HCE_DBG1 00002186' \
    'NVRM: Xid (PCI:0000:00:07): 32, pid=1, name=x, Channel ID 0000000d intr0 00040000'
run 2 nv
has_line out '    channel 8'
has out '    HCE_PRIV: '
has out 'copy class, method 0x0300 LAUNCH_DMA 0x00002186'
has out 'DST_TYPE=PHYSICAL'
has out '    PBENTRY: '
lines '[ 1.0] nouveau 0000:06:00.0: fifo: PBDMA9: 00000004 [HCE_PRIV] ch 1 00000300 00001386' \
    '[ 2.0] nouveau 0000:06:00.0: fifo:PBDMA0: CTXNOTVALID chid:2' '[ 3.0] nouveau 0000:06:00.0: fifo:PBDMA0: intr0 00040000' \
    '[ 4.0] nouveau 0000:06:00.0: gr: something else 00000300'
run 2 nv
has out 'SRC_TYPE=PHYSICAL'
has out '    CTXNOTVALID: '
has out '    PBENTRY: '
has_line out 'line 4: not explained: gr: something else 00000300'
lines '[ 1.0] nouveau 0000:01:00.0: fifo: PBDMA0: 00400000 [METHODCRC] ch 7' '[003f8f9000 Xorg[13]] subc 0 mthd 007c data 00000000' \
    '[ 1.1] nouveau 0000:01:00.0: gr: DATA_ERROR 0000000d [BEGIN_END_ACTIVE]' 'ch 7 [003f8f9000 Xorg[13]] subc 0 class a197 mthd 1614 data 00000000'
run 2 nv
has_line out '    host method 0x007c CRC_CHECK 0x00000000'
has_line out '    class a197 method 0x1614 END 0x00000000'
lines '[ 1.0] nouveau 0000:02:00.0: fifo: CACHE_ERROR - ch 2 [x[8]] subc 0 mthd 0060 data beef0201'
run 2 nv
has_line out '    host method 0x0060 DMA_SEMAPHORE 0xbeef0201'
# Without a class the chip is unknown: a method that later chips lack has the name of GK104.
lines '[ 1.0] nouveau 0000:01:00.0: fifo: PBDMA0: 00400000 [METHODCRC] ch 7 [003f8f9000 Xorg[13]] subc 0 mthd 007c data 00000000'
run 2 nv
has_line out '    host method 0x007c CRC_CHECK 0x00000000'
lines '[ 1.0] nouveau 0000:01:00.0: fifo: PBDMA0: 01100000 [XBARCONNECT] ch 3 [7f849000 X[9]] subc 0 mthd 0084 data 00000000'
run 2 nv --chip tu117
has out '    ENG_RESET: '
has out 'the driver prints XBARCONNECT, the name on older chips'
lines '[ 1.0] nouveau 0000:01:00.0: gsp: rc engn:00000001 chid:24 type:31 scope:1 part:233' \
    '[ 1.1] nouveau 0000:01:00.0: gsp: Xid:69 Class Error: ChId 0018, Class 0000c597, Offset 00001614, Data 44700000, ErrorCode 0000000c'
run 2 nv
has out 'line 1: the firmware reports error 31, the number of an Xid: fault of the MMU'
has_line out '    error code 0x0c INVALID_BITFIELD'
lines '[ 1.0] nvgpu: 17000000.gpu f:180  [ERR]  fe exception: esr 0x80000002, info 0x0108c7c0' '[ 1.1] nvgpu: 17000000.gpu g:1  [ERR]  error notifier set to 13 for ch 508'
run 2 nv
has_line out '    info 0x0108c7c0: class c7c0, subchannel 0'
# Entries of a GPFIFO: bits 62:42 words, 39:2 address.
lines 'gpfifo[0] = 0x0000320000100000' 'gpfifo[1] = 0x0000820100102000'
run 2 nv
has_line out '    12 words at 0x100000'
has_line out '    32 words at 0x100102000'
# Push text since Mesa 24.2: a value is a number in parentheses, a number, or a name alone.
lines 'nouveau: ch8: psh 00000000 0000000000 0000000014' '[0x00000000] HDR 200406c0 subch 0 NINC' 'mthd 1b00 NVC797_SET_REPORT_SEMAPHORE_A' '.OFFSET_UPPER = (0x1)' \
    'mthd 1b04 NVC797_SET_REPORT_SEMAPHORE_B' '.OFFSET_LOWER = (0x21c000)' 'mthd 1b08 NVC797_SET_REPORT_SEMAPHORE_C' '.PAYLOAD = 0x6d9' \
    'mthd 1b0c NVC797_SET_REPORT_SEMAPHORE_D' '.OPERATION = NOT_A_NAME'
run 1 nv --format tsv
has_line out "0x8${tab}0021c000${tab}DATA${tab}0${tab}0x1b04${tab}-${tab}SET_REPORT_SEMAPHORE_B"
has_line out "0xc${tab}000006d9${tab}DATA${tab}0${tab}0x1b08${tab}-${tab}SET_REPORT_SEMAPHORE_C"
has err 'the name of a value is not in the list of its field (1 in total)'

# ---- what decides: the words that a format explains

lines '[ 1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:0:0x85dffffb, in x [1]' \
    '0x7f0000001000: 0x7a000004 0x00101021 0x00000000 0x00000000' '0x7f0000001010: 0x00000000 0x00000000 0x05000000 0x00000000'
run 0 i915 --why-format
has err 'read as gdb-xw: 1 stream, 8 words'
has err 'hexdump: 8 words, 0 events, 0 damaged places: taken'
has out 'IPEHR may be 0x7a000004 PIPE_CONTROL'
has out '05000000 MI_BATCH_BUFFER_END'
lines 'PCI ID: 0x0126' '00000000: 7a000003 00101021 00000000 00000000' '00000010: 00000000 05000000'
run 0 i915 --input xxd-e
has_line out '00000008: 00000000   ADDRESS=0x0 GGTT=0'
if grep -q 'no --gen' "$dir/err"; then bad "$label: the chip of the text is not used"; else good; fi
lines 'NVRM: Xid (PCI:0000:01:00): 31, pid=7, name=x, Ch 00000007' '0x20018000 0x00000001'
run 2 i915
has err 'nvidia-xid, a format of another vendor: gpucmd-dump nv reads it'
lines 'asahi 206400000.gpu: GPU fault nya~!!!!!' '0x20018000 0x00000001'
run 2 nv
has err 'no stream here: another command set: a log of asahi (Apple); gpucmd-dump agx explains it'
lines '0x20010000, 0x0000c597,' 'of these only the first line counts, the rest' 'of the file is about something else, so that' 'it must not look as if all were fine'
run 1 nv
has err '3 lines without words; the first: line 2'

# ---- decoders: words that the text lacks are neither checked nor run

lines 'Detected GEN9 chipset' 'batch (rcs0) at 0x0000000000100000' '0x00100000:  0x7a000004:  PIPE_CONTROL      ' '0x00100000:  0x7a000004 : Dword 0' \
    '    DWord Length: 4' '0x00100004:  0x00101021 : Dword 1' '    CS Stall: true' '0x00100018:  0x69040302:  PIPELINE_SELECT     ' \
    '0x00100018:  0x69040302 : Dword 0' '0x0010001c: unknown instruction 7fff0001' '0x00100020: -- 12345678' '0x00100024: -- 9abcdef0' '0x00100028:  0x05000000:  MI_BATCH_BUFFER_END     '
run 0 i915
has_line out '# stream 0: rcs0 batch at 0x100000, 11 words, line 3, gen9 (the decoder'"'"'s text)'
has_line out '00100004: 00101021   DEPTH_CACHE_FLUSH=1 DC_FLUSH=1 RENDER_TARGET_FLUSH=1 CS_STALL=1'
has_line out '00100008: ????????'
has out '00100020: 12345678'
run 1 i915 --run
has err 'stream 0: 4 words are not in the text, so it is not run'
run 0 i915 --check
has err 'stream 0: 4 words are not in the text; commands with such words are not checked'
# A structure repeats words; without offsets all addresses are 0.
lines '0x00000000:  0x61010002:  STATE_X     ' '0x00000000:  0x61010002 : Dword 0' '0x00000000:  0x00000001 : Dword 1' \
    '0x00000000:  0x00000001 : Dword 0' '0x00000000:  0x00000022 : Dword 1' '0x00000000:  0x00000333 : Dword 3' \
    '0x00000000:  0x00000000:  MI_NOOP   ' '0x00000000:  0x05000000:  MI_BATCH_BUFFER_END    '
run 0 i915 --gen 9 --format tsv --all
has err 'all addresses are 0'
has_line out "0x10${tab}00000000${tab}MI_NOOP${tab}1${tab}rcs"
has_line out "0x14${tab}05000000${tab}MI_BATCH_BUFFER_END${tab}1${tab}rcs"

finish
