# proof.sh [PART]: proofs over the headers and over models of their rings; tests/proof/README.md lists
# them. Without PART: all parts, with $JOBS workers.
. tests/checks/lib.sh

part=$1 passed=0 failed=0 skipped=0
mkdir -p "$BUILD/proof/$part"
out=$(cd "$BUILD/proof/$part" && pwd)

pass() { passed=$((passed + 1)); }
fail()
{
    failed=$((failed + 1))
    echo "FAIL: proof: $1"
}
lacks()
{
    have "$1" && return 1
    skipped=$((skipped + 1))
    echo "skip: proof: $1 not found"
}

# counted COMMAND...: add the counts of its closing line.
counted()
{
    "$@" >"$out/counted"
    status=$?
    sed '/^rings:/d; $d' "$out/counted"
    read -r _ p _ f _ <<END
$(tail -n 1 "$out/counted")
END
    passed=$((passed + p)) failed=$((failed + ${f%,}))
    [ $status -eq 0 ] || [ "${f%,}" -gt 0 ] || fail "exit status of $1"
}

# ---- barriers in the generated code: the instruction, once, between the stores, not moved ----

# barrier NAME WRITE MMIO FULL COMPILER...: the instructions are regular expressions.
barrier()
{
    name=$1 write=$2 mmio=$3 full=$4
    shift 4
    lacks "$1" && return
    for level in -O0 -O2 -Os; do
        if "$@" -std=c99 -ffreestanding $level -S -I. -o "$out/barriers.s" tests/proof/barriers.c &&
            awk -v write="^$write\$" -v mmio="^$mmio\$" -v full="^$full\$" '
                /^[ \t]*[.@#]/ || /:/ { next }
                { gsub(/[ \t]+/, " "); sub(/^ /, ""); sub(/ *@.*$/, ""); sub(/ $/, "") }
                $0 ~ write || $0 ~ mmio || $0 ~ full { seen = seen "|" $0; next }
                /(^|[^0-9])68([^0-9]|$)/ { seen = seen "|words" }
                /(^|[^0-9])132([^0-9]|$)/ { seen = seen "|put" }
                /(^|[^0-9])260([^0-9]|$)/ { seen = seen "|bell" }
                END {
                    n = split(substr(seen, 2), s, "|")
                    good = n == 6 && s[1] == "words" && s[2] ~ write && s[3] == "put" &&
                           s[4] ~ mmio && s[5] == "bell" && s[6] ~ full
                    if (!good) print seen
                    exit !good
                }' "$out/barriers.s"; then
            pass
        else
            fail "barriers of $name with $1 $level"
        fi
    done
}

barriers()
{
    for cc in "gcc" "clang --target=x86_64-linux-gnu"; do
        barrier x86-64 sfence sfence mfence $cc
    done
    barrier arm 'dmb oshst' 'dsb st' 'dsb( sy)?' clang --target=armv7a-linux-gnueabihf
    barrier arm 'dmb oshst' 'dsb st' 'dsb( sy)?' arm-linux-gnueabihf-gcc
    barrier cortex-m 'dmb( sy)?' 'dsb( sy)?' 'dsb( sy)?' arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb
    barrier arm64 'dmb oshst' 'dsb st' 'dsb sy' clang --target=aarch64-linux-gnu
    barrier arm64 'dmb oshst' 'dsb st' 'dsb sy' aarch64-linux-gnu-gcc
    barrier riscv 'fence w, ?ow' 'fence ow, ?ow' 'fence( iorw, ?iorw)?' clang --target=riscv64-linux-gnu
    barrier riscv 'fence w, ?ow' 'fence ow, ?ow' 'fence( iorw, ?iorw)?' riscv64-unknown-elf-gcc \
        -march=rv64imac -mabi=lp64
    barrier powerpc sync sync sync clang --target=powerpc64le-linux-gnu
    barrier s390x 'bcr 1[45], ?%r0' 'bcr 1[45], ?%r0' 'bcr 1[45], ?%r0' clang --target=s390x-linux-gnu
    barrier s390x 'bcr 1[45],%?r?0' 'bcr 1[45],%?r?0' 'bcr 1[45],%?r?0' s390x-linux-gnu-gcc
    barrier i386 lock lock lock clang --target=i386-linux-gnu -mno-sse
}

# ---- models of the rings: no counterexample; with one part left out there is one ----

# model FILE ERRORS [FLAGS]
model()
{
    (
        cd "$out" && rm -f pan* ./*.trail && spin $3 -a "$OLDPWD/tests/proof/$1.pml" >spin.log 2>&1 &&
            "$CC" -O0 -w -DSAFETY -o pan pan.c && ./pan -m100000 >pan.log 2>&1
    )
    if grep -q "errors: $2\$" "$out/pan.log" && ! grep -q 'max search depth too small' "$out/pan.log"; then
        pass
    else
        fail "model $1 $3: expected errors: $2"
        grep errors "$out/pan.log"
    fi
}

models()
{
    lacks spin && return
    model gpfifo 0
    for without in WORDS ENTRY WRITE PUT MMIO BELL ROOM; do
        model gpfifo 1 "-DNO_$without"
    done
    for ring in '' -DI915; do
        model ring 0 $ring
        for without in WORDS WRITE PUT ROOM GAP; do
            model ring 1 "$ring -DNO_$without"
        done
    done
    model ring 1 -DNO_LEFT
}

# ---- enumeration: sequences of calls on a small writer, states of small rings ----

# broken HEADER SED: copies of the headers in $out/broken, of which HEADER has one break.
broken()
{
    rm -rf "$out/broken"
    mkdir -p "$out/broken/tests"
    cp gpucmd*.h "$out/broken"
    cp -r tests/proof "$out/broken/tests"
    sed "$2" "$1" >"$out/broken/$1"
    cmp -s "$1" "$out/broken/$1" || return 0
    fail "no place in $1 for the break $2"
    return 1
}

# program NAME DIRECTORY: build it with the headers of the directory.
program()
{
    "$CC" -std=c99 -O2 $(warnings "$CC" c) "-I$2" -o "$out/$1" "tests/proof/$1.c" && return
    fail "$1.c does not compile"
    return 1
}

# unless TEXT COMMAND...: the command must fail.
unless()
{
    text=$1
    shift
    if "$@" >/dev/null 2>&1; then
        fail "not noticed: $text"
    else
        pass
    fi
}

writer()
{
    program writer . || return
    counted "$out/writer" ${FULL:+8}
}

rings()
{
    program rings . || return
    counted "$out/rings" ${FULL:+3 8 2}
    # Of each ring: words that must be free, and the gap that keeps put from get.
    while read -r header break; do
        broken "$header" "$break" && program rings "$out/broken" &&
            unless "$break" "$out/rings" 2 3 400
    done <<'END'
gpucmd_nv.h s/ring->put_dw + n_dw, false/ring->put_dw + n_dw - 1, false/
gpucmd_nv.h s/ring->first_dw + 1, ring->put_dw, true/ring->first_dw, ring->put_dw, true/
gpucmd_nv.h s/UNLIKELY(next == fifo->get/UNLIKELY(put == fifo->get + 1/
gpucmd_nv.h s/fifo->mask - ((fifo->put - fifo->get)/fifo->mask + 1 - ((fifo->put - fifo->get)/
gpucmd_i915.h s/at - r->tail_bytes - GPUCMD_I915_RING_GAP_BYTES/at - r->tail_bytes/
gpucmd_i915.h s/r->tail_bytes + need > r->usable_bytes/r->tail_bytes > r->usable_bytes/
END
}

walk()
{
    program walk . || return
    counted "$out/walk"
    broken gpucmd_nv.h 's/n_dw >= avail_dw)) {/n_dw > avail_dw)) {/' && program walk "$out/broken" &&
        unless 'a run that ends behind the segment' "$out/walk"
}

# ---- bit vectors: fields of every place, every value, every word ----

fields()
{
    lacks z3 && return
    lacks python3 && return
    counted python3 tests/proof/fields.py gpucmd.h
    broken gpucmd.h '/define GPUCMD_FIELD_GET/s/ & GPUCMD_FIELD_MAX(f))/)/' &&
        unless 'a field without a mask' python3 tests/proof/fields.py "$out/broken/gpucmd.h"
}

# ---- WP: the writer's contracts ----

# contracts DIRECTORY SECONDS FUNCTION...: true if every goal is proved, each in these seconds.
contracts()
{
    directory=$1 seconds=$2
    shift 2
    (
        cd "$directory" && HOME=$out frama-c -wp -wp-rte -wp-model Typed+Cast -wp-prover cvc4 \
            -wp-timeout "$seconds" -wp-par 2 -cpp-extra-args="-I. -U__SSE2__" -machdep gcc_x86_64 \
            -wp-fct "$(echo "$*" | tr ' ' ',')" tests/proof/writer_wp.c
    ) >"$out/wp.log" 2>&1
    goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) \/ \([0-9]*\)$/\1 \2/p' "$out/wp.log")
    [ "$goals" ] && [ "${goals% *}" -gt 0 ] && [ "${goals% *}" -eq "${goals#* }" ]
}

wp()
{
    lacks frama-c && return
    lacks cvc4 && return
    lacks why3 && return
    HOME=$out why3 config detect >"$out/why3.log" 2>&1
    functions=$(sed -n 's/^GPUCMD_INLINE.*[ *]\(gpucmd_[a-z_]*\)(.*/\1/p' tests/proof/writer_wp.c |
        grep -v '_copy$')
    if contracts . 60 $functions; then
        passed=$((passed + ${goals% *}))
    else
        fail "WP of the writer: $goals goals"
        grep -A2 'Timeout\|Unknown\|Failed\|rror' "$out/wp.log"
    fi
    # The contract of the function that has the break notices it.
    while read -r function break; do
        broken gpucmd.h "$break" && unless "$break" contracts "$out/broken" 2 "$function" && [ "$goals" ] ||
            fail "WP of a break: no goals"
    done <<'END'
gpucmd_priv_writer_claim s/w->cur = at + n_dw;/w->cur = at + n_dw + 1;/
gpucmd_priv_writer_fits s/>= n_dw \* 4;/+ 4 >= n_dw * 4;/
gpucmd_writer_patch s/at_dw >= gpucmd_writer_at_dw/at_dw > gpucmd_writer_at_dw/
END
}

# ---- EVA: nothing is stored or read outside, for all arguments ----

# Functions of eva_decode.c and eva_cases.c.
cases='_(emit_(append|ce|sem_(release|acquire|reduction))|blt|(render|compute)_cut)$'

# eva DIRECTORY FILE OPTION...: true if EVA has no alarm in the file, with the headers of the directory.
eva()
{
    (
        cd "$1" && shift && file=$1 && shift && frama-c -eva -eva-precision 0 -eva-slevel 20 \
            -eva-split-limit 300 -no-warn-invalid-bool -eva-no-show-progress -eva-print-callstacks \
            -machdep gcc_x86_64 -cpp-extra-args="-I. -U__SSE2__ ${FULL:+-DFULL}" "$@" "$file"
    ) >"$out/eva.log" 2>&1
    grep -q '^  0 alarms generated' "$out/eva.log" &&
        grep -q '^  100% of the logical properties' "$out/eva.log"
}

# analyse TEXT NUMBER FILE OPTION...: there must be no alarm in these functions.
analyse()
{
    text=$1 number=$2
    shift 2
    if eva . "$@"; then
        passed=$((passed + number))
    else
        fail "EVA of $text: expected no alarm"
        grep -A8 'eva:alarm\|rror:' "$out/eva.log"
    fi
}

# harness FILE REGEX [SKIP]: calls of the encoders and emitters whose names match.
harness()
{
    gcc -E $(have_vendors) -I. tests/compile/all.c |
        awk -v only="$2" -v skip="$3" -f tests/proof/eva.awk tests/proof/eva.h - >"$1"
}

split='-eva-split-return-function eva_fits:full,eva_claim:full'

# vendor NAME NUMBER: at least this number of encoders and emitters.
vendor()
{
    lacks frama-c && return
    harness "$out/eva.c" "^gpucmd_$1_(encode|emit)_" "$cases"
    number=$(grep -c '^static void call_' "$out/eva.c")
    [ "$number" -ge "$2" ] || fail "EVA of $1: expected at least $2 functions, not $number"
    analyse "$1" "$number" "$out/eva.c" $split -eva-auto-loop-unroll 40
}
eva_nv() { vendor nv 84; }
eva_i915() { vendor i915 124; }
eva_agx() { vendor agx 12; }

# eva_case MAIN NUMBER
eva_case()
{
    lacks frama-c && return
    analyse "$1" "$2" tests/proof/eva_cases.c -main "main_$1" $split
}
eva_sem() { eva_case sem 3; }
eva_ce() { eva_case ce 1; }
eva_blt() { eva_case blt 2; }
eva_cut() { eva_case cut 2; }

decoders='-eva-slevel 300 -eva-split-limit 20 -eva-domains equality,symbolic-locations'
runs='-eva-slevel 3000 -eva-split-limit 20 -eva-domains equality,symbolic-locations -eva-split-return full'

# eva_decoders MAIN NUMBER OPTION...
eva_decoders()
{
    lacks frama-c && return
    main=$1 number=$2
    shift 2
    analyse "$main in eva_decode.c" "$number" tests/proof/eva_decode.c -main "main_$main" "$@"
}
eva_decode_nv() { eva_decoders nv 6 $decoders; }
eva_decode_i915() { eva_decoders i915 4 $decoders; }
eva_decode_agx() { eva_decoders agx 3 $decoders; }
eva_append() { eva_decoders append 1 $runs; }

# Each break gives alarms.
eva_breaks()
{
    lacks frama-c && return
    harness "$out/eva.c" '^gpucmd_nv_emit_(m2mf_copy|ce_fill|inline_upload)$'
    broken gpucmd_nv.h '/define GPUCMD_NV_INLINE_UPLOAD_DW/,/)$/s/9/8/' &&
        unless 'an upload that is too short' eva "$out/broken" "$out/eva.c" $split
    broken gpucmd_nv.h 's/define GPUCMD_NV_CE_MAX_DW 46u/define GPUCMD_NV_CE_MAX_DW 45u/' &&
        unless 'a copy with 46 words' eva "$out/broken" tests/proof/eva_cases.c -main main_ce $split
    broken gpucmd_agx.h 's/gpucmd_priv_copy(at + 2, bytes, payload_bytes)/gpucmd_priv_copy(at + 3, bytes, payload_bytes)/' &&
        unless 'a payload behind its room' eva "$out/broken" tests/proof/eva_cases.c -main main_cut $split
    broken gpucmd_nv.h 's/\*(at - run->count_dw) =/*(at - run->count_dw - 2) =/' &&
        unless 'a header before its run' eva "$out/broken" tests/proof/eva_decode.c -main main_append $runs
    broken gpucmd_agx.h 's/h.size > avail_bytes - header_bytes/h.size > avail_bytes + header_bytes/' &&
        unless 'a payload behind the end' eva "$out/broken" tests/proof/eva_decode.c -main main_agx $decoders
}

# ---- every encoder, emitter and decoder has a proof ----

names()
{
    for v in nv i915 agx; do
        harness "$out/$v.c" "^gpucmd_${v}_(encode|emit)_" "$cases"
    done
    gcc -E $(have_vendors) -DGPUCMD_STATIC -DGPUCMD_IMPLEMENTATION -I. tests/compile/all.c |
        awk -v only='^gpucmd_(writer|(nv|i915|agx)_(encode|emit|decode|classify|walk|load|command_dw))(_|$)' \
            -v names=1 -f tests/proof/eva.awk tests/proof/eva.h - >"$out/names"
    [ "$(wc -l <"$out/names")" -gt 200 ] || fail "names: expected more than 200 functions"
    while read -r name; do
        if grep -qw "$name" "$out"/*.c tests/proof/*.c; then
            pass
        else
            fail "no proof of $name"
        fi
    done <"$out/names"
}

parts='eva_ce eva_append eva_breaks wp eva_decode_nv eva_decode_i915 eva_decode_agx eva_blt eva_sem
       eva_i915 eva_nv eva_cut eva_agx models barriers rings writer walk fields names'
if [ "$part" ]; then
    $part
    echo "proof: $passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
    exit
fi
for part in $parts; do
    job "$part" "sh tests/checks/proof.sh $part"
done >"$out/list"
export MAKE BUILD CC CXX HEADERS WARN WARN_C WARN_GCC WARN_CLANG FULL
TEST_SECONDS=1200 exec sh tests/checks/jobs.sh lines proof "$out/list" 2>&1
