# What `make demo` shows: streams that real drivers sent, decoded, checked and
# executed; then a stream built, submitted and executed. Needs the tool in
# $BUILD, a C compiler and the POSIX tools.
: "${BUILD:=build}" "${CC:=cc}"
tool=$BUILD/gpucmd-dump
captures=tests/data/captures

title()
{
    echo
    echo "$1"
    echo "$1" | sed 's/./-/g'
    echo
}

# driver CHIP FOLDER FILE FROM TO TEXT...: lines FROM..TO of one segment, what
# arrives when it runs, and the sums over all segments of the folder.
driver()
{
    chip=$1 folder=$2 file=$3 from=$4 to=$5
    shift 5
    printf '  %s\n' "$@"
    echo
    echo "  \$ gpucmd-dump nv --chip $chip $folder/$file"
    "$tool" nv --chip "$chip" "$captures/$folder/$file" 2>/dev/null |
        awk -v from="$from" -v to="$to" '
            length > 96 { $0 = substr($0, 1, 92) "..." }
            NR == 1 && from > 1 { print "    ..." }
            NR >= from && NR <= to { print "    " $0 }
            NR == to + 1 { print "    ..." }'
    echo
    echo "  \$ gpucmd-dump nv --chip $chip --run $folder/$file"
    "$tool" nv --chip "$chip" --run "$captures/$folder/$file" |
        awk '/^0x/ { if (++n <= 4) print "    " $0; else if (n == 5) print "    ..." }
             /^run:/ { print "    " $0 }'
    echo
    for f in "$captures/$folder"/*.bin; do
        "$tool" nv --chip "$chip" --check "$f" || echo "failed $f"
        "$tool" nv --chip "$chip" --run "$f" || echo "failed $f"
    done | awk -v folder="$folder" '
        / words? of / { words += $1; errors += $(NF - 5); n++ }
        /^run: IDLE/ { read += $3; methods += $6; idle++ }
        /^failed/ { print "  FAILED: " $2; errors++ }
        END {
            printf "  All %d segments of %s: %d words, %d errors, ", n, folder, words, errors
            printf "%d run to their end,\n  %d methods arrive.\n", idle, methods
            exit errors != 0 || idle != n
        }' || failed=1
}

failed=0
title '1. Real drivers: what Mesa sent to four generations of GPUs'
driver nv40 gles2_tri-nv40 004.bin 1 99 \
    'NV40 (GeForce 6, 2004). The kernel calls each segment from its ring; RETURN' \
    'ends it. s7 is the subchannel, then the method, then the number of words.'
echo
driver g80 gles2_tri-nv50 003.bin 12 19 \
    'G80 (GeForce 8, 2006). The same words, but entries of an IB ring name the' \
    'segments. From a copy by the memory-to-memory engine:'
echo
driver gf100 gles2_tri-gf100 008.bin 1 12 \
    'GF100 (GeForce 400, 2010). New words: one data word can lie in the header.'
echo
driver tu102 gles2_tri-tu102 007.bin 1 10 \
    'TU102 (GeForce 20, 2018). An upload of constants: ONE_INC sends the position to' \
    'one method and all the data to the next.'

title '2. A log that a user pasted'
cat >"$BUILD/demo.log" <<'END'
nouveau: kernel rejected pushbuf: Invalid argument
nouveau: ch0: psh 00000000 0000000000 0000000028
nouveau: 	0x20048100
nouveau: 	0x00000000
nouveau: 	0x004cd000
nouveau: 	0x00000000
nouveau: 	0x004cb000
nouveau: 	0x200180c1
nouveau: 	0x00000686
nouveau: 	0xc00180c0
nouveau: 	0x20020003
nouveau: 	0x00000001
END
echo "  \$ gpucmd-dump nv --chip gk104 --check demo.log"
"$tool" nv --chip gk104 --check "$BUILD/demo.log" 2>/dev/null | sed 's/; expected/\n      expected/; s/^/    /'

title '3. A stream of your own: written, submitted, executed'
$CC -std=c99 -O1 -I. -o "$BUILD/demo" examples/demo.c && "$BUILD/demo" || failed=1
echo
echo "That was examples/demo.c. examples/01_first_words.c is the place to begin;"
echo "$tool --help tells what the tool can do."
exit $failed
