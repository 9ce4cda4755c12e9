# Shell test of gpucmd-dump on dumps as people have them: tests/data/dumps, whose index.tsv says what
# must come out. Then what damages dumps. Run from the root of the tree with the tool in $BUILD.
suite=dump_formats
. tests/dump/lib.sh
dumps=tests/data/dumps
zlib=$(pkg-config --exists zlib 2>/dev/null && echo yes)

# table FILE: of rows in TSV one line: streams, counts of commands, first command of each stream.
table()
{
    awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            form = "form" in column ? $column["form"] : $column["name"]
            s = "stream" in column ? $1 : 0
            if (form == "DATA" || form == "COUNT" || form == "TRUNCATED") next
            if (!(s in n)) {
                order[streams++] = s
                first[s] = "form" in column ? form "/" $column["subc"] "/" $column["mthd"] : form
            }
            n[s]++
        }
        END {
            for (i = 0; i < streams; i++) {
                counts = counts (i ? "," : "") n[order[i]]
                firsts = firsts (i ? "," : "") first[order[i]]
            }
            print streams + 0, streams ? counts : "-", streams ? firsts : "-"
        }' "$1"
}

# like WANT GOT: the lists are equal; * in WANT stands for anything.
like()
{
    pattern=$(printf '%s' "$1" | sed 's/[][\\.^$]/\\&/g; s/\*/[^,]*/g')
    printf '%s\n' "$2" | grep -qx -e "$pattern"
}

tail -n +2 "$dumps/index.tsv" >"$dir/index"
while IFS="$tab" read -r file format vendor gen engine args streams first counts total say has note; do
    case $format,$zlib in
    i915-error-ascii85,) grep -q '^~' "$dumps/$file" || { echo "skip: $file: no zlib"; continue; } ;;
    esac
    [ "$args" != - ] || args=
    cp "$dumps/$file" "$dir/in"
    want=0
    case $streams,$file in 0,*) want=2 ;; *truncated*) want=1 ;; esac
    # shellcheck disable=SC2086
    run $want "$vendor" $args --format tsv
    label="$file"
    # A text of words alone looks the same from hexdump -e, od -An -tx4 and echo.
    case $file in hexdump_e* | od_An*) format=hex-words ;; esac
    has err "read as $format: "
    # shellcheck disable=SC2046
    set -- $(table "$dir/out")
    if [ "$1" = "$streams" ] && like "$counts" "$2" && like "$first" "$3"; then
        good
    else
        bad "$file: streams, counts, first commands" "$* expected $streams $counts $first"
    fi
    if [ "$say" != - ] && ! grep -q "$say" "$dir/err"; then bad "$file: nothing about $say"; else good; fi
    # Each format by name gives the same rows.
    cp "$dir/out" "$dir/auto"
    case $format in gdb-x*) format=gdb ;; od-tx*) format=od ;; c-array-bytes) format=c-array ;; esac
    # shellcheck disable=SC2086
    run $want "$vendor" $args --format tsv --input "$format"
    if cmp -s "$dir/auto" "$dir/out"; then good; else bad "$file: --input $format differs"; fi
    # JSON has as many rows.
    # shellcheck disable=SC2086
    run $want "$vendor" $args --format json
    rows=$(grep -c '^{' "$dir/out")
    tsv_rows=$(tail -n +2 "$dir/auto" | wc -l)
    if [ "$rows" -eq "$tsv_rows" ]; then good; else bad "$file: JSON has $rows rows, TSV $tsv_rows"; fi
done <"$dir/index"

# ---- the table of readers: a row has a help, and a sample for each of its names

cat >"$dir/readers.c" <<'END'
#include "formats.h"
static const char *text_of(const char *text)
{
    if (text == NULL) {
        return "missing";
    }
    return text[0] != '\0' ? text : "-";
}
int main(void)
{
    for (size_t i = 0; i < READERS; i++) {
        const reader *row = readers[i];
        printf("%s\t%s\t%s\t%zu\n", text_of(row->names), text_of(row->vendors), text_of(row->samples),
               row->help != NULL ? strlen(row->help) : 0);
    }
    return 0;
}
END
label='table of readers'
if ${CC:-cc} -std=c99 -I. -Iexamples/gpucmd-dump -o "$dir/readers" "$dir/readers.c" >"$dir/err" 2>&1 &&
    "$dir/readers" >"$dir/rows"; then
    good
