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

# ---- all sequences of calls on a small writer ----

if "$CC" -std=c99 -O2 $(warnings "$CC" c) -I. -o "$out/writer" tests/proof/writer.c; then
    "$out/writer"
else
    fail "writer.c does not compile"
fi

# ---- EVA: no encoder or emitter stores or reads outside, for all arguments ----

# analyse NAME REGEX SKIP [DIRECTORY]: run EVA on the functions of REGEX but those of SKIP.
analyse()
{
    awk -v only="$2" -v skip="$3" -f tests/proof/eva.awk tests/proof/eva.h "$out/all.i" \
        >"$out/eva_$1.c" 2>"$out/eva_$1.count"
    (cd "${4:-.}" && frama-c -eva -eva-precision 1 -eva-slevel 200 -eva-split-limit 20 \
        -eva-split-return full -no-warn-invalid-bool \
        -eva-no-show-progress -eva-print-callstacks -cpp-extra-args="-I. -U__SSE2__" \
        -machdep gcc_x86_64 "$here/$out/eva_$1.c") >"$out/eva_$1.log" 2>&1
    grep -q '^  0 alarms generated' "$out/eva_$1.log" &&
        grep -q '^  100% of the logical properties' "$out/eva_$1.log"
}

# eva VENDOR FUNCTIONS SKIP: there must be no alarm, and at least this number of functions.
eva()
{
    if analyse "$1" "^gpucmd_$1_(encode|emit)_" "$3" && read -r count _ <"$out/eva_$1.count" &&
        [ "$count" -ge "$2" ]; then
        passed=$((passed + count))
    else
        fail "EVA of $1: expected no alarm and at least $2 functions: $(cat "$out/eva_$1.count")"
        grep -A8 'eva:alarm\|rror:' "$out/eva_$1.log"
    fi
}

if ! lacks frama-c; then
    gcc -E $(have_vendors) -I. tests/compile/all.c >"$out/all.i"
    nv_unproved='_(append|ce|ce_fill|inline_upload|m2mf_copy|mem_op|membar|l2_flush_dirty'
    nv_unproved=$nv_unproved'|cache_lines|access_counter_clear|tlb_invalidate|sem_[a-z]*)$'
    eva nv 70 "$nv_unproved"
    eva i915 110 '_(blt|emit_mi_clflush|emit_mi_display_flip)$'
    eva agx 12 '_cut$'
    # A writer that accepts one word too many must be noticed.
    mkdir -p "$out/broken/tests"
    cp gpucmd_*.h "$out/broken"
    cp -r tests/proof "$out/broken/tests"
    sed '/^GPUCMD_INLINE bool gpucmd_priv_writer_fits/,/^}/s/>= n_dw \* 4/+ 4 >= n_dw * 4/' gpucmd.h \
        >"$out/broken/gpucmd.h"
    if cmp -s gpucmd.h "$out/broken/gpucmd.h" ||
        analyse broken '^gpucmd_nv_emit_(inc[1-4]|nop)$' '' "$out/broken"; then
        fail "EVA does not notice a writer that accepts one word too many"
    else
        pass
    fi
fi

echo "proof: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
