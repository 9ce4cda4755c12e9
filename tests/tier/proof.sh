# Proofs over the headers and over models of their rings; tests/proof/README.md lists them.
. tests/tier/lib.sh

passed=0 failed=0 skipped=0 out=$BUILD/proof here=$PWD
mkdir -p "$out"

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

if ! lacks spin; then
    model gpfifo 0
    for part in WORDS ENTRY WRITE PUT MMIO BELL ROOM; do
        model gpfifo 1 "-DNO_$part"
    done
    for ring in '' -DI915; do
        model ring 0 $ring
        for part in WORDS WRITE PUT ROOM GAP; do
            model ring 1 "$ring -DNO_$part"
        done
    done
    model ring 1 -DNO_LEFT
fi

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

program writer . && "$out/writer" ${FULL:+8}
if program rings .; then
    "$out/rings" ${FULL:+3 8 2} | sed '/^rings/d'
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
fi

# ---- bit vectors: fields of every place, every value, every word ----

if ! lacks z3 && ! lacks python3; then
    python3 tests/proof/fields.py gpucmd.h
    broken gpucmd.h '/define GPUCMD_FIELD_GET/s/ & GPUCMD_FIELD_MAX(f))/)/' &&
        unless 'a field without a mask' python3 tests/proof/fields.py "$out/broken/gpucmd.h"
fi

# ---- WP: the writer's contracts ----

# contracts DIRECTORY SECONDS FUNCTION...: true if every goal is proved, each in these seconds.
contracts()
{
    directory=$1 seconds=$2
    shift 2
    (
        cd "$directory" && HOME=$here/$out frama-c -wp -wp-rte -wp-model Typed+Cast -wp-prover cvc4 \
            -wp-timeout "$seconds" -wp-par 2 -cpp-extra-args="-I. -U__SSE2__" -machdep gcc_x86_64 \
            -wp-fct "$(echo "$*" | tr ' ' ',')" tests/proof/writer_wp.c
    ) >"$out/wp.log" 2>&1
    goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) \/ \([0-9]*\)$/\1 \2/p' "$out/wp.log")
    [ "$goals" ] && [ "${goals% *}" -gt 0 ] && [ "${goals% *}" -eq "${goals#* }" ]
}

if ! lacks frama-c && ! lacks cvc4 && ! lacks why3; then
    HOME=$here/$out why3 config detect >"$out/why3.log" 2>&1
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
fi

# ---- EVA: no encoder or emitter stores or reads outside, for all arguments ----

# analyse NAME REGEX SKIP [DIRECTORY]: run EVA on the functions of REGEX but those of SKIP. slevel is the
# number of states that it keeps apart, room the argument of eva.awk.
slevel=200
room=
analyse()
{
    awk -v only="$2" -v skip="$3" -v room="$room" -f tests/proof/eva.awk tests/proof/eva.h "$out/all.i" \
        >"$out/eva_$1.c" 2>"$out/eva_$1.count"
    (cd "${4:-.}" && frama-c -eva -eva-precision 1 -eva-slevel "$slevel" -eva-split-limit 128 \
        -eva-split-return full -no-warn-invalid-bool \
        -eva-no-show-progress -eva-print-callstacks -cpp-extra-args="-I. -U__SSE2__" \
        -machdep gcc_x86_64 "$here/$out/eva_$1.c") >"$out/eva_$1.log" 2>&1
    grep -q '^  0 alarms generated' "$out/eva_$1.log" &&
        grep -q '^  100% of the logical properties' "$out/eva_$1.log"
}

# eva VENDOR FUNCTIONS SKIP [REGEX]: there must be no alarm, and at least this number of functions.
eva()
{
    if analyse "$1" "^gpucmd_$1_(encode|emit)_$4" "$3" && read -r count _ <"$out/eva_$1.count" &&
        [ "$count" -ge "$2" ]; then
        passed=$((passed + count))
    else
        fail "EVA of $1: expected no alarm and at least $2 functions: $(cat "$out/eva_$1.count")"
        grep -A8 'eva:alarm\|rror:' "$out/eva_$1.log"
    fi
}

if ! lacks frama-c; then
    gcc -E $(have_vendors) -I. tests/compile/all.c >"$out/all.i"
    nv_ops='(mem_op|membar|l2_flush_dirty|cache_lines|access_counter_clear|tlb_invalidate)$'
    nv_full='(ce_fill|inline_upload|m2mf_copy|sem_(release|acquire|reduction))$'
    eva nv 70 "^gpucmd_nv_emit_(append\$|ce\$|$nv_ops|$nv_full)" ''
    eva i915 110 '_(blt|emit_mi_clflush|emit_mi_display_flip)$' ''
    eva agx 12 '_cut$' ''
    slevel=2000
    eva i915 4 '' 'mi_(clflush|display_flip)$'
    slevel=4000 room=6
    eva nv 6 '' "$nv_ops"
    if [ "$FULL" ]; then
        room=16
        eva nv 3 'sem' "$nv_full"
        slevel=20000 room=9
        eva nv 1 '' 'sem_release$'
    fi
    slevel=200 room=
    # decoders VENDOR DIRECTORY [OPTION...]: true if EVA has no alarm there.
    decoders()
    {
        (
            part=$1
            cd "$2" && shift 2 && frama-c -eva -main "main_$part" -eva-precision 0 \
                -eva-slevel 300 "$@" -eva-split-limit 20 -eva-domains equality,symbolic-locations \
                -no-warn-invalid-bool -eva-no-show-progress -machdep gcc_x86_64 \
                -cpp-extra-args="-I. -U__SSE2__" tests/proof/eva_decode.c
        ) >"$out/eva_decode.log" 2>&1
        grep -q '^  0 alarms generated' "$out/eva_decode.log" &&
            grep -q '^  100% of the logical properties' "$out/eva_decode.log"
    }
    for v in nv i915 agx; do
        if decoders $v .; then
            pass
        else
            fail "EVA of the decoders of $v: expected no alarm"
            grep -A8 'eva:alarm\|rror:' "$out/eva_decode.log"
        fi
    done
    if decoders append . -eva-slevel 3000 -eva-split-return full; then
        pass
    else
        fail "EVA of gpucmd_nv_emit_append: expected no alarm"
        grep -A8 'eva:alarm\|rror:' "$out/eva_decode.log"
    fi
    broken gpucmd_nv.h 's/\*(at - run->count_dw) =/*(at - run->count_dw - 2) =/' &&
        unless 'a header before its run' decoders append "$out/broken" -eva-slevel 3000 -eva-split-return full
    broken gpucmd_agx.h 's/h.size > avail_bytes - header_bytes/h.size > avail_bytes + header_bytes/' &&
        unless 'a payload behind the end' decoders agx "$out/broken"
    broken gpucmd.h '/^GPUCMD_INLINE bool gpucmd_priv_writer_fits/,/^}/s/>= n_dw \* 4/+ 4 >= n_dw * 4/' &&
        unless 'one word too many' analyse broken '^gpucmd_nv_emit_(inc[1-4]|nop)$' '' "$out/broken"
fi

echo "proof: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
