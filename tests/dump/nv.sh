# Shell test of `gpucmd-dump nv`: every input kind, option, format, message and
# exit status. Expected rows are typed from the forms of the facts, never taken
# from the tool. Run from the root of the tree with the tool in $BUILD.
suite=dump_nv
. tests/dump/lib.sh
options='--names none' # dump_names.sh tests names

# decodes: $dir/in gives the two words of this row, whatever stands around them.
decodes()
{
    run 0 nv --chip gk104 --format tsv
    tsv <<'END' | out_is
        offset word     form subc mthd  count
        0x0    200180c0 INC  4    0x300 1
        0x4    00000686 DATA 4    0x300 -
END
}

# ---- a log of libdrm, as it stands

for word in 200181c2 03303210 200681c3 00001030 00000020 00000040 00000001 00000000 00000000 \
    20088100 00000000 004cd000 00000000 004cb000 00000080 00000080 00000020 00000040 \
    200180c0 00000686; do
    printf 'nouveau: \t0x%s\n' $word
done >"$dir/log"
cp "$dir/log" "$dir/in"
run 0 nv --chip gk104 --format tsv
has err 'line 1: words without a psh line; the beginning of the push is not known'
tsv >"$dir/log.tsv" <<'END'
    offset word     form subc mthd  count
    0x0    200181c2 INC  4    0x708 1
    0x4    03303210 DATA 4    0x708 -
    0x8    200681c3 INC  4    0x70c 6
    0xc    00001030 DATA 4    0x70c -
    0x10   00000020 DATA 4    0x710 -
    0x14   00000040 DATA 4    0x714 -
    0x18   00000001 DATA 4    0x718 -
    0x1c   00000000 DATA 4    0x71c -
    0x20   00000000 DATA 4    0x720 -
    0x24   20088100 INC  4    0x400 8
    0x28   00000000 DATA 4    0x400 -
    0x2c   004cd000 DATA 4    0x404 -
    0x30   00000000 DATA 4    0x408 -
    0x34   004cb000 DATA 4    0x40c -
    0x38   00000080 DATA 4    0x410 -
    0x3c   00000080 DATA 4    0x414 -
    0x40   00000020 DATA 4    0x418 -
    0x44   00000040 DATA 4    0x41c -
    0x48   200180c0 INC  4    0x300 1
    0x4c   00000686 DATA 4    0x300 -
END
out_is <"$dir/log.tsv"
run 0 nv --format tsv
out_is <"$dir/log.tsv"
has err 'no --chip: decoding for GF100'
run 0 nv --chip gk104 --format tsv "$dir/log"
out_is <"$dir/log.tsv"
run 0 nv --chip gk104 --format tsv -- "$dir/log"
out_is <"$dir/log.tsv"
run 0 nv --chip gk104 --format tsv -
out_is <"$dir/log.tsv"
run 0 nv --chip gk104 --run --format tsv
tsv <<'END' | out_is
    va   subc mthd  data
    0x4  4    0x708 03303210
    0xc  4    0x70c 00001030
    0x10 4    0x710 00000020
    0x14 4    0x714 00000040
    0x18 4    0x718 00000001
    0x1c 4    0x71c 00000000
    0x20 4    0x720 00000000
    0x28 4    0x400 00000000
    0x2c 4    0x404 004cd000
    0x30 4    0x408 00000000
    0x34 4    0x40c 004cb000
    0x38 4    0x410 00000080
    0x3c 4    0x414 00000080
    0x40 4    0x418 00000020
    0x44 4    0x41c 00000040
    0x4c 4    0x300 00000686
END
has err 'run: IDLE, 20 words read, 16 methods delivered'
# The whole of libdrm's message has groups of bare digits in front, which are no words.
{
    echo 'nouveau: kernel rejected pushbuf: Invalid argument'
    echo 'nouveau: ch0: krec 0 pushes 1 bufs 4 relocs 0'
    echo 'nouveau: ch0: buf 00000000 00000003 00000004 00000004 00000000'
    echo 'nouveau: ch0: psh 00000000 0000000000 0000000050'
    cat "$dir/log"
} >"$dir/in"
run 0 nv --chip gk104 --format tsv
out_is <"$dir/log.tsv"

# ---- kinds of input

