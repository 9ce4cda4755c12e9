# Shell test of `gpucmd-dump i915`: every input kind, option, format, message and
# exit status. Expected rows are typed from the known-good words of the facts,
# never taken from the tool. Run from the root of the tree with the tool in
# $BUILD.
suite=dump_i915
. tests/dump/lib.sh

# rows GEN ENGINE: $dir/in decodes to the rows that come here.
rows()
{
    run 0 i915 --gen "$1" --engine "$2" --format tsv
    tsv | out_is
    quiet err
}

# ---- known-good sequences of each generation

words 10000002 00000000 00001000 00000055 05000000 00000000
cp "$dir/in" "$dir/raw"
rows 6 rcs <<'END'
    offset word     name                len_dw engine
    0x0    10000002 MI_STORE_DATA_IMM   4      rcs
    0x10   05000000 MI_BATCH_BUFFER_END 1      rcs
END
words 10000002 00001000 00000000 00000055 10200003 00001000 00000000 00000055 00000000 05000000
rows 8 rcs <<'END'
    offset word     name                len_dw engine
    0x0    10000002 MI_STORE_DATA_IMM   4      rcs
    0x10   10200003 MI_STORE_DATA_IMM   5      rcs
    0x24   05000000 MI_BATCH_BUFFER_END 1      rcs
END
words 04000001 18800101 00001000 00000000 04000000 00000000
rows 8 rcs <<'END'
    offset word     name                  len_dw engine
    0x0    04000001 MI_ARB_ON_OFF         1      rcs
    0x4    18800101 MI_BATCH_BUFFER_START 3      rcs
    0x10   04000000 MI_ARB_ON_OFF         1      rcs
    0x14   00000000 MI_NOOP               1      rcs
END
words 18800080 00001001 18000001 00001001 00001ff8 00000000
rows 2 rcs <<'END'
    offset word     name                  len_dw engine
    0x0    18800080 MI_BATCH_BUFFER_START 2      rcs
    0x8    18000001 MI_BATCH_BUFFER       3      rcs
    0x14   00000000 MI_NOOP               1      rcs
END
words 13204001 000000c4 00000007 01000000 0b140001 00000063 00000000 00000000
rows 6 bcs <<'END'
    offset word     name              len_dw engine
    0x0    13204001 MI_FLUSH_DW       3      bcs
    0xc    01000000 MI_USER_INTERRUPT 1      bcs
    0x10   0b140001 MI_SEMAPHORE_MBOX 3      bcs
    0x1c   00000000 MI_NOOP           1      bcs
END
words 7a000002 011050a1 00001000 00000007 01000000 00000000
rows 7 rcs <<'END'
    offset word     name              len_dw engine
    0x0    7a000002 PIPE_CONTROL      4      rcs
    0x10   01000000 MI_USER_INTERRUPT 1      rcs
    0x14   00000000 MI_NOOP           1      rcs
END
words 0d000003 08008000 08008401 10000000 18000831 05000000
rows 7.5 rcs <<'END'
    offset word     name                len_dw engine
    0x0    0d000003 MI_MATH             5      rcs
    0x14   05000000 MI_BATCH_BUFFER_END 1      rcs
END
words 54300005 03f01000 00000000 00010400 00010000 00000000 12345678 05000000
rows 8 bcs <<'END'
    offset word     name                len_dw engine
    0x0    54300005 XY_COLOR_BLT        7      bcs
    0x1c   05000000 MI_BATCH_BUFFER_END 1      bcs
END
words 0e40c003 00000000 00001000 00000000 00000000 17840709 00001000 00000000 00000005 \
    00000000 00000000 00000000 00000000 00000000 00000000 00000000
for engine in rcs bcs vcs vecs; do
    run 0 i915 --gen 12 --engine $engine --format tsv
    has_line out "0x0${tab}0e40c003${tab}MI_SEMAPHORE_WAIT${tab}5${tab}$engine"
    has_line out "0x14${tab}17840709${tab}MI_ATOMIC${tab}11${tab}$engine"
done
run 0 i915 --gen=12.5 --engine=ccs --format=json
has_line out '{"offset":0,"word":239124483,"name":"MI_SEMAPHORE_WAIT","len_dw":5,"engine":"ccs"},'

# ---- kinds of input

