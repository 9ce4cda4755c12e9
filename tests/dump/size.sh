# Shell test of gpucmd-dump on inputs of megabytes: a text that is read window by window gives the rows of
# its words, and memory stays below 64 MiB and the mapped input. Run from the root of the tree with the
# tool in $BUILD.
suite=dump_size
. tests/dump/lib.sh

# 640 KiB of method runs with a word that counts; a text of them has several windows of 1 MiB.
awk 'BEGIN { for (i = 0; i < 81920; i++) printf "20014040\n%08x\n", i }' >"$dir/words"
cp "$dir/words" "$dir/in"
run 0 nv --chip tu102 --format tsv
cp "$dir/out" "$dir/want"
awk 'NR > 1 && NR % 2 == 1 && $2 != sprintf("%08x", (NR - 3) / 2) { bad++ } END { exit bad != 0 || NR != 163841 }' "$dir/want"
if [ $? -eq 0 ]; then good; else bad 'words of several windows'; fi
# same WHAT: $dir/in, however written, gives the same rows.
same()
{
    run 0 nv --chip tu102 --format tsv
    if cmp -s "$dir/want" "$dir/out"; then good; else bad "$1: other rows" "$(cat "$dir/err")"; fi
}
tr '\n' ' ' <"$dir/words" >"$dir/in"; same 'words in one line'
sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/' "$dir/words" | tr -d '\n' >"$dir/in"; same 'digits in one line'
awk 'NR % 4 == 1 { printf "%s%08x:", (NR != 1 ? "\n" : ""), 4 * (NR - 1) }
    { printf " %s%s %s%s", substr($1, 7), substr($1, 5, 2), substr($1, 3, 2), substr($1, 1, 2) }
    END { print "" }' "$dir/words" >"$dir/in"; same xxd
cp "$dir/in" "$dir/text"
# Rows that differ in digits alone are read by their shape: with 0x, offsets, as gdb and od print them. A
# row of another shape is read with care, wherever it is.
awk '{ printf "%s0x%s,", (NR % 4 == 1 && NR != 1 ? "\n" : " "), $1 } END { print "" }' "$dir/words" >"$dir/in"
same 'rows with 0x'
awk '{ printf "%s %s", (NR % 4 == 1 ? sprintf("%s%08x:", (NR != 1 ? "\n" : ""), 4 * (NR - 1)) : ""), $1 } END { print "" }' \
    "$dir/words" >"$dir/in"
same 'rows after an offset'
sed 's/^0/00/; s/: /  /' "$dir/in" >"$dir/rows" && cp "$dir/rows" "$dir/in"
same 'rows of od'
awk '{ printf "%s\t0x%s", (NR % 4 == 1 ? sprintf("%s0x%06x:", (NR != 1 ? "\n" : ""), 4 * (NR - 1)) : ""), $1 } END { print "" }' \
    "$dir/words" >"$dir/in"
same 'rows of gdb'
awk 'NR == 30001 { sub(/\t0x/, "\t1x") } { print }' "$dir/in" >"$dir/rows" && cp "$dir/rows" "$dir/in"
run 1 nv --chip tu102 --format tsv
has err 'line 30001: column 11: "1x'
# A C array, also with a line of fewer digits, with a comment, and with a name.
awk 'BEGIN { print "static const uint32_t batch[] = {" }
    { printf "%s0x%s,", (NR % 4 == 1 ? (NR != 1 ? "\n    " : "    ") : " "), $1 } END { print "\n};" }' "$dir/words" >"$dir/array"
cp "$dir/array" "$dir/in"; same 'a C array'
awk 'NR % 1000 == 7 { gsub(/0x000*/, "0x"); gsub(/0x,/, "0x0,") } NR % 1000 == 9 { $0 = $0 " /* 0x1, */" } { print }' "$dir/array" >"$dir/in"
same 'a C array with other lines'
awk 'NR == 20001 { sub(/0x20014040/, "NAME") } { print }' "$dir/array" >"$dir/in"
run 1 nv --chip tu102 --format tsv
has err 'line 20001: a name in place of a number'
awk 'NR == 100001 { sub(/^2/, "g") } { print }' "$dir/words" >"$dir/in"
run 1 nv --chip tu102 --format tsv
has err 'line 100001: column 1: "g0014040" is no word'
awk '{ print "\nNov 22 09:14:00 host tag[1]: " $0 }' "$dir/text" >"$dir/in"; same 'xxd in a log'
awk 'NR == 30001 { print "lost" } { print }' "$dir/text" >"$dir/in"
run 0 nv --chip tu102 --format tsv
has err '1 line without words; the first: line 30001'
awk 'NR == 30001 { sub(/ 0/, " g") } { print }' "$dir/text" >"$dir/in"
run 1 nv --chip tu102 --format tsv
has err 'line 30001: column '
awk 'NR != 30001 { print }' "$dir/text" >"$dir/in"
run 1 nv --chip tu102 --format tsv
has err 'line 30001: address 0x75310 follows 0x752f0: lines are missing or doubled; expected 0x75300'