words 200180c0 00000686
decodes
cp "$dir/in" "$dir/raw"
run 0 nv --chip gk104 --format tsv --input raw
has_line out "0x4${tab}00000686${tab}DATA${tab}4${tab}0x300${tab}-"
lines 200180c0 00000686
decodes
run 0 nv --chip gk104 --format tsv --input hex
has_line out "0x4${tab}00000686${tab}DATA${tab}4${tab}0x300${tab}-"
lines '200180c0 00000686'
decodes
lines '0x200180c0 0x00000686'
decodes
lines '0X200180C0,0X00000686'
decodes
lines 'static const uint32_t words[] = {' '    0x200180c0u, 0x00000686u, // LAUNCH_DMA 0x00000001' '};'
decodes
lines '0x200180c0, 0x686,'
decodes
lines '0x200180c0' '0x686'
decodes
lines '[   12.345678] nouveau 0000:01:00.0: fifo: 0x200180c0' '[   12.345700] nouveau 0000:01:00.0: fifo: 0x00000686'
decodes
lines '[12345678] x: 200180c0' '[12345679] x: 00000686'
decodes
lines 'Nov 21 10:52:12 host kernel: [  7.1] nouveau: 0x200180c0' 'Nov 21 10:52:12 host kernel: [  7.1] nouveau: 0x00000686'
decodes
lines '20240131 10:52:12 200180c0' '20240131 10:52:12 00000686'
decodes
lines '00001000: 200180c0 00000686'
decodes
lines '0x00001000: 0x200180c0 0x00000686'
decodes
lines '0x00001000 200180c0 00000686'
decodes
lines '[0x00001000] = 0x200180c0' '[0x00001004] = 0x00000686'
decodes
lines '0x7f0012345678 0x200180c0' '0x7f001234567c 0x00000686'
decodes
lines '12345678:01:00.0 200180c0' '12345678:01:00.0 00000686'
decodes
lines '# words of a test, 0x00000001' '200180c0  # INC s4 0x0300 n1' '00000686  # 0x00000001'
decodes
lines '"200180c0", "00000686"'
decodes
printf '\357\273\2770x200180c0\n\342\200\2340x00000686\342\200\235\n' >"$dir/in"
decodes
printf '\033[33mnouveau:\033[0m 0x200180c0\r\n\033[1;33mnouveau:\033[0m 0x00000686' >"$dir/in"
decodes
cp "$dir/raw" "$dir/in"
run 0 nv --chip gk104 --base 0x1000
cp "$dir/out" "$dir/in"
decodes
cp "$dir/raw" "$dir/in"
run 0 nv --chip gk104 --base 0x10000000
cp "$dir/out" "$dir/in"
decodes
cp "$dir/raw" "$dir/in"
run 0 nv --chip gk104 --format json
cp "$dir/out" "$dir/in"
run 0 nv --chip gk104 --format tsv "$dir/raw"
cp "$dir/out" "$dir/in"
decodes

lines 'nouveau: 0x200180c0' 'nouveau: 0x686'
run 1 nv --chip gk104
has err 'line 2: a word of 3 digits; expected 8'
lines 'no words here, at 10:52:12'
run 2 nv
has err 'no word in 0x1b bytes of text: expected groups of eight hex digits'
run 1 nv --chip nv40 --input raw
printf '%s\n' '00000000  c0 80 01 20 86 06 00 00  |... ....|' '00000008' >"$dir/in"
decodes