stores()
{
    run 0 i915 --gen 6 --engine rcs --format tsv "$@"
    tsv <<'END' | out_is
        offset word     name                len_dw engine
        0x0    10000002 MI_STORE_DATA_IMM   4      rcs
        0x10   05000000 MI_BATCH_BUFFER_END 1      rcs
END
    quiet err
}
cp "$dir/raw" "$dir/in"
stores
stores --input raw
stores "$dir/raw"
lines 10000002 00000000 00001000 00000055 05000000 00000000
stores
stores --input hex
lines '0x10000002 0x00000000 0x00001000 0x00000055' '0x05000000 0x00000000'
stores
lines '[    7.123456] i915 0000:00:02.0: 0x10000002 0x00000000' '[    7.123460] i915 0000:00:02.0: 0x00001000 0x00000055 0x05000000'
stores
lines 'render ring --- gtt_offset = 0x00e39000' '00000000 :  10000002' '00000004 :  00000000' \
    '00000008 :  00001000' '0000000c :  00000055' '00000010 :  05000000' 'bsd ring --- 1 waiters, 0x00000001'
stores
run 0 i915 --gen 6 --engine rcs "$dir/raw"
out_is <<'END'
00000000: 10000002 MI_STORE_DATA_IMM
00000004: 00000000
00000008: 00001000   ADDRESS=0x1000
0000000c: 00000055   DATA=0x55
00000010: 05000000 MI_BATCH_BUFFER_END
END
cp "$dir/out" "$dir/in"
stores
run 0 i915 --gen 6 --engine rcs --base 0x12340000 "$dir/raw"
has_line out '12340008: 00001000   ADDRESS=0x1000'
cp "$dir/out" "$dir/in"
stores
words 10000002 00000000 12345678 deadbeef 05000000
run 0 i915 --gen 6 --engine rcs
cp "$dir/out" "$dir/in"
run 0 i915 --gen 6 --engine rcs --run --format tsv
has_line out "0x0${tab}MEM_WRITE${tab}-${tab}0x12345678${tab}deadbeef"
lines 'no words'
run 2 i915 --gen 6 --engine rcs
has err 'no word in 0x9 bytes of text: expected groups of eight hex digits'

# ---- the generation and the engine, guessed

cp "$dir/raw" "$dir/in"
run 0 i915 --format tsv
has err 'gpucmd-dump: no --gen: decoding for gen9'
has err 'gpucmd-dump: no --engine: decoding for rcs'
words 54300004 03f01000 00000000 00010400 00010000 12345678 05000000 00000000
run 0 i915 --format tsv
has err 'no --gen: decoding for gen7.5'
has err 'no --engine: decoding for bcs'
has_line out "0x0${tab}54300004${tab}XY_COLOR_BLT${tab}6${tab}bcs"
run 0 i915 --gen 6
has err 'no --engine: decoding for bcs'
if grep -q 'no --gen' "$dir/err"; then bad "$label: --gen guessed"; else good; fi
run 0 i915 --engine bcs
has err 'no --gen: decoding for gen7.5'

# ---- what is no command, and streams that end too early

words 10000002 00000000 00001000 00000055 0f800000 05000000
run 1 i915 --gen 6 --engine rcs --format tsv
has_line out "0x10${tab}0f800000${tab}UNKNOWN${tab}-${tab}rcs"
has_line out "0x14${tab}05000000${tab}MI_BATCH_BUFFER_END${tab}1${tab}rcs"
has err 'offset 0x10: 0f800000: no such command; expected the first word of a command of gen6 rcs'
run 1 i915 --gen 6 --engine rcs --format json
has_line out '{"offset":16,"word":260046848,"name":"UNKNOWN","len_dw":null,"engine":"rcs"},'
words 0f800000 0f800000 0f800000 0f800000 0f800000 0f800000 0f800000 0f800000 0f800000 0f800000 \
    0f800000 0f800000
run 1 i915 --gen 6 --engine rcs
has err 'standard input: 2 more errors'
words 10000002 00000000
run 1 i915 --gen 6 --engine rcs --format tsv
tsv <<'END' | out_is
    offset word     name              len_dw engine
    0x0    10000002 MI_STORE_DATA_IMM 4      rcs
    0x8    -        TRUNCATED         2      rcs
