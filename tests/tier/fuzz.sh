# fuzz.sh SECONDS DIRECTORY TARGET...: run libFuzzer on each target, built in $BUILD/DIRECTORY. An
# input that takes too long fails (FUZZ_MAX_MS of tests/fuzz/fuzz_main.h), one that hangs after 10 s. Afterwards
# $BUILD/fuzz/found/TARGET has the smallest inputs that reach what the corpus in the tree does not
# (-merge=1). KEEP=1 adds them to that corpus, the smallest first, until it has 24 KiB.
. tests/tier/lib.sh

seconds=$1 build=$2
shift 2
p=0 f=0
for t in "$@"; do
    v=${t#fuzz_} run=$BUILD/$build/$t found=$BUILD/fuzz/found/$t all=$BUILD/fuzz/all/$t
    tree=tests/fuzz/corpus/$t
    [ -d "tests/fuzz/corpus/$v" ] && tree=tests/fuzz/corpus/$v
    dict= log=$BUILD/fuzz/$t.log
    [ -f "tests/fuzz/$v.dict" ] && dict="-dict=tests/fuzz/$v.dict"
    rm -rf "$all"
    mkdir -p "$found" "$all" "$tree" "$BUILD/fuzz"
    if "$run" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$BUILD/fuzz/$t-" $dict "$found" "$tree" >"$log" 2>&1 &&
        { cp "$tree"/* "$all" 2>/dev/null || :; } &&
        "$run" -merge=1 -timeout=10 -rss_limit_mb=2048 "$all" "$found" >>"$log" 2>&1; then
        p=$((p + 1))
    else
        f=$((f + 1))
        echo "FAIL: fuzz: $t"
        grep -v '^#[0-9]' "$log" | tail -n 40 | sed 's/^/    /'
        continue
    fi
    rm -rf "$found"
    mkdir -p "$found"
    for i in "$all"/*; do
        [ -f "$i" ] && [ ! -f "$tree/${i##*/}" ] && mv "$i" "$found"
    done
    if [ "$KEEP" ]; then
        have_bytes=$(cat "$tree"/* 2>/dev/null | wc -c)
        for i in $(ls -Sr "$found"); do
            have_bytes=$((have_bytes + $(wc -c <"$found/$i")))
            [ $have_bytes -le 24576 ] && mv "$found/$i" "$tree"
        done
    fi
    echo "$t: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | head -n 1) executions," \
        "$(ls "$found" | wc -l) inputs beyond the corpus"
done
echo "fuzz: $p passed, $f failed"
[ $f -eq 0 ]