else
    bad "$label" "$(cat "$dir/err")"
fi
run 0 formats --help
cp "$dir/out" "$dir/page"
# sample FORMAT VENDOR FILE: the file is read as this format, which the page has.
sample()
{
    label="table of readers: $1"
    case $1 in od) read_as='od-tx[1248]' ;; gdb) read_as='gdb-x[bhwg]' ;; i915-error) read_as='i915-error-[a-z0-9]*' ;; *) read_as=$1 ;; esac
    if grep -q "^  \(.*, \)\{0,1\}$1\(,.*\|  .*\)\{0,1\}\$" "$dir/page"; then good; else bad "$label: not in the page"; fi
    if [ ! -f "$dumps/$3" ]; then bad "$label: no sample"; return; fi
    "$tool" "$2" "$dumps/$3" >"$dir/out" 2>"$dir/err"
    if grep -q "read as $read_as: " "$dir/err"; then good; else bad "$label: $3" "$(cat "$dir/err")"; fi
}
while IFS="$tab" read -r names vendors samples help; do
    case $names,$vendors in
    auto,* | raw,* | notation,*) continue ;; # no text of one format
    *,-) continue ;;                         # found in a text, but no name for --input
    esac
    label="table of readers: $names"
    if [ "$help" -ge 5 ]; then good; else bad "$label: no help"; fi
    while [ "$names" ]; do
        sample "${names%%|*}" "${vendors%% *}" "${samples%%|*}"
        case $names in *'|'*) names=${names#*|} ;; *) names= ;; esac
        case $samples in *'|'*) samples=${samples#*|} ;; *) samples= ;; esac
    done
    if [ ! "$samples" ]; then good; else bad "$label: more samples than names"; fi
done <"$dir/rows"

# ---- several streams of one dump

cp "$dumps/i915_error_4.2_hsw_2rings.txt" "$dir/in"
run 0 i915
has out '# stream 0: rcs0 batch at 0x'
has out '# stream 3: bcs0 ring at 0x'
has out 'MI_BATCH_BUFFER_START'
has out ' -> stream 2'
has out '<== ACTHD: the GPU stopped here'
run 0 i915 --format tsv
has_line out "$(printf 'stream\toffset\tword\tname\tlen_dw\tengine\tstop')"
count=$(grep -c "${tab}ACTHD\$" "$dir/out")
if [ "$count" -eq 2 ]; then good; else bad "$count commands where an engine stopped, expected 2"; fi
# A ring runs with the batches that it starts, and returns.
run 0 i915 --run --stream 1
has out 'run: IDLE, 18 commands, 1 interrupts'
has out '0x21e028  FETCH      69040002  PIPELINE_SELECT'
run 0 i915 --stream 2 --format tsv
has out 'XY_SRC_COPY_BLT'
run 0 i915 --check
has out ' of gen7.5 bcs: '
refuses "--stream '4': expected a stream of the input, 0 to 3" i915 --stream 4

# A second-level batch in memory that is no stream by itself.
lines 'PCI ID: 0x1912' 'rcs0 command stream:' '  ACTHD: 0x00000000 00201004' \
    'rcs0 --- batch = 0x00000000 00100000' '00000000 :  18800101' '00000004 :  00201000' '00000008 :  00000000' \
    '0000000c :  05000000' 'rcs0 --- user = 0x00000000 00200000'
for at in 0 1 2 3; do
    awk -v at="$at" 'BEGIN { for (i = 0; i < 256; i++) printf "%08x :  %08x\n", at * 1024 + 4 * i, at == 0 ? 0 : 83886080 }'
done >"$dir/user"
cat "$dir/user" >>"$dir/in"
echo '00001000 :  02800000' >>"$dir/in"
echo '00001004 :  05000000' >>"$dir/in"
run 0 i915
has out '# stream 1: rcs0 batch at 0x201000'
has out '00100000: 18800101 MI_BATCH_BUFFER_START PPGTT=1 -> stream 1'
has_line out '00201004: 05000000 MI_BATCH_BUFFER_END  <== ACTHD: the GPU stopped here'

# A ring that wraps: TAIL is below HEAD.
{
    printf '%s\n' 'PCI ID: 0x0126' 'render command stream:' '  START: 0x00001000' '  HEAD: 0x00000ff8' \
        '  TAIL: 0x00000008' '  CTL: 0x00000001' 'render ring --- ringbuffer = 0x00001000'
    awk 'BEGIN { for (i = 0; i < 1024; i++) printf "%08x :  %08x\n", 4 * i, i == 1022 || i < 2 ? 16777216 : 0 }'
} >"$dir/in"
run 0 i915
has out '# stream 0: rcs0 ring at 0x1ff8, 4 words, line 7, gen6 (PCI ID 0x0126), wraps to 0x1000 after 2 words'
has_line out '00001ff8: 01000000 MI_USER_INTERRUPT'
has_line out '00001000: 01000000 MI_USER_INTERRUPT'

# Pushes with addresses, of which one calls the other: named, checked and executed together.
{
    echo 'nouveau: ch1: krec 0 pushes 2 bufs 2 relocs 0'
    echo 'nouveau: ch1: buf 00000000 00000001 00000004 00000004 00000000 (nil) 0x10000 0x1000'
    echo 'nouveau: ch1: buf 00000001 00000002 00000004 00000004 00000000 (nil) 0x20000 0x1000'
    echo 'nouveau: ch1: psh 00000000 0000000000 0000000010'
    for word in 00040200 00000001 00020002 00000000; do printf 'nouveau: \t0x%s\n' $word; done
    echo 'nouveau: ch1: psh 00000001 0000000000 000000000c'
    for word in 00040204 00000002 00020000; do printf 'nouveau: \t0x%s\n' $word; done
} >"$dir/in"
run 0 nv --chip nv40 --mode nv4
has_line out '0x010008  00020002  CALL         to 0x020000 -> stream 1'
run 0 nv --chip nv40 --mode nv4 --check
has out '4 words of NV40 in NV4-style mode: 0 errors, 0 warnings, 0 notes'
has out '3 words of NV40 in NV4-style mode: 0 errors, 0 warnings, 0 notes'
run 0 nv --chip nv40 --mode nv4 --run --stream 0
has_line out '0x020004  s0 0x0204 = 00000002'
has out 'run: IDLE, 7 words read, 2 methods delivered'

# ---- what mail, web pages and logs do to a dump

base=$dumps/xxd_skl.txt
cp "$base" "$dir/in"
run 0 i915 --gen skl --format tsv
cp "$dir/out" "$dir/want_rows"
# turned WHAT: $dir/in, however changed, gives the rows of the dump.
turned()
{
    run 0 i915 --gen skl --format tsv
    if cmp -s "$dir/want_rows" "$dir/out"; then good; else bad "$1: other rows" "$(cat "$dir/err")"; fi
}
sed 's/$/\r/' "$base" >"$dir/in"; turned CRLF
sed 's/^/    /' "$base" >"$dir/in"; turned indented
sed 's/^/> /' "$base" >"$dir/in"; turned quoted
sed 's/^/>> /' "$base" >"$dir/in"; turned 'quoted twice'
sed 's/^/[ 1234.567890] /' "$base" >"$dir/in"; turned 'times of the kernel'
sed 's/^/Nov 22 09:14:00 host tag[12]: /' "$base" >"$dir/in"; turned syslog
sed 's/^/2026-11-22T09:14:00.123+01:00 host tag: /' "$base" >"$dir/in"; turned 'ISO syslog'
{ echo '```'; cat "$base"; echo '```'; } >"$dir/in"; turned markdown
# The text column of a dump is no quoted-printable mail, though lines end with '=' and one has =3D.
sed '$!{ s/  ...../  =.=../; s/.$/=/; }; 2s/..=$/=3D/' "$base" >"$dir/in"; turned 'text with ='
sed "s/^/$(printf '\033')[31m/; s/\$/$(printf '\033')[0m/" "$base" >"$dir/in"; turned colours
{ printf '\377\376'; awk '{ for (i = 1; i <= length; i++) printf "%s%c", substr($0, i, 1), 0; printf "\n%c", 0 }' "$base"; } >"$dir/in"
if [ "$(tail -c 1 "$dir/in" | od -An -tx1 | tr -d ' ')" = 00 ]; then turned UTF-16; fi
if [ "$zlib" ] && command -v gzip >/dev/null; then
    gzip -c "$base" >"$dir/in"; turned gzip
    head -c 100 "$dir/in" >"$dir/cut"; cp "$dir/cut" "$dir/in"
    run 1 i915 --gen skl
    has err 'gzip data end or are damaged'
fi
printf '\375\067\172\130\132\000\000\004rest' >"$dir/in"
run 2 i915
has err 'packed with xz; expected a plain file: unxz unpacks it'

# ---- damage is told, with the line

grep -v '^00000030' "$base" >"$dir/in"
run 1 i915 --gen skl
has err 'line 4: address 0x40 follows 0x20: lines are missing or doubled; expected 0x30'
sed '4s/0203/02g3/' "$base" >"$dir/in"
run 1 i915 --gen skl
sed -n 1,20p "$dumps/nouveau_rejected_old.txt" >"$dir/in"
run 1 nv
has err 'the length in its psh line'
sed 's/"0x23ba000"/NAME/; s/'"'0x23ba000'"'/NAME/' "$dumps/python_hexlist_gf100.txt" >"$dir/in"
run 1 nv
has err 'line 1: a name in place of a number'
sed 's/, 0x1000f010}/.../' "$dumps/gdb_p_gf100.txt" >"$dir/in"
run 1 nv
has err 'the array is cut by an ellipsis'
lines ' 200180c0 00000686' '*' ' 200180c0 00000686'
run 1 nv
if [ "$zlib" ]; then
    sed 's/^:d-R9I+N/:d-R9I{N/' "$dumps/i915_error_4.15_skl.txt" >"$dir/in"
    run 1 i915
    has err "column 7: no character of ASCII85; expected '!' to 'z'"
fi
sed '/^00000010 /d' "$dumps/i915_error_3.9_snb.txt" >"$dir/in"
run 1 i915
has err 'offset 0x14 follows 0xc: 1 words are missing'
sed '/^00000000 /d' "$dumps/i915_error_3.9_snb.txt" >"$dir/in"
run 1 i915
has err 'the first offset is 0x4: 1 words are missing'

# Nothing is decoded as garbage with status 0.
lines 'The quick brown fox' 'jumps over 0xdeadbeef' 'and the lazy dog' 'of 12345678'
run 2 nv --chip gf100
has err 'no stream here: the hex numbers have a name each'
lines 'We saw it stop after the update of last' 'week, and the trace says that the value was' \
    'near 0xdeadbeef, but nobody knows what that' 'means. Restart helps, for about an hour or so.'
run 2 i915 --gen 9
has err 'no stream here: the hex numbers have a name each'
lines 'Active: 0 GPU HANG: ecode 9:0:0x84df7efc, in ut2004 [9467], reason: Ring hung, action: reset'
run 2 i915
has err 'no memory in this text of gen9 of ut2004 [9467]'
has err '/sys/class/drm/card0/error'
lines '**** Xe Device Coredump ****' 'PCI ID: 0x9a49' '**** Job ****' 'batch_addr[0]: 0x0000000000001000'
run 2 i915
has err 'no memory of the dump holds the batch at 0x1000'
lines 'nouveau 0000:01:00.0: fifo: CACHE_ERROR - ch 2 [X] subc 3 mthd 0000 data beef0301'
run 2 nv
has out 'no object has the handle 0xbeef0301'
# Faults of the MMU: texts of NVIDIA's driver and of nouveau, old and new.
lines 'NVRM: Xid (PCI:0000:01:00): 31, pid=7, name=x, Ch 00000007, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_6 faulted @ 0x7f5a_e7504000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ'
run 2 nv
has_line out '    address 0x7f5ae7504000, engine GRAPHICS GPCCLIENT_T1_6, type FAULT_PDE ACCESS_TYPE_VIRT_READ'
has err 'gdb prints the buffer of the program'
lines 'nouveau 0000:01:00.0: fifo: fault 00 [READ] at 0000000000030000 engine 00 [GR] client 14 [GPC0/T1_0] reason 02 [PTE] on channel 4 [00ffb2f000 x[9]]' \
    'nouveau E[   PFIFO][0000:01:00.0] read fault at 0x0000013000 [PAGE_NOT_PRESENT] from GR/GPC0/T1_0 on channel 0x003fbea000 [x[9]]' \
    'nouveau 0000:01:00.0: fifo: SCHED_ERROR 0a [CTXSW_TIMEOUT]'
run 2 nv
has_line out '    address 0x30000, access READ, engine GR, client GPC0/T1_0, reason PTE'
has_line out '    address 0x13000, reason PAGE_NOT_PRESENT'
has_line out '    code CTXSW_TIMEOUT'
has err 'libdrm prints them with NOUVEAU_LIBDRM_DEBUG=1'
lines '[ 1.2] NVRM: Xid (PCI:0000:01:00): 32, pid=1, name=X, Channel ID 00000020 intr 00040000'
run 2 nv
has out 'PBENTRY'

# The order of bytes that a text does not show.
lines c0800120 86060000
run 1 nv --chip gk104 --format tsv
has err 'Taken: bytes in memory order'
has_line out "$(printf '0x0\t200180c0\tINC\t4\t0x300\t1\tLAUNCH_DMA')"
printf 'wIABIIYGAADAgAEghgYAAMCAASCGBgAAwIABIIYGAADAgAEghgYAAMCAASCGBgAA\n' >"$dir/in"
run 0 nv --chip gk104 --format tsv
has err 'read as base64'
has_line out "$(printf '0x0\t200180c0\tINC\t4\t0x300\t1\tLAUNCH_DMA')"

# ---- empty input: the same for every vendor and option

for text in '' '   '; do
    if [ "$text" ]; then lines '' "$text"; else : >"$dir/in"; fi
    for how in '' --check --run '--format tsv' '--format json'; do
        for vendor in 'nv --chip gf100' 'i915 --gen 9' agx; do
            # shellcheck disable=SC2086
            run 2 $vendor $how
            has_line err 'gpucmd-dump: standard input: the input is empty; expected words or text'
            quiet out
        done
    done
done

# ---- words with a typing error: told with line and column, a gap in the stream, status 1

lines '10000002 00010000 00000000 deadbee' '05000000 00000000'
run 1 i915 --gen 9
has err 'line 1: column 28: "deadbee" is no word; expected eight hex digits'
has_line out '0000000c: ????????'
has_line out '00000010: 05000000 MI_BATCH_BUFFER_END'
lines '  10000002 00010000' '> 00000000 deadbeef1' '> 05000000 00000000'
run 1 i915 --gen 9
has err 'line 2: column 12: "deadbeef1" is no word'
lines '10000002 00010000 00000000 deadbe0g' '05000000 00000000'
run 1 i915 --gen 9
has err 'line 1: column 28: "deadbe0g" is no word'
lines '10000002 0001000000000000 deadbeef' '05000000 00000000'
run 1 i915 --gen 9
has err 'line 1: column 10: "0001000000000000" is no word; expected eight hex digits and a blank'
has_line out '00000010: 05000000 MI_BATCH_BUFFER_END'
lines '0x10000002, 0x00010000,' '0x00000000, 0xdeadbee,' '0x05000000, 0x00000000'
run 1 i915 --gen 9
has err 'line 2: column 13: "0xdeadbee" is no word'
lines '0x10000002, 0x00010000,' '0x00000000, 0xdeadbeef0,' '0x05000000, 0x00000000'
run 1 i915 --gen 9
has err 'line 2: column 13: "0xdeadbeef0" is no word'
lines '0x20010000, 0x0000b197,' '0x2004o6c0, 0x80000044'
run 1 nv --chip gm107
has err 'line 2: column 1: "0x2004o6c0" is no word'
# Addresses of seven digits at the beginning of lines are none.
lines '1000000 10000002 00010000 00000000 deadbeef' '1000010 05000000 00000000'
run 0 i915 --gen 9
lines 'the batch' '10000002 00010000 00000000 deadbeef' 'and its end' '05000000 00000000'
run 0 i915 --gen 9
has err '2 lines without words; the first: line 1'

# ---- what is no stream of these GPUs: never status 0

lines 'GATHER at 0x1000' 'SETCL(class=051)' 'MASK(offset=012, mask=00000001)'
run 2 nv
has err 'another command set: host1x (Tegra)'
lines '--123-- w 4:0x1000, 0x20018000'
run 2 nv
has err 'another command set: mmt logs; demmt of envytools reads them'
lines '7f0000000000-7f0000002000 r--p 00000000 fe:00 1234 /bin/x' '7f0000002000-7f0000004000 r-xp 00002000 fe:00 1234 /bin/x'
run 2 i915
has err 'no stream here: the hex numbers have a name each'
lines '{"sizes": [1, 2, 3, 4, 5, 6]}'
run 2 i915
has err 'no stream here: the numbers in brackets are few and small'
lines 'It fails for {1, 2, 3, 4} only, and with 0x12345678 in the' 'field it works. Why?'
run 2 nv
has err 'no stream here'
words e0850010 00000000 00000000
run 2 i915
has err 'an AUB file, which is not read'

finish