END
has err 'offset 0x0: MI_STORE_DATA_IMM passes the end of the input; expected 2 more words'
run 1 i915 --gen 6 --engine rcs
has_line out '00000008: -------- TRUNCATED: 2 words missing'
for n in 1 2 3; do
    words 00000000
    printf '\001\002\003' | head -c $n >>"$dir/in"
    run 1 i915 --gen 6 --engine rcs --format tsv
    has_line out "0x4${tab}-${tab}TRUNCATED${tab}-${tab}rcs"
    has err "offset 0x4: the input ends inside a word; expected $(some $((4 - n)) 'more byte')"
    run 1 i915 --gen 6 --engine rcs
    has_line out "00000004: -------- TRUNCATED: $(some $n byte) of a word"
    run 1 i915 --gen 6 --engine rcs --check --format tsv
    has_line out "0x4${tab}error${tab}TRUNCATED${tab}-${tab}the input ends inside a word${tab}$(some $((4 - n)) 'more byte')"
done

# What stands behind the end.
words 05000000 00000000 10000002 0f800000 0f800000 00000000 0f800000
run 0 i915 --gen 6 --engine rcs --format tsv
tsv <<'END' | out_is
    offset word     name                len_dw engine
    0x0    05000000 MI_BATCH_BUFFER_END 1      rcs
END
run 0 i915 --gen 6 --engine rcs --all --format tsv
tsv <<'END' | out_is
    offset word     name                len_dw engine
    0x0    05000000 MI_BATCH_BUFFER_END 1      rcs
    0x4    00000000 MI_NOOP             1      rcs
    0x8    10000002 MI_STORE_DATA_IMM   4      rcs
    0x18   0f800000 UNKNOWN             -      rcs
END


# ---- check

words 05000000 00000000
run 0 i915 --gen 6 --engine rcs --check
has_line out '2 words of gen6 rcs: 0 errors, 0 warnings, 0 notes'
words 10000002 00000000
run 1 i915 --gen 6 --engine rcs --check --format tsv
has_line out "offset${tab}severity${tab}rule${tab}word${tab}text${tab}expected"
has_line out "0x0${tab}error${tab}TRUNCATED${tab}10000002${tab}command passes the end of the batch${tab}4 words from here, not 2"
words 00000000 00000000
run 1 i915 --gen 6 --engine rcs --check
has_line out '0x000008  --------  error NO_END: no MI_BATCH_BUFFER_END; expected MI_BATCH_BUFFER_END last'
words 05000000
run 1 i915 --gen 6 --engine rcs --check
has out 'error BATCH_ALIGN: batch address or length is not a multiple of 8; expected an even number of words at a multiple of 8'
words 05000000 00000000
run 1 i915 --gen 6 --engine rcs --check --base 4
has out 'error BATCH_ALIGN'
words 0f800000 00000000
run 1 i915 --gen 6 --engine rcs --check --format json
has out '{"offset":0,"severity":"error","rule":"UNKNOWN","word":260046848,'
words 54300004 03f01000 00000000 00010400 00010000 12345678 05000000 00000000
run 1 i915 --gen 6 --engine rcs --check
has out 'error ENGINE: engine does not have the command; expected the first word of a command of gen6 rcs'
words 17000003 00001000 00000000 00002000 00000000 05000000
run 1 i915 --gen 7 --engine rcs --check
has out 'error GENERATION'
words 12000001 00002358 00001000 05000000
run 1 i915 --gen 8 --engine rcs --check
has out '0x000000  12000001  error LENGTH: wrong number of words; expected 4 words'
words 13004001 00001000 00000000 05000000
run 0 i915 --gen 20 --engine vcs --check
has out '0x000000  13004001  warning NO_DATA: no word for the data of the post-sync operation; expected 4 or 5 words'
words 7a000002 00104000 00001000 00000000 05000000 00000000
run 1 i915 --gen 9 --engine rcs --check
has out '0x000000  7a000002  error LENGTH: wrong number of words; expected 6 words, also 5, not 4, for PIPE_CONTROL'
words 11000002 00002600 00001000 00000000 05000000 00000000
run 1 i915 --gen 9 --engine rcs --check
has out 'expected 3 words, up to 257 in steps of 2, not 4, for MI_LOAD_REGISTER_IMM'
words 78770003 00000000 00000000 00000000 7a000004 00100000 00000000 00000000 00000000 00000000 05000000 00000000
run 1 i915 --gen 12.5 --engine rcs --check
out_is <<'END'
0x000000  78770003  error LENGTH: wrong number of words; expected 3 words, not 5, for 3DSTATE_MESH_CONTROL
12 words of gen12.5 rcs: 1 error, 0 warnings, 0 notes
END
words 20000000 00000001 00000002 05000000
run 1 i915 --gen 9 --engine rcs --check
out_is <<'END'
0x000000  20000000  error UNKNOWN: no such command; expected the first word of a command of gen9 rcs
0x000004  00000001  note UNCHECKED: number of words that could not be checked; expected commands, in 2 words from here
4 words of gen9 rcs: 1 error, 0 warnings, 1 note
END
words 01000000 05000000
run 0 i915 --gen 7 --engine rcs --check
has out 'warning PRIVILEGED'
run 0 i915 --gen 7 --engine rcs --check --secure
has_line out '2 words of gen7 rcs: 0 errors, 0 warnings, 0 notes'
words 05000000 00000001
run 0 i915 --gen 7 --engine rcs --check
has out '0x000004  00000001  note AFTER_END'
words 18800100 00001000 00000000 00000000
run 1 i915 --gen 6 --engine rcs --check --base 0x1000
has out 'error SELF_JUMP: jump to the start of its own batch; expected another target'

