# Shell test of `gpucmd-dump agx`: every input kind, option, format, message and
# exit status. Expected rows are typed from the submission that the driver notes
# explain and from streams that the kernel's own structures gave, never taken
# from the tool. Run from the root of the tree with the tool in $BUILD.
suite=dump_agx
. tests/dump/lib.sh

# bytes HEX...: bytes into $dir/in.
bytes()
{
    for group in "$@"; do
        while [ "$group" ]; do
            rest=${group#??}
            printf "\\$(printf %03o "0x${group%"$rest"}")"
            group=$rest
        done
    done >"$dir/in"
}

# The first row of a stream that fails has this text on standard error.
fails()
{
    run 1 agx --format tsv
    has err "$1"
    run 1 agx
    has err "$1"
    run 1 agx --run
    has err "$1"
    run 1 agx --check --format tsv
    has out "${tab}error${tab}"
}

# ---- the submission of the driver notes

lines '#0 R1 barrier=[__, C0]' '#1 C1 barrier=[__, __]' '#2 C2 barrier=[__, __]' \
    '#3 R2 barrier=[R1, C2]' '#4 R3 barrier=[__, __] # [R1, C2] implied' \
    '#5 R4 barrier=[R3, __] # [R3, C2] implied'
cp "$dir/in" "$dir/notes"
run 0 agx --format tsv
quiet err
tsv >"$dir/notes.tsv" <<'END'
    queue    op   target
    compute  RUN  C1
    compute  RUN  C2
    vertex   WAIT C0
    vertex   RUN  R1v
    vertex   WAIT R1f
    vertex   WAIT C2
    vertex   RUN  R2v
    vertex   RUN  R3v
    vertex   WAIT R3f
    vertex   RUN  R4v
    fragment WAIT R1v
    fragment RUN  R1f
    fragment WAIT R2v
    fragment RUN  R2f
    fragment WAIT R3v
    fragment RUN  R3f
    fragment WAIT R4v
    fragment RUN  R4f
END
out_is <"$dir/notes.tsv"
run 0 agx --format tsv "$dir/notes"
out_is <"$dir/notes.tsv"
run 0 agx --format tsv --input notation
out_is <"$dir/notes.tsv"
run 0 agx
out_is <<'END'
#0 R1 barrier=[__, C0]
#1 C1 barrier=[__, __]
#2 C2 barrier=[__, __]
#3 R2 barrier=[R1, C2]
#4 R3 barrier=[__, __]
#5 R4 barrier=[R3, __]

Compute     Vertex      Fragment
RUN C1      WAIT C0     WAIT R1v
RUN C2      RUN R1v     RUN R1f
            WAIT R1f    WAIT R2v
            WAIT C2     RUN R2f
            RUN R2v     WAIT R3v
            RUN R3v     RUN R3f
            WAIT R3f    WAIT R4v
            RUN R4v     RUN R4f
END
# On an idle queue there is no earlier work to wait for.
run 0 agx --format tsv --idle
grep -v "WAIT${tab}C0" "$dir/notes.tsv" | out_is
run 0 agx --format json
has_line out '{"queue":"compute","op":"RUN","target":"C1"},'
has_line out '{"queue":"vertex","op":"WAIT","target":"C0"},'
has_line out '{"queue":"fragment","op":"RUN","target":"R4f"}'
# The same without the numbers in front.
lines 'R1 [__, C0]' C1 C2 'R2 [R1, C2]' R3 'R4 [R3, __]'
run 0 agx --format tsv
out_is <"$dir/notes.tsv"

# ---- over time: every operation takes one unit

cp "$dir/notes" "$dir/in"
run 0 agx --run --format tsv
quiet err
tsv <<'END' | sort >"$dir/times"
    start end queue    target
    0     1   compute  C1
    1     2   compute  C2
    0     1   vertex   R1v
    1     2   fragment R1f
    2     3   vertex   R2v
    3     4   fragment R2f
    3     4   vertex   R3v
    4     5   fragment R3f
    5     6   vertex   R4v
    6     7   fragment R4f
END
sort "$dir/out" >"$dir/sorted"
mv "$dir/sorted" "$dir/out"
out_is <"$dir/times"
run 0 agx --run
has out 'q0 compute      C1=C2=...............'
has out 'q0 vertex       R1v...R2vR3v...R4v...'
has out 'q0 fragment     ...R1f...R2fR3f...R4f'
run 0 agx --run --format json
has out '{"start":6,"end":7,"queue":"fragment","target":"R4f"}'

# ---- pictures

run 0 agx --svg "$dir/x.svg" --dot "$dir/x.dot" --format tsv
out_is <"$dir/notes.tsv"
label='--svg, --dot'
has_line x.svg '</svg>'
has x.svg '<title>R4f 6-7</title>'
has x.svg '>fragment half, Rf or B</text>' # the legend
has x.dot '"dotted: order inside a firmware queue"'
has_line x.dot '    "C2" -> "R2";'
has_line x.dot '    "R3" -> "R4";'
has x.dot '"C*" -> "R1"'
run 0 agx --idle --dot="$dir/y.dot" --check
if grep -qF '"C*"' "$dir/y.dot"; then bad "$label: prior work in the graph"; else good; fi
refuses "$dir/none/x.svg: cannot be written: expected a writable file ($missing)" agx --svg "$dir/none/x.svg"

# ---- command streams

# One compute of 24 bytes without a barrier.
compute=01001800ffffffff000000000000000000000100150000008000010015000000
bytes $compute
run 0 agx --format tsv
tsv <<'END' | out_is
    queue   op  target
    compute RUN C1
END
run 0 agx
has out '#0 C1 '
has_line out 'RUN C1'
run 0 agx --input raw --format tsv
has_line out "compute${tab}RUN${tab}C1"
lines 0x00180001 0xffffffff 0x00000000 0x00000000 0x00010000 0x00000015 0x00010080 0x00000015
run 0 agx --format tsv
has_line out "compute${tab}RUN${tab}C1"
run 0 agx --format tsv --input hex
has_line out "compute${tab}RUN${tab}C1"
# Lines of something else: the text may be no stream, so the status is 1, as for other vendors.
lines 0x00180001 0xffffffff 0x00000000 0x00000000 0x00010000 0x00000015 0x00010080 0x00000015 a b c d e f g h i
run 1 agx --format tsv
has_line out "compute${tab}RUN${tab}C1"
has err 'this may be no stream'
# Two, the second after the first.
bytes $compute 01001800ffff0100000000000000000000000100150000008000010015000000
run 0 agx --format tsv
has_line out "compute${tab}WAIT${tab}C1"
has_line out "compute${tab}RUN${tab}C2"
run 0 agx --check --all --format tsv
has out "0x20${tab}note${tab}CHECK_OWN_COMPUTE${tab}-${tab}"
run 0 agx --check
has_line out '2 commands: 0 errors, 0 warnings, 0 notes'

# ---- what the kernel refuses

bytes 01001800ffff0100000000000000000000000100150000008000010015000000
fails 'offset 0x0: command 0: CDM_BARRIER: cdm_barrier names a later compute; expected __, C0, or a compute that comes before'
bytes ${compute%??}
fails 'PAYLOAD_TRUNCATED: payload exceeds the stream; expected as many bytes as the header says'
bytes $compute 0100
fails 'offset 0x20: command 1: HEADER_TRUNCATED: fewer than 8 bytes remain for a command header; expected a header of 8 bytes'
bytes $compute 07000000ffffffff
fails 'COMMAND_UNKNOWN: cmd_type is unknown; expected cmd_type 0 to 4'
bytes 01001800ffffffff010000000000000000000100150000008000010015000000
fails 'COMPUTE_FLAGS: compute flags are not zero; expected 0'
bytes 02000000ffff0000 $compute
fails 'offset 0x0: command 0: SOFTWARE_BARRIER: software command has a barrier; expected __ for both barriers'
bytes $compute 02001900ffffffff 00000000000000000000000000000000000000000000000000
fails 'ATTACHMENT_LENGTH: attachment payload is not a multiple of 24; expected whole attachments of 24 bytes'
bytes $compute 02001800ffffffff 000000000000000000000000000000000100000000000000
fails 'ATTACHMENT_PAD: attachment pad or flags are not zero; expected zeros'
# A render of 160 bytes: flags, then what lies before and after width, height, layers, samples.
zeros=0000000000000000000000000000000000000000000000000000000000000000
render_of()
{
    bytes 0000a000ffffffff $1 00000200150000000000000000000000 $zeros $zeros $zeros \
        0000000000000000000000000000000000000000000000000202000080073804 $2
}
render_of 0000000000000000 0100000020200104
run 0 agx
render_of 0500040000000000 0100000020200104
run 0 agx
has_line out '        flags                    0x40005 VERTEX_SCRATCH NO_VERTEX_CLUSTERING DBIAS_IS_INT'
render_of 0000008000000000 0100000020200104
fails 'RENDER_FLAGS: render flags are unknown; expected bits of drm_asahi_render_flags alone'
render_of 0000000000000000 0000000020200104
fails 'RENDER_LAYERS: layers is not 1 to 2048; expected 1 to 2048'
render_of 0000000000000000 0100000020210104
fails 'RENDER_UTILE: utile is not 32x32, 32x16 or 16x16; expected one of these three'
render_of 0000000000000000 0100000020200304
fails 'RENDER_SAMPLES: samples is not 1, 2 or 4; expected 1, 2 or 4'
lines 'R1' 'X2'
fails 'offset 0x3: command 1: NOTATION: line does not follow the notation; expected a line such as #3 R2 barrier=[R1, C2]'
lines 'R1' 'R3'
fails 'NOTATION_NUMBER: command number is out of sequence; expected #0, #1 and so on, renders from R1 and computes from C1'
lines 'R1 [R1, __]'
fails 'VDM_BARRIER: vdm_barrier names a later render; expected __, R0, or a render that comes before'
run 1 agx --format tsv
printf 'queue\top\ttarget\n' | out_is
run 1 agx --run --format tsv
printf 'start\tend\tqueue\ttarget\n' | out_is
run 1 agx --format json
echo '[]' | out_is

# ---- check

cp "$dir/notes" "$dir/in"
run 0 agx --check
has_line out '6 commands: 0 errors, 0 warnings, 0 notes'
run 0 agx --check --all --idle
has out 'note CHECK_NO_PRIOR: index 0 without prior work is ignored: compute barrier; expected no barrier here'
lines 'C1 [R0, C0]'
run 0 agx --check
has_line out '1 command: 0 errors, 0 warnings, 0 notes'
run 0 agx --check --all
has out 'note CHECK_ALONE'
run 0 agx --check --all --format json
has out '"rule":"CHECK_ALONE","word":null,'
# Drivers order more than needed on purpose: silent, and with --all one note for each rule.
lines 'C1 [R0, C0]' 'C2 [R0, C1]' 'C3 [R0, C2]' 'R1 [R0, C3]'
run 0 agx --check
has_line out '4 commands: 0 errors, 0 warnings, 0 notes'
run 0 agx --check --all
has out 'note CHECK_IMPLIED: 3 barriers wait for what is ordered anyway, first here: render barrier'
has out 'note CHECK_OWN_COMPUTE: 3 computes wait for the compute before them, first here'
has_line out '4 commands: 0 errors, 0 warnings, 2 notes'

# ---- logs of the driver, messages of Mesa, agxdecode: tests/data/agx

# explains TEXT: the text is on standard error.
explains() { has err "$1"; }
cp tests/data/agx/asahi_fault.txt "$dir/in"
run 2 agx
quiet out
explains 'line 3: fault: the MMU has rejected an access'
explains 'line 4: fault: write at address 0x1600004000 of VM slot 3 by unit gVDM_CSD_SP of half 1 (vertex data master: control streams): ReadOnly (the mapping is for reads only)'
explains 'line 18: event slot 12 was in progress: the fence of its job gets EIO, or ECANCELED if the job is of another VM than the fault'
explains 'line 22: timeout: the firmware has given up on a job'
explains 'line 26: event slot 7 was in progress: the fence of its job gets ETIMEDOUT'
explains 'line 27: event slot 8 was in progress: its job is killed: ECANCELED'
explains 'line 28: channel error: one channel is recovered, other jobs go on'
explains 'no stream in this log: expected the bytes of a command stream'
lines 'kernel: asahi 206400000.gpu:   Fault info: FaultInfo {' '  address: 0x61aa4e1dc0,' '  vm_slot: 0x4,' \
    '  unit_code: 0x21,' '  unit: UL1C(' '      0x2,' '  ),' '  read: true,' '  reason: Unmapped,' '}'
run 2 agx --check
explains 'line 1: fault: read at address 0x61aa4e1dc0 of VM slot 4 by unit UL1C of core 2 (L1 cache: loads and stores of shaders): Unmapped (the VM maps nothing there)'
lines 'asahi 206400000.gpu:   Fault info: FaultInfo {' '  unit_code: 0xe8,' '  unit: Unknown(' '  0xe8,' '  ),'
run 2 agx
explains 'line 1: the record of the fault ends with the text'
explains 'line 1: the record of the fault has no address'
lines 'MESA: UABI mismatch: Kernel 10008, Mesa 10011'
run 2 agx
explains 'line 1: drafts of the UAPI differ: the kernel has 10008, Mesa 10011'
lines 'You are attempting to use upstream Mesa with a downstream kernel!'
run 2 agx
explains 'line 1: the kernel has a draft UAPI'
cp tests/data/agx/agxdecode.txt "$dir/in"
run 0 agx
explains 'read as agxdecode: the members of commands; barriers and timestamps are not in the text'
has_line out '0x0000  #0 SET_VERTEX_ATTACHMENTS size 24 barrier=[__, __]'
has_line out '0x0020  #1 SET_FRAGMENT_ATTACHMENTS size 48 barrier=[__, __]'
has_line out '        pointer                  0x1500030000'
has_line out '0x0058  #2 R1 CMD_RENDER size 240 barrier=[__, __]'
has_line out '        flags                    0x2 PROCESS_EMPTY_TILES'
has_line out '        zls_ctrl                 0x88000'
has_line out '        depth.base               0x1500040000'
has_line out '        height_px                0x1e0'
has_line out '0x0150  #3 C1 CMD_COMPUTE size 64 barrier=[__, __]'
has_line out '        cdm_ctrl_stream_end      0x1500050040'
has_line out '        sampler_count            0x2'
run 0 agx --check
has_line out '2 commands: 0 errors, 0 warnings, 0 notes'
lines 'vdm_ctrl_stream_base = 0x1500000000' 'width_px = 64'
run 2 agx
explains 'a member of agxdecode is invalid'

# ---- declared accesses

# R1 draws into a texture that C1 reads: without a barrier nothing orders them.
lines 'R1' 'C1' 'access R1f write 0x1600000000+0x4000 # the texture' \
    '  access C1 read 0x1600003fff+1'
run 1 agx --check --format tsv
quiet err
tsv >"$dir/missing.tsv" <<'END'
    offset severity rule         word text expected
    0x3    error    CHECK_MISSING -    TEXT that~barrier
END
sed 's/TEXT/accesses overlap without an order; vdm_barrier 1 would order them: command 1 after command 0/; s/~/ /g' \
    "$dir/missing.tsv" >"$dir/missing"
out_is <"$dir/missing"
run 0 agx --format tsv # decoding and running take no notice
has_line out "compute${tab}RUN${tab}C1"
run 0 agx --run
has out 'q0 compute      C'
# With the barrier all is well; with one that no access needs it is an accident.
lines 'R1' 'C1 [R1, __]' 'access R1f write 0x1600000000+0x4000' 'access C1 read 0x1600003fff+1'
run 0 agx --check
has_line out '2 commands: 0 errors, 0 warnings, 0 notes'
lines 'R1' 'C1 [R1, __]' 'access R1f write 0x1600000000+0x4000' 'access C1 read 0x1600004000+1'
run 0 agx --check --all
has out 'note CHECK_ACCIDENT: barrier orders commands that share no access: render barrier; expected a barrier that a declared access needs'
# The vertex half of R2 may run before the fragment half of R1 ends; the fragment half not.
lines 'R1' 'R2' 'access R1f write 0x1000+16' 'access R2v read 0x1000+16'
run 1 agx --check
has out 'CHECK_MISSING'
lines 'R1' 'R2' 'access R1f write 0x1000+16' 'access R2f read 0x1000+16'
run 0 agx --check
has_line out '2 commands: 0 errors, 0 warnings, 0 notes'
lines 'R1' 'B2' 'access R1v write 0x1000+16' 'access B2f read 0x1000+16'
run 1 agx --check
has out "error CHECK_BLIT: blit, which no driver accepts"
has_line out '2 commands: 1 error, 0 warnings, 0 notes'
# In a text of hex words, and for raw bytes in a file of their own.
lines 0x00180001 0xffffffff 0x00000000 0x00000000 0x00010000 0x00000015 0x00010080 0x00000015 \
    'access C1 write 0x1600000000+8'
run 0 agx --format tsv
has_line out "compute${tab}RUN${tab}C1"
run 0 agx --check --input hex
has_line out '1 command: 0 errors, 0 warnings, 0 notes'
lines '# who does what' '' 'access C1 write 0x1600000000+8'
cp "$dir/in" "$dir/accesses"
echo 'access R1v read 0x1600000004+8' >>"$dir/accesses"
render="0000a000ffffffff000000000000000000000200150000000000000000000000 $zeros $zeros $zeros
    0000000000000000000000000000000000000000000000000202000080073804 0100000020200104"
bytes $compute $render
run 1 agx --check --access "$dir/accesses" --format tsv
has out "0x20${tab}error${tab}CHECK_MISSING${tab}-${tab}accesses overlap without an order; cdm_barrier 1 would order them: command 1 after command 0"
run 0 agx --check --format tsv
if grep -q CHECK_ "$dir/out"; then bad "$label: a finding without accesses"; else good; fi
# Lines that are none.
expected='expected a line such as access R1f write 0x1600000000+0x4000'
for line in 'access' 'access R1f' 'access R1 write 0+1' 'access C1v write 0+1' 'access B1v read 0+1' \
    'access X1 read 0+1' 'access C0 read 0+1' 'access C-1 read 0+1' 'access C1 copy 0+1' \
    'access C1 read 0' 'access C1 read 0+0' 'access C1 read 0-1' 'access C1 read -1+1' \
    'access C1 read 0+1 2' 'access C1 read 0xffffffffffffffff+2' \
    'access C1 read 0x10000000000000000+1'; do
    lines 'C1' "$line"
    run 1 agx --check
    [ "$line" = access ] || has err "offset 0x3: access: line does not follow the notation; $expected"
done
lines 'C1' 'access C2 read 0x1000+1'
run 1 agx --check
has err "offset 0x3: access: no such command; $expected"
lines 'C1' 'access R1f read 0x1000+1'
run 1 agx
has err "offset 0x3: access: no such command; $expected"
lines 'C1'
printf 'access C1 read 0+1\nC2\n' >"$dir/accesses"
run 1 agx --check --access "$dir/accesses"
has err "$dir/accesses: offset 0x13: access: line does not follow the notation"
refuses "$dir/none: cannot be opened: expected a readable file ($missing)" agx --access "$dir/none"
# A timestamp at an offset that is no multiple of 8: taken, but doubtful.
bytes 01004000ffffffff000000000000000000000100150000008000010015000000 \
    0000000000000000000000000000000000000000000000000000000000000000 010000000c000000
run 0 agx --check --format tsv
has out "0x0${tab}warning${tab}CHECK_STAMP_ALIGN${tab}-${tab}timestamp offset is not a multiple of 8${tab}a multiple of 8"

# ---- usage

run 0 agx --help
has out 'usage: gpucmd-dump agx [options] [FILE]'
cp "$dir/notes" "$dir/in"
refuses "--input 'text': expected auto|raw|notation|" agx --input text
refuses 'no word in' agx --input hex
refuses "option '--base': belongs to nv and i915, not to agx" agx --base 0
refuses "option '--svg': expected a value" agx --svg
refuses "option '--access': belongs to agx, not to nv" nv --access x
refuses "option '--idle': belongs to agx, not to nv" nv --idle
refuses "option '--check': cannot be combined with --run" agx --check --run
refuses "$dir/none: cannot be opened: expected a readable file ($missing)" agx "$dir/none"

# ---- a mapped file of text that is neither words nor notation is read twice

awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"; print "" }' >"$dir/in"
run 1 agx "$dir/in"
has err "line does not follow the notation"

finish
