# fuzz.sh SECONDS TARGET...: run libFuzzer on each target. New inputs are written to $BUILD/fuzz/. The
# corpus in the tree is only read.
. tests/tier/lib.sh

seconds=$1
shift
p=0 f=0
for t in "$@"; do
    v=${t#fuzz_}
    seeds=
    for d in "tests/fuzz/corpus/$t" "tests/fuzz/corpus/$v"; do
        [ -d "$d" ] && seeds="$seeds $d"
    done
    dict=
    [ -f "tests/fuzz/$v.dict" ] && dict="-dict=tests/fuzz/$v.dict"
    mkdir -p "$BUILD/fuzz/found/$t"
    if "$BUILD/fuzz/$t" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$BUILD/fuzz/$t-" $dict "$BUILD/fuzz/found/$t" $seeds \
        >"$BUILD/fuzz/$t.log" 2>&1; then
        p=$((p + 1))
        tail -n 1 "$BUILD/fuzz/$t.log"
    else
        f=$((f + 1))
        echo "FAIL: fuzz: $t"
        tail -n 40 "$BUILD/fuzz/$t.log" | sed 's/^/    /'
    fi
done
echo "fuzz: $p passed, $f failed"
[ $f -eq 0 ]