# Raw and hex give the same rows, for every capture.
for capture in "$captures"/*/*.bin; do
    grep -q "	fifo	" "${capture%/*}/index.tsv" || continue # another vendor's
    od -An -v -tx4 "$capture" >"$dir/in"
    chip=${capture%/*}
    chip=${chip##*-}
    label="$capture"
    "$tool" nv --chip "$chip" --format tsv "$capture" >"$dir/want" 2>&1
    status=$?
    "$tool" nv --chip "$chip" --format tsv "$dir/in" 2>&1 >"$dir/out" | grep -v "read as" >>"$dir/out"
    if [ $status -eq 0 ] && cmp -s "$dir/want" "$dir/out"; then
        good
    else
        bad "$capture: raw and hex differ" "$(diff "$dir/want" "$dir/out")"
    fi
    if ! "$tool" nv --chip "$chip" --run --format tsv "$capture" >"$dir/out" 2>"$dir/err"; then
        bad "$capture: --run" "$(cat "$dir/err")"
    fi
    if "$tool" nv --chip "$chip" --check --format tsv "$capture" >"$dir/out" 2>"$dir/err" &&
        ! grep -q error "$dir/out"; then
        good
    else
        bad "$capture: --check" "$(cat "$dir/out")"
    fi
done

# ---- every form

words 00000000 20010040 00000007 60024104 0000000a 0000000b a0036400 00000001 00000002 00000003 \
    80058044 0001fff0 00020030 00030000 e0000000
run 0 nv --chip c76f --format tsv
tsv <<'END' | out_is
    offset word     form        subc mthd   count
    0x0    00000000 NOP         -    -      -
    0x4    20010040 INC         0    0x100  1
    0x8    00000007 DATA        0    0x100  -
    0xc    60024104 NON_INC     2    0x410  2
    0x10   0000000a DATA        2    0x410  -
    0x14   0000000b DATA        2    0x410  -
    0x18   a0036400 ONE_INC     3    0x1000 3
    0x1c   00000001 DATA        3    0x1000 -
    0x20   00000002 DATA        3    0x1004 -
    0x24   00000003 DATA        3    0x1004 -
    0x28   80058044 IMMD        4    0x110  -
    0x2c   0001fff0 SLI_COND    -    -      -
    0x30   00020030 SLI_STORE   -    -      -
    0x34   00030000 SLI_USE     -    -      -
    0x38   e0000000 END_SEGMENT -    -      -
END
words 00040100 00000007 40080104 00000008 00000009
run 0 nv --chip gf100 --fmt old --format tsv
tsv <<'END' | out_is
    offset word     form        subc mthd  count
    0x0    00040100 OLD_INC     0    0x100 1
    0x4    00000007 DATA        0    0x100 -
    0x8    40080104 OLD_NON_INC 0    0x104 2
    0xc    00000008 DATA        0    0x104 -
    0x10   00000009 DATA        0    0x104 -
END
words 20010040 00000007 00040100 00000007
run 0 nv --chip gp100 --fmt both
run 1 nv --chip gp100 --fmt new
words 0008e100 00000001 00000002 40042200 00000003 00010020 20000100 00000101 00000102 00020000
run 0 nv --chip nv40 --mode nv4 --sli 2 --format tsv
tsv <<'END' | out_is
    offset word     form     subc mthd  count
    0x0    0008e100 INC      7    0x100 2
    0x4    00000001 DATA     7    0x100 -
    0x8    00000002 DATA     7    0x104 -
    0xc    40042200 NON_INC  1    0x200 1
    0x10   00000003 DATA     1    0x200 -
    0x14   00010020 SLI_COND -    -     -
    0x18   20000100 JUMP_OLD -    -     -
    0x1c   00000101 JUMP     -    -     -
    0x20   00000102 CALL     -    -     -
    0x24   00020000 RETURN   -    -     -
END
run 1 nv --chip nv40 --format tsv
has_line out "0x14${tab}00010020${tab}INVALID${tab}-${tab}-${tab}-"
run 0 nv --chip g80 --mode nv4 --sli 0xfff
run 1 nv --chip g80 --mode ib --sli 0xfff
has err 'offset 0x18: 20000100: the word is not a command; expected the first word of a command of G80 in IB mode'
words 00036fb8 00000003 00000001 00000002 00000003
run 0 nv --chip g80 --format tsv
tsv <<'END' | out_is
    offset word     form         subc mthd  count
    0x0    00036fb8 LONG_NON_INC 3    0xfb8 -
    0x4    00000003 COUNT        -    -     3
    0x8    00000001 DATA         3    0xfb8 -
    0xc    00000002 DATA         3    0xfb8 -
    0x10   00000003 DATA         3    0xfb8 -
END
run 0 nv --chip nv84 --mode=ib --format=text
out_is <<'END'
0x000000  00036fb8  LONG_NON_INC s3 0x0fb8
0x000004  00000003  COUNT        n3
0x000008  00000001               s3 0x0fb8
0x00000c  00000002               s3 0x0fb8
0x000010  00000003               s3 0x0fb8
END
run 1 nv --chip g80 --mode nv4 --format tsv
has_line out "0x0${tab}00036fb8${tab}INVALID${tab}-${tab}-${tab}-"

# ---- the chip, guessed

words 00040100 00000007
run 0 nv
has err 'no --chip: decoding for G80'
words 00040100 00000007 00020000 00000000
run 0 nv
has err 'no --chip: decoding for NV40'
run 1 nv --mode ib
has err 'no --chip: decoding for GF100'
words 20010040 00000007
run 1 nv --mode nv4
has err 'no --chip: decoding for NV40'

# ---- streams that end too early

words 200681c3 00000001
run 1 nv --chip gf100 --format tsv
tsv <<'END' | out_is
    offset word     form      subc mthd  count
    0x0    200681c3 INC       4    0x70c 6
    0x4    00000001 DATA      4    0x70c -
    0x8    -        TRUNCATED 4    0x710 5
END
has err 'offset 0x8: the stream ends inside a method run; expected 5 more words'
run 1 nv --chip gf100 --format text
has_line out '0x000008  --------  TRUNCATED    s4 0x0710 n5 missing'
run 1 nv --chip gf100 --check --format tsv
has out "0x8${tab}error${tab}TRUNCATED${tab}-${tab}the stream ends inside a method run${tab}5 more words"
run 1 nv --chip gf100 --run
has err 'offset 0x8: the stream ends inside a method run or a word; expected 5 more words'
words 00036fb8
run 1 nv --chip g80 --format tsv
has_line out "0x4${tab}-${tab}TRUNCATED${tab}3${tab}0xfb8${tab}-"
run 1 nv --chip g80
has out 'the count word is missing'
run 1 nv --chip g80 --run
words 20010040 00000007
for n in 1 2 3; do
    words 20010040 00000007
    printf '\001\002\003' | head -c $n >>"$dir/in"
    run 1 nv --chip gf100 --format tsv
    has_line out "0x8${tab}-${tab}TRUNCATED${tab}-${tab}-${tab}-"
    has err "offset 0x8: the stream ends inside a word; expected $(some $((4 - n)) 'more byte')"
    run 1 nv --chip gf100
    has out "$(some $n byte) of a word"
    run 1 nv --chip gf100 --check
    has_line out "0x000008  --------  error TRUNCATED: the stream ends inside a word; \
expected $(some $((4 - n)) 'more byte')"
    run 1 nv --chip gf100 --run
done

# ---- QMDs: a grid of 4 CTAs of 32 threads with 0x20 registers, version 2.2 [C3C0]

# qmd REGISTERS: words 12 to 14, 18 to 20 and 48; all others are 0.
qmd()
{
    awk -v registers="$1" 'BEGIN {
        w[12] = "00000004"; w[13] = w[14] = "00000001"; w[18] = "00200022"; w[19] = "00010001"
        w[20] = registers; w[48] = "00001000"
        for (i = 0; i < 64; i++) print i in w ? w[i] : "00000000"
    }' >"$dir/in"
}
qmd 00002000
run 0 nv --qmd --chip gv100
has_line out '00000000: QMD 02_02 of class c3c0'
has_line out 'CTA_RASTER_WIDTH 0x4'
has_line out 'CTA_THREAD_DIMENSION0 0x20'
has_line out 'REGISTER_COUNT_V 0x20'
cp "$dir/out" "$dir/want"
run 0 nv --qmd --chip ga102 --class 1=c3c0
if cmp -s "$dir/want" "$dir/out"; then good; else bad 'the class of --class'; fi
run 0 nv --qmd --check --chip gv100
has_line out '64 words of QMDs of GV100: 0 errors, 0 warnings, 0 notes'
qmd 00010100
run 1 nv --qmd --check --chip gv100
has_line out '0x000000  00000000  error QMD_REGISTERS: the registers are 0 or too many for the CTA; expected REGISTER_COUNT_V within 0x100, not 0x101'
# version 5.1, a grid of 2 sub-tasks; sub-task 1, after 13 words, has a CTA without threads
awk 'BEGIN {
    w[4] = "09000000"; w[14] = "00510000"
    for (at = 0; at <= 13; at += 13) {
        w[at + 26] = at ? "00010000" : "00010001"; w[at + 27] = "00002001"
        w[at + 35] = "00000001"; w[at + 36] = "00010001"
    }
    for (i = 0; i < 128; i++) print i in w ? w[i] : "00000000"
}' >"$dir/in"
run 1 nv --qmd --check --chip gb202
has_line out '0x000000  00000000  error QMD_THREADS: a dimension of the CTA is 0, or there are too many; expected SUB_TASK_CTA_THREAD_DIMENSION0(1) within 0x1, not 0x0'
run 1 nv --qmd --chip nv40
has err 'expected --chip or --class 1=ID of a compute class with this version'
refuses "option '--qmd': cannot be combined with --run or --html" nv --qmd --run
lines 00000000 00000001
run 1 nv --qmd --chip gv100
has err '2 words; expected a QMD of 64, 96 or 128 words'

# ---- check

words 20010003 00000000 2002afff 00000000 00000000 20000040 c0000000 40040100 20011040 00000000 \
    e0000000 00000000
run 1 nv --chip gf100 --check --format tsv
has_line out "offset${tab}severity${tab}rule${tab}word${tab}text${tab}expected"
has out "0x4${tab}error${tab}UNKNOWN_METHOD${tab}00000000${tab}"
has out "0x8${tab}error${tab}METHOD_WRAP${tab}2002afff${tab}"
has out "0x14${tab}note${tab}EMPTY_RUN${tab}20000040${tab}"
has out "0x18${tab}error${tab}INVALID_COMMAND${tab}c0000000${tab}"
has out "0x1c${tab}error${tab}UNSUPPORTED_FORM${tab}40040100${tab}"
has out "0x20${tab}warning${tab}STRAY_BITS${tab}20011040${tab}"
has out "0x2c${tab}warning${tab}AFTER_END${tab}00000000${tab}"
run 1 nv --chip gf100 --check
has_line out '0x000018  c0000000  error INVALID_COMMAND: the word is not a command; expected the first word of a command of GF100 in IB mode'
has_line out '12 words of GF100 in IB mode: 4 errors, 2 warnings, 1 note'
words 20010040 00000007
run 0 nv --chip gf100 --check
has_line out '2 words of GF100 in IB mode: 0 errors, 0 warnings, 0 notes'
words 20001000 00020000
run 1 nv --chip nv40 --check
has_line out '0x000000  20001000  error JUMP_OUTSIDE: the target is outside the buffer; expected a target in 0x0..0x4, not 0x1000'
has out '0x000004  00020000  note RETURN_OUTSIDE'
run 0 nv --chip nv40 --check --base 0x1000
# A ring with a call and its subroutine; then the subroutine calls another.
words 00000012 00042100 00000001 2000001c 00042104 00000002 00020000 00000000
run 0 nv --chip rsx --check
has_line out '8 words of RSX in NV4-style mode: 0 errors, 0 warnings, 0 notes'
run 0 nv --chip rsx --run
has out 'run: IDLE, 8 words read, 2 methods delivered'
words 00000012 00042100 00000001 2000001c 0000001a 00020000 00020000 00000000
run 1 nv --chip rsx --check
has_line out '0x000010  0000001a  error NESTED_CALL: CALL while a subroutine is active; expected RETURN before'
run 1 nv --chip rsx --run
has err 'offset 0x10: CALL_SUBR_ACTIVE'

# Methods: what the host and the copy engine are told. checks CHIP TEXT WORD...: the only finding.
checks()
{
    chip=$1 text=$2
    shift 2
    words "$@"
    case $text in
    *' error '*) run 1 nv --chip "$chip" --check ;;
    *) run 0 nv --chip "$chip" --check ;;
    esac
    has_line out "$text"
    if [ "$(grep -c '^0x' "$dir/out")" -eq 1 ]; then good; else bad "$label: findings" "$(cat "$dir/out")"; fi
}
checks gv100 '0x000004  00008002  error SEM_MISALIGNED: the semaphore address is not aligned for the operation; expected a multiple of its 4, 8 or 16 bytes, not 0x8002' \
    20050017 00008002 00000000 00000005 00000000 00000001
checks gv100 '0x000014  01000001  error SEM_MISALIGNED: the semaphore address is not aligned for the operation; expected a multiple of its 4, 8 or 16 bytes, not 0x200008004' \
    20050017 00008004 00000002 00000005 00000000 01000001
checks nv40 '0x000008  00000012  error SEM_MISALIGNED: the semaphore address is not aligned for the operation; expected a multiple of 4, not 0x12' \
    00080060 beef0002 00000012
checks nv40 '0x000008  00001000  error SEM_RANGE: the semaphore offset or address has too many bits; expected fewer bits on NV40 than 0x1000' \
    00080060 beef0002 00001000
checks ga102 '0x000014  00000007  error SEM_OPERATION: this chip lacks the semaphore operation; expected an operation of GA102, not that of 0x7' \
    20050017 00008000 00000000 00000005 00000000 00000007
checks ga102 '0x000004  00000002  error HOST_VALUE: this chip lacks the value of MEM_OP or YIELD; expected a value of GA102, not 0x2' \
    20010020 00000002
checks ga100 '0x000004  0000c7b5  error OTHER_CHIP: this chip lacks the class; expected a class of GA100, not 0xc7b5' \
    20018000 0000c7b5
checks ga10b '0x000004  00001234  warning UNKNOWN_CLASS: no chip is known to have the class; expected a class of GA10B, not 0x1234' \
    20010000 00001234
checks ga10b '0x000004  0000c7b0  note UNCHECKED_CLASS: the methods of the class are not checked; expected a class whose methods are known, not 0xc7b0' \
    20018000 0000c7b0
checks ga10b '0x000004  0000c7c0  warning OTHER_SUBCHANNEL: the subchannel is for another kind of class; expected subchannels by kind: 3D 0 COMPUTE 1 INLINE 2 2D 3 COPY 4, not 0xc7c0 on 0' \
    20010000 0000c7c0
options= # methods and fields of classes are checked with the data file
checks ga10b '0x00000c  00102000  error CLASS_METHOD: the bound class lacks the method; expected a method of class 0xc7c0, not 0x0580; 0x0160 is SET_REPORT_SEMAPHORE_ADDRESS_LOWER: headers have the address / 4' \
    20012000 0000c7c0 20012160 00102000
checks gv100 '0x00000c  ff000000  warning METHOD_BITS: bits that no field of the method has are set; expected 0x0' \
    20012000 0000c3c0 200121ec ff000000
options='--names none'
checks ga102 '0x00000c  818280c0  warning COPY_EMPTY: the copy has no bytes or no lines; expected a length and, where they count, lines before' \
    20018000 0000c7b5 00000000 818280c0
checks ga102 '0x00001c  800880c0  warning RELEASE_NO_FLUSH: the copy engine releases without a flush after a copy; expected the flush bit, 0x4, in this LAUNCH_DMA' \
    20018106 00000008 818280c0 20038090 00000000 00008000 00000005 800880c0
checks ga102 '0x000020  00000001  note RELEASE_NO_WAIT: the host engine releases while an engine may be busy; expected a release that waits for idle engines, or WFI before' \
    20018106 00000008 818680c0 20050017 00008000 00000000 00000005 00000000 00000001
# An object is missed where some are bound; otherwise other pieces may have bound them. What other
# pieces set or release is not missed, and a method that the host lacks is told once.
checks ga102 '0x00000c  00000002  warning UNBOUND_SUBCHANNEL: the stream binds no object to this subchannel; expected SET_OBJECT on subchannel 3 before' \
    20018000 0000c7b5 20016100 00000002
words 20016100 00000002
run 0 nv --chip ga102 --check
has_line out '2 words of GA102 in IB mode: 0 errors, 0 warnings, 0 notes'
words 20050017 00008000 00000000 00000005 00000000 00000000
run 0 nv --chip ga102 --check
has_line out '6 words of GA102 in IB mode: 0 errors, 0 warnings, 0 notes'
words 0004006c 00000005
run 0 nv --chip nv40 --check
has_line out '2 words of NV40 in NV4-style mode: 0 errors, 0 warnings, 0 notes'
checks gf100 '0x000004  00000000  error UNKNOWN_METHOD: the host engine of this chip lacks the method; expected 0x100 or above, or a host method of GF100, not 0x78' \
    2001001e 00000000
words 20010020 00000002
run 1 nv --chip ga102 --check --base 0x1000 --format tsv
has_line out "0x4${tab}error${tab}HOST_VALUE${tab}00000002${tab}this chip lacks the value of MEM_OP or YIELD${tab}a value of GA102, not 0x2"
run 1 nv --chip ga102 --check --format json
has out '{"offset":4,"severity":"error","rule":"HOST_VALUE","word":2,'

# Bytes in the other order.
words 00800120 b5c70000
hint='standard input: all words are commands in the other byte order; expected'
for how in '' --check --run; do
    run 1 nv --chip ga102 $how
    has err "$hint --big-endian"
done
words 20018000 0000c7b5
run 1 nv --chip ga102 --check --big-endian
has err "$hint no --big-endian"
words 00800120
run 1 nv --chip ga102
if grep -q 'byte order' "$dir/err"; then bad "$label: a hint that does not help"; else good; fi
lines 00800120 b5c70000
run 1 nv --chip ga102
if grep -q 'byte order' "$dir/err"; then bad "$label: text has no byte order"; else good; fi

# ---- run

words 00040000 beef3097 0004e100 00000005 00020000 00000000
run 0 nv --chip nv30 --run --base 0x2000
has_line out '0x002004  s0 0x0000 = beef3097  SET_OBJECT'
has_line out '0x00200c  s7 0x0100 = 00000005'
has_line out 'run: IDLE, 5 words read, 2 methods delivered'
has out 'subr_active=0x0'
run 0 nv --chip nv30 --run --base 0 --format json
has_line out '{"va":4,"subc":0,"mthd":0,"data":3203346583},'
has_line out '{"va":12,"subc":7,"mthd":256,"data":5},'
has out '{"run":"IDLE","words":5,"methods":2,'
words 00040100 00000005
run 0 nv --chip nv4 --run --format tsv
has_line out "0x4${tab}0${tab}0x100${tab}00000005"
words 80070040
run 0 nv --chip gb100 --run --base 0x10000000000 --format tsv
has_line out "0x10000000000${tab}0${tab}0x100${tab}00000007"
words 20000000
run 1 nv --chip nv40 --run
has err 'still running after 65540 words; expected an end'
words 20001000
run 1 nv --chip nv40 --run
has err 'address 0x1000: MEM_FAULT: '
has err 'expected words between 0x0 and 0x4'
words 00000002 00000002
run 1 nv --chip nv40 --run
has err 'offset 0x0: CALL_SUBR_ACTIVE: call inside a subroutine'
words 00000000 00040004 00000000
run 1 nv --chip g80 --run
has err 'offset 0x8: INVALID_MTHD: method below 0x100 that the host engine lacks'
words e0000004
run 1 nv --chip g80 --run
has err 'offset 0x0: INVALID_CMD: not a command of this chip and mode; expected what G80 accepts in IB mode'
words 00000000 c0000000
run 1 nv --chip tu102 --run
has err 'offset 0x4: PBENTRY: no such command, or address wraps; expected what TU102 accepts in IB mode'
has out 'run: FAULT, 2 words read, 0 methods delivered'
words 00010020 20010040 00000007 00010010 20010040 00000008
run 0 nv --chip gf100 --run --sli 2 --format tsv
has_line out "0x8${tab}0${tab}0x100${tab}00000007"
has err '1 methods delivered'
words 00010020 00040100 00000007 00010010 00040100 00000008
run 0 nv --chip nv40 --run --sli 2 --format tsv
has_line out "0x8${tab}0${tab}0x100${tab}00000007"
has err '1 methods delivered'

# ---- big-endian

printf '\000\004\001\000\000\000\000\007' >"$dir/in"
for chip in nv1a nv40 g80; do
    run 0 nv --chip $chip --big-endian --format tsv
    has_line out "0x4${tab}00000007${tab}DATA${tab}0${tab}0x100${tab}-"
    run 0 nv --chip $chip --big-endian --run --format tsv
    has_line out "0x4${tab}0${tab}0x100${tab}00000007"
done
printf '\040\001\000\100\000\000\000\007' >"$dir/in"
run 0 nv --chip gf100 --big-endian --run --format tsv
has_line out "0x4${tab}0${tab}0x100${tab}00000007"
lines 00040100 00000007
run 0 nv --chip nv40 --big-endian --run --format tsv
has_line out "0x4${tab}0${tab}0x100${tab}00000007"

# ---- JSON and colour

words 20010040 00000007 80070040 c0000000
run 1 nv --chip gf100 --format json
out_is <<'END'
[
{"offset":0,"word":536936512,"form":"INC","subc":0,"mthd":256,"count":1},
{"offset":4,"word":7,"form":"DATA","subc":0,"mthd":256,"count":null},
{"offset":8,"word":2147942464,"form":"IMMD","subc":0,"mthd":256,"count":null},
{"offset":12,"word":3221225472,"form":"INVALID","subc":null,"mthd":null,"count":null}
]
END
run 1 nv --chip gf100 --format json --check
has out '{"offset":12,"severity":"error","rule":"INVALID_COMMAND","word":3221225472,"text":'
escape=$(printf '\033')
run 1 nv --chip gf100
if grep -qF "$escape" "$dir/out"; then bad "colour without a terminal"; else good; fi
run 1 nv --chip gf100 --color always
has_line out "$escape[2m0x000000$escape[0m  20010040  $escape[36mINC$escape[0m          s0 0x0100 n1"
has out "$escape[31mINVALID$escape[0m"
run 1 nv --chip gf100 --color never
if grep -qF "$escape" "$dir/out"; then bad "colour with --color never"; else good; fi

# ---- usage

words 20010040 00000007
run 0 --help
has out 'usage: gpucmd-dump nv|i915|agx [options] [FILE]'
run 0 nv -h
has out '--big-endian'
run 0 formats --help
has out 'One array with one object per line.'
refuses "first argument 'amd': expected nv, i915, agx or formats before --help" amd --help
run 0 --version
has out 'gpucmd-dump 0.'
refuses "no vendor: expected nv, i915 or agx as first argument"
refuses "first argument 'amd': expected nv, i915 or agx" amd
refuses "unknown option '--chips': expected an option of gpucmd-dump --help" nv --chips nv40
refuses "option '--chip': expected a value" nv --chip
refuses "option '--check=1': expected no value" nv --check=1
refuses "argument 'b': expected at most one FILE" nv a b
refuses "--chip 'nv2000': expected a chip" nv --chip nv2000
refuses "--chip 'nv1': expected nv4 or later" nv --chip nv1
refuses "--mode 'dma': expected nv4|ib" nv --mode dma
refuses "--mode 'ib': expected nv4 for this chip" nv --chip nv40 --mode ib
refuses "--mode 'nv4': expected ib for this chip" nv --chip gf100 --mode nv4
refuses "--fmt 'odd': expected new|old|both" nv --fmt odd
refuses "--fmt 'old': expected new" nv --chip gv100 --fmt old
refuses "--fmt 'both': expected new" nv --chip g80 --fmt both
refuses "--sli '0x1000': expected a mask of subdevices" nv --sli 0x1000
refuses "--sli '0x': expected a mask" nv --sli 0x
refuses "--sli '': expected a mask" nv --sli=
refuses "--sli '1': expected no --sli for this chip" nv --chip nv10 --sli 1
refuses "--base '2': expected a multiple of 4" nv --chip gf100 --base 2
refuses "--base '-4': expected an address" nv --chip gf100 --base -4
refuses "--base '18446744073709551616': expected an address" nv --base 18446744073709551616
refuses "--base '0x100000000': expected 0x8 bytes to lie below" nv --chip nv40 --run --base 0x100000000
refuses "--base '0xfffffffffffffffc': expected" nv --chip gf100 --run --base 0xfffffffffffffffc
refuses "--input 'notation': expected auto|raw|mesa-push|" nv --input notation
refuses "--format 'xml': expected text|tsv|json" nv --format xml
refuses "--color 'red': expected auto|always|never" nv --color red
refuses "option '--check': cannot be combined with --run" nv --check --run
refuses "$dir/none: cannot be opened: expected a readable file ($missing)" nv "$dir/none"
refuses "$dir: cannot be read after 0x0 bytes: expected a file (Is a directory)" nv "$dir"
if [ -w /dev/full ]; then
    label='gpucmd-dump >/dev/full'
    "$tool" nv --chip gf100 <"$dir/in" >/dev/full 2>"$dir/err"
    if [ $? -eq 2 ]; then good; else bad "$label: exit status"; fi
    has err 'standard output: cannot be written'
fi

# ---- make demo, which checks every stream that it shows

label='examples/demo.sh'
if sh examples/demo.sh >"$dir/out" 2>"$dir/err"; then good; else bad "$label" "$(tail "$dir/out")"; fi
quiet err
has out 'All 12 segments of gles2_tri-tu102: 2135 words, 0 errors, 12 run to their end,'
if grep -q ' $' "$dir/out" || grep -q '.\{101\}' "$dir/out"; then
    bad "$label: spaces at the end of a line, or a line of more than 100 columns"
else
    good
fi

finish