# A ring: starts return, nothing ends, TAIL counts pairs of words.
words 18800101 00001000 00000000 01000000 02800000 00000000
run 0 i915 --gen 9 --engine rcs --check --ring
has_line out '6 words of gen9 rcs: 0 errors, 0 warnings, 0 notes'
run 0 i915 --gen 9 --engine rcs --check
has_line out '0x00000c  01000000  note AFTER_START: words after a first-level MI_BATCH_BUFFER_START, which does not return; gen7.5 and later: bit 22 makes it a call; expected zeros up to the end'
words 01000000 05000000
run 1 i915 --gen 9 --engine rcs --check --ring
has out '0x000004  05000000  error END_IN_RING: MI_BATCH_BUFFER_END in a ring'
words 01000000 00000000 01000000
run 1 i915 --gen 9 --engine rcs --check --ring --base 0x12000
has out '0x000008  01000000  error RING_TAIL: TAIL is not a multiple of 8 bytes; the GPU uses the multiple before it; expected 0x8, which the GPU uses'
run 0 i915 --gen 9 --engine rcs --run --ring --base 0x12000 --format tsv
has err ': TAIL 0xc is not a multiple of 8 bytes: the GPU uses 0x8'
has err 'run: IDLE, 2 commands, 1 interrupts'
has err ' tail=0x8 '
words 10000002 00000000 00020000
run 1 i915 --gen 9 --engine rcs --check --ring
has out 'error PAST_TAIL: command passes TAIL; expected 4 words from here'
words 0f800000 00000000
run 1 i915 --gen 9 --engine rcs --run --ring
has err 'UNKNOWN: no such command on this engine; expected commands that gen9 rcs executes in a ring'
run 2 nv --ring
has err "option '--ring': belongs to i915, not to nv"

# ---- run

cp "$dir/raw" "$dir/in"
run 0 i915 --gen 6 --engine rcs --run
has_line out '0x000000  FETCH      10000002  MI_STORE_DATA_IMM'
has_line out '0x000000  MEM_WRITE  0x1000 = 00000055'
has_line out '0x000010  FETCH      05000000  MI_BATCH_BUFFER_END'
has_line out '0x000010  STATE      RS0'
has_line out 'run: IDLE, 2 commands, 0 interrupts, state RS0, error NONE'
run 0 i915 --gen 6 --engine rcs --run --format json --base 0x2000
has out '{"va":8192,"event":"MEM_WRITE","name":null,"addr":4096,"value":85},'
has out '{"run":"IDLE","commands":2,"interrupts":0,"state":"RS0","error":"NONE"'
# Names of registers: of engines, and of the media GT from gen12.7.
words 11000003 00022600 00000005 00384218 00000001 12480002 000003a8 00012340 00000000 05000000
run 0 i915 --gen 12.7 --engine bcs
has_line out '00000004: 00022600   bcs0.CS_GPR0'
has_line out '0000000c: 00384218   media.VD0_CCS_AUX_INV'
has_line out '00000018: 000003a8   REGISTER=0xea bcs0.CTX_TIMESTAMP'
run 0 i915 --gen 12.7 --engine bcs --run --secure --format tsv --base 0x10000
has_line out "0x10000${tab}REG_WRITE${tab}bcs0.CS_GPR0${tab}0x22600${tab}00000005"
# GPR0 := 5, GPR1 := 7, GPR2 := GPR0 + GPR1, stored, then loaded from memory into GPR3.
words 11000007 00002600 00000005 00002604 00000000 00002608 00000007 0000260c 00000000 \
    0d000003 08008000 08008401 10000000 18000831 12000001 00002610 00001000 \
    14800001 00002618 00001000 05000000 00000000