# 1 MiB of random words as the data of long runs: what stands beside the words must not be taken for another
# format (text columns have every sign at every place).
awk 'BEGIN {
    srand(7)
    for (i = 0; i < 262144; i++) {
        printf i % 8192 == 0 ? "7fff4040\n" : "%04x%04x\n", int(rand() * 65536), int(rand() * 65536)
    }
}' >"$dir/words"
awk 'NR % 8192 != 1' "$dir/words" >"$dir/want"
# random WHAT: $dir/in, however written, has these words.
random()
{
    run 0 nv --chip tu102 --format tsv
    awk 'NR > 1 && $3 == "DATA" { print $2 }' "$dir/out" >"$dir/got"
    if cmp -s "$dir/want" "$dir/got"; then good; else bad "random words, $1: other words" "$(cat "$dir/err")"; fi
}
cp "$dir/words" "$dir/in"; random 'one a line'
# The bytes of 16-byte rows: %1 is the row's offset, %2 its bytes in two halves, %3 its text column.
awk '{ bytes = bytes substr($1, 7) substr($1, 5, 2) substr($1, 3, 2) substr($1, 1, 2) } NR % 4 == 0 { print bytes; bytes = "" }' \
    "$dir/words" >"$dir/rows"
# columns PROGRAM: print each row with `offset`, `byte[0..15]` and its text in `text`.
columns()
{
    awk "BEGIN { for (i = 0; i < 256; i++) { sign[sprintf(\"%02x\", i)] = i >= 32 && i < 127 ? sprintf(\"%c\", i) : \".\" } }
        { text = \"\"; offset = 16 * (NR - 1)
          for (i = 0; i < 16; i++) { byte[i] = substr(\$1, 2 * i + 1, 2); text = text sign[byte[i]] }
          $1 }" "$dir/rows" >"$dir/in"
}
columns 'printf "%08x:", offset; for (i = 0; i < 16; i += 2) printf " %s%s", byte[i], byte[i + 1]; print "  " text'
random xxd
columns 'printf "%08x ", offset; for (i = 0; i < 16; i++) printf "%s%s", i == 8 ? "  " : " ", byte[i]; print "  |" text "|"'
random 'hexdump -C'
columns 'printf "%06x", offset; for (i = 0; i < 16; i++) printf " %s", byte[i]; print "  >" text "<"'
random 'od -t x1z'
awk '{ printf "%s0x%s,", (NR % 4 == 1 && NR != 1 ? "\n" : " "), $1 } END { print "" }' "$dir/words" >"$dir/in"
random 'rows with 0x'
awk '{ printf "%s\t0x%s", (NR % 4 == 1 ? sprintf("%s0x%06x:", (NR != 1 ? "\n" : ""), 4 * (NR - 1)) : ""), $1 } END { print "" }' \
    "$dir/words" >"$dir/in"
random 'rows of gdb'
awk 'BEGIN { print "static const uint32_t batch[] = {" }
    { printf "%s0x%s,", (NR % 4 == 1 ? (NR != 1 ? "\n    " : "    ") : " "), $1 } END { print "\n};" }' "$dir/words" >"$dir/in"
random 'a C array'
if command -v xxd >/dev/null && command -v base64 >/dev/null; then
    xxd -r -p "$dir/rows" | base64 >"$dir/in"
    random base64
fi