run 0 i915 --gen 7.5 --engine rcs --run --secure --format tsv
has out "MEM_WRITE${tab}-${tab}0x1000${tab}0000000c"
has err ' CS_GPR2=0xc'
has err ' CS_GPR3=0xc'
# A dump whose lines begin with blanks, below a line of a log that does not.
lines '[HEX] batch (8 bytes):' '  0000: 00 00 00 00 00 00 00 0a '
run 1 i915 --gen 9 --engine rcs --check
has out '0x000004  0a000000  error LENGTH'
has out 'looks like MI_BATCH_BUFFER_END (0x05000000) with its opcode shifted by 24 instead of 23'
# What a non-secure batch has no right to, and a rule that a command breaks, are rows of --run.
words 11000001 00002080 00000007 10400002 00200008 00000000 00000001 \
    7a000004 00040000 00000000 00000000 00000000 00000000 05000000
run 0 i915 --gen 9 --engine rcs --run --format tsv --base 0x10000
has_line out "0x10000${tab}DROP${tab}REGISTER${tab}0x2080${tab}00000007"
has_line out "0x1000c${tab}DROP${tab}PRIVILEGED${tab}-${tab}00200008"
has_line out "0x1001c${tab}RULE${tab}PIPE_TLB${tab}0x1001c${tab}00040000"
run 0 i915 --gen 9 --engine rcs --run --format tsv --base 0x10000 --secure
if grep -q DROP "$dir/out"; then bad 'DROP in a secure batch'; else good; fi
words 18800100 00001010 00000000 00000000 10000002 00000000 00020000 00000007 05000000 00000000
run 0 i915 --gen 6 --engine rcs --run --base 0x1000 --format tsv
has_line out "0x1010${tab}MEM_WRITE${tab}-${tab}0x20000${tab}00000007"
run 1 i915 --gen 6 --engine rcs --run --base 0x3000
has err 'address 0x1010: the batch leaves the input; expected MI_BATCH_BUFFER_END, or whole commands between 0x3000 and 0x3028 (--base)'
words 18800100 00001000
run 1 i915 --gen 6 --engine rcs --run --base 0x1000
has err 'still running after 4104 commands; expected the batch to end (--budget)'
words 00000000
run 1 i915 --gen 6 --engine rcs --run
has err 'address 0x4: the batch leaves the input'
words 10000002 00000000
run 1 i915 --gen 6 --engine rcs --run
has err 'the batch leaves the input'
words 0f800000
run 1 i915 --gen 6 --engine rcs --run
has err 'offset 0x0: UNKNOWN: no such command on this engine; expected commands that gen6 rcs executes in a batch'
has out 'run: FAULT'
# A semaphore that nobody signals: memory is 0, wanted is 5.
words 0e00c002 00000005 00001000 00000000 05000000 00000000
run 1 i915 --gen 9 --engine rcs --run
has err 'offset 0x0: blocked, nothing else runs; expected a wait condition that is true'
has err 'waits for memory 0x1000 == 0x5, which is 0x0'
has out 'run: BLOCKED'
# Memory is added as a fill reaches it: 1 MiB at 0x100000, but not 127 MiB.
words 54300004 03f01000 00000000 01000400 00100000 12345678 05000000 00000000
run 0 i915 --gen 6 --engine bcs --run --format tsv
has out "MEM_WRITE${tab}-${tab}0x100000${tab}12345678"
has err 'run: IDLE, 2 commands'
run 1 i915 --gen 6 --engine rcs --run
has err 'offset 0x0: UNKNOWN'
words 54300004 03f01000 00000000 7f000400 00100000 12345678 05000000 00000000
run 1 i915 --gen 6 --engine bcs --run
has err 'MEMORY: no memory at 0x'
has err 'expected a batch that accesses at most 40 MiB'

# A command whose text is longer than 64 KiB.
awk 'BEGIN { print "0x746e6f43"; for (i = 0; i < 5000; i++) print "0x00000000" }' >"$dir/in"
run 1 i915 --gen 9 --engine rcs
has out '00004e20: 00000000'

# ---- captures of real drivers: no unknown command, no error, a run to the end

count=0
for index in "$captures"/*/index.tsv; do
    grep -q "	gen[0-9]" "$index" || continue # another vendor's
    folder=${index%/*}
    rm -f "$dir/commands"
    while read -r file gpu gen ring va rest; do
        case $ring in
            render) engine=rcs ;;
            blt) engine=bcs ;;
            bsd) engine=vcs ;;
            vebox) engine=vecs ;;
            *) continue ;;
        esac
        label="$folder/$file"
        set -- i915 --gen "${gen#gen}" --engine $engine --base "$va" --format tsv
        if "$tool" "$@" "$folder/$file" >"$dir/out" 2>"$dir/err" && [ ! -s "$dir/err" ] &&
            ! grep -q 'UNKNOWN\|TRUNCATED' "$dir/out"; then
            good
        else
            bad "$label" "$(cat "$dir/err")"
        fi
        tail -n +2 "$dir/out" >>"$dir/commands"
        od -An -v -tx4 "$folder/$file" >"$dir/in"
        if "$tool" "$@" "$dir/in" 2>&1 | grep -v "read as" | cmp -s - "$dir/out"; then good; else bad "$label: raw and hex differ"; fi
        run 0 "$@" --check "$folder/$file"
        if grep -q "	error	" "$dir/out"; then bad "$label: --check"; else good; fi
        run 0 "$@" --run "$folder/$file"
        has err 'run: IDLE'
        count=$((count + 1))
    done <"$index"
    # Mesa's own list, where its tables have the end of a batch too.
    case $folder in
        *-gm45 | *-ilk | *-g33 | *vk_xfer_compute-hsw) continue ;;
    esac
    if [ -f "$folder/mesa-decode.tsv" ]; then
        label="$folder: Mesa's list"
        tail -n +2 "$folder/mesa-decode.tsv" | cut -f 2,3 | sed 's/^0x//' >"$dir/want"
        cut -f 2,3 "$dir/commands" >"$dir/out"
        if cmp -s "$dir/want" "$dir/out"; then good; else bad "$label" "$(diff "$dir/want" "$dir/out")"; fi
    fi
done
label=captures
if [ $count -eq 100 ]; then good; else bad "$label: $count batches"; fi

# ---- colour and usage

cp "$dir/raw" "$dir/in"
escape=$(printf '\033')
run 0 i915 --gen 6 --engine rcs --color always
has_line out "$escape[2m00000000:$escape[0m 10000002 $escape[36mMI_STORE_DATA_IMM$escape[0m"
run 0 i915 --gen 6 --engine rcs
if grep -qF "$escape" "$dir/out"; then bad "colour without a terminal"; else good; fi
run 0 i915 --help
has out 'usage: gpucmd-dump i915 [options] [FILE]'
refuses "--gen '10': expected 2|3|4|4.5|5|6|7|7.5|8|9|11|12|12.5|12.6|12.7|20|30|35" i915 --gen 10
refuses "--engine 'gcs': expected rcs|bcs|vcs|vecs|ccs|gsc" i915 --engine gcs
refuses "--engine 'ccs': expected an engine that this generation has" i915 --gen 9 --engine ccs
refuses "--base '2': expected a multiple of 4" i915 --base 2
refuses "--base '0x100000000': expected 0x18 bytes below 0x100000000 for gen6" \
    i915 --gen 6 --engine rcs --run --base 0x100000000
refuses "--input 'notation': expected auto|raw|i915-error|" i915 --input notation
refuses "option '--chip': belongs to nv, not to i915" i915 --chip nv40
refuses "option '--gen': belongs to i915, not to nv" nv --gen 6
refuses "option '--idle': belongs to agx, not to i915" i915 --idle
refuses "option '--check': cannot be combined with --run" i915 --check --run
refuses "$dir/none: cannot be opened: expected a readable file ($missing)" i915 "$dir/none"

finish