# Resident memory does not grow with the input. The tool waits for a reader of its rows when the most
# that was resident is read.
# resident LIMIT_KIB ROWS FROM ARGUMENT...: $dir/in has ROWS rows; FROM is file or pipe
resident()
{
    limit=$1
    rows=$2
    from=$3
    shift 3
    rm -f "$dir/rows"
    mkfifo "$dir/rows"
    if [ "$from" = pipe ]; then
        cat "$dir/in" | "$tool" "$@" >"$dir/rows" 2>"$dir/err" &
    else
        "$tool" "$@" "$dir/in" >"$dir/rows" 2>"$dir/err" &
    fi
    pid=$!
    most=$({ head -n $((rows - 200000)) >"$dir/out"; sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status"; cat >>"$dir/out"; } <"$dir/rows")
    wait $pid
    # head may read some rows more than it writes.
    if [ "${most:-$limit}" -lt "$limit" ] && [ "$(wc -l <"$dir/out")" -gt $((rows - 4096)) ]; then
        good
    else
        bad "$*, $from: $most KiB resident; expected less than $limit" "$(cat "$dir/err")"
    fi
}
if grep -q VmHWM /proc/self/status 2>/dev/null; then
    head -c 16777216 /dev/zero >"$dir/in"
    resident 12000 4194304 file nv --chip tu102
    head -c 33554432 /dev/zero >"$dir/in"
    resident 26000 8388608 pipe nv --chip tu102
    awk 'BEGIN { for (i = 0; i < 8; i++) s = s " 00000000"; for (i = 0; i < 524288; i++) print s }' >"$dir/in"
    resident 26000 4194304 file nv --chip tu102
    rm -f "$dir/in" "$dir/out" "$dir/rows"
else
    echo 'skip: resident memory: no /proc'
fi

# Memory: 96 MiB of zeros fit if 64 MiB and the input may be mapped; so do text and a dump of 20 MiB.
command -v timeout >/dev/null && within='timeout 60' || within=
# Each status is right, except those of a crash, and of a refusal for want of memory.
# limited LIMIT_KIB ARGUMENT...
limited()
{
    limit=$1
    shift
    (ulimit -v "$limit" 2>/dev/null && $within "$tool" "$@" >/dev/null 2>"$dir/err")
    got=$?
    if [ $got -le 2 ] && ! grep -q 'no memory for ' "$dir/err"; then
        good
    else
        bad "gpucmd-dump $*: status $got in $limit KiB" "$(cat "$dir/err")"
    fi
}
if (ulimit -v 200000) 2>/dev/null && command -v truncate >/dev/null; then
    truncate -s 96M "$dir/zeros"
    limited $(((96 + 64) * 1024)) nv --chip tu102 --check "$dir/zeros"
    limited $(((96 + 64) * 1024)) i915 --gen 9 --engine rcs --check "$dir/zeros"
    awk 'BEGIN { for (i = 0; i < 65536; i++) s = s "00000000\n"; for (i = 0; i < 40; i++) printf "%s", s }' >"$dir/text"
    limited $(((24 + 64) * 1024)) nv --chip tu102 --check "$dir/text"
    limited $(((24 + 64) * 1024)) i915 --gen 9 --engine rcs --check "$dir/text"
    # NUL bytes as they are, and as one long line of each format
    limited $(((96 + 64) * 1024)) agx "$dir/zeros"
    for of in raw hex i915-error igt-hex xe-devcoredump mesa-bat igt-decode xxd xxd-e xxd-p xxd-i python-bytes base64; do
        limited $(((96 + 64) * 1024)) i915 --gen 9 --engine rcs --check --input "$of" "$dir/zeros"
    done
    for of in libdrm-pushbuf mesa-push nouveau-log; do
        limited $(((96 + 64) * 1024)) nv --chip tu102 --check --input "$of" "$dir/zeros"
    done
    limited $(((96 + 64) * 1024)) agx --check --input notation "$dir/zeros"
    # one line of words, and empty lines
    tr '\0' ' ' <"$dir/zeros" | head -c 64M | sed 's/        /20014040 /g' | head -c 64M >"$dir/text"
    for of in hex xxd-p base64 python-list; do
        limited $(((64 + 64) * 1024)) nv --chip tu102 --check --input "$of" "$dir/text"
    done
    head -c 64M "$dir/zeros" | tr '\0' '\n' >"$dir/text"
    for of in nv 'i915 --gen 9 --engine rcs' agx; do
        # shellcheck disable=SC2086
        limited $(((64 + 64) * 1024)) $of --check "$dir/text"
    done
    # 3 GiB: more than 32 bits of bytes, of which the first rows are read
    truncate -s 3G "$dir/zeros"
    (ulimit -v $(((3072 + 64) * 1024)) && "$tool" nv --chip tu102 "$dir/zeros" 2>"$dir/err") | sed 3q >"$dir/out"
    if [ "$(wc -l <"$dir/out")" -eq 3 ] && [ ! -s "$dir/err" ]; then good; else bad '3 GiB' "$(cat "$dir/err")"; fi
    # a pipe without an end: it is read until there is no room for it
    for from in yes 'cat /dev/zero'; do
        $from | (ulimit -v $((96 * 1024)) && $within "$tool" nv --check >"$dir/out" 2>"$dir/err")
        got=$?
        if [ $got -eq 2 ] && [ ! -s "$dir/out" ]; then good; else bad "$from: status $got" "$(cat "$dir/err")"; fi
        has err ' times 1 bytes; expected room in TMPDIR or /var/tmp'
    done
    rm -f "$dir/zeros" "$dir/text"
else
    echo 'skip: memory: no ulimit -v or no truncate'
fi
# More pieces than are kept, more numbers, more lines: each is reported.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%08x: 0000 0000\n", 64 * i }' >"$dir/in"
run 1 nv --chip tu102 --check
has err 'more than 2048 pieces of memory; the rest is skipped'
awk 'BEGIN { printf "uint32_t a[] = {"; for (i = 0; i < 1100000; i++) printf "0,"; print "};" }' >"$dir/in"
run 1 nv --chip tu102 --check
has err 'more than 1048576 numbers in brackets; the rest is skipped'
rm -f "$dir/in" "$dir/out"

finish
