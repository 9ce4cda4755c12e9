# fuzz.sh SECONDS AGAIN BUILDS TARGET...: run libFuzzer on each target, SECONDS in the first of
# BUILDS and AGAIN seconds in each other one, which begins with what the others found. An input that
# takes too long fails (FUZZ_MAX_MS of tests/fuzz/fuzz_main.h), one that hangs after 10 s. Afterwards
# $BUILD/fuzz/found/TARGET has the smallest inputs that reach what the corpus in the tree does not
# (-merge=1). KEEP=1 adds them to that corpus, the smallest first, until it has 24 KiB.
. tests/checks/lib.sh

first_seconds=$1 again_seconds=$2 builds=$3
shift 3
need fuzz clang
logs=$BUILD/fuzz/log
mkdir -p "$logs"
p=0 f=0 s=0 built=

# run_of BUILD: print what runs a program of this build, or nothing.
run_of()
{
    [ "$1" != fuzz-m32 ] || run32
}

# run BUILD SECONDS: run the target t; print one line.
run()
{
    run=$(run_of "$1") dict= limit_mb=2048 log=$logs/$1.$t
    [ -f "tests/fuzz/${t#fuzz_}.dict" ] && dict="-dict=tests/fuzz/${t#fuzz_}.dict"
    [ "$run" ] && limit_mb=0 # it counts the memory of the emulator
    if $run "$BUILD/$1/$t" -max_total_time="$2" -timeout=10 -rss_limit_mb=$limit_mb \
        -print_final_stats=1 -artifact_prefix="$log-" $dict "$found" "$tree" >"$log" 2>&1; then
        p=$((p + 1))
        echo "$t: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions in $1"
    else
        f=$((f + 1))
        echo "FAIL: $1: $t"
        grep -v '^#[0-9]' "$log" | tail -n 40 | sed 's/^/    /'
    fi
}

# merge BUILD: reduce what was found of the target t.
merge()
{
    all=$BUILD/fuzz/all/$t
    rm -rf "$all"
    mkdir -p "$all"
    cp "$tree"/* "$all" 2>/dev/null
    if ! "$BUILD/$1/$t" -merge=1 -timeout=10 -rss_limit_mb=2048 "$all" "$found" \
        >"$logs/merge.$t" 2>&1; then
        f=$((f + 1))
        echo "FAIL: merge: $t"
        tail -n 40 "$logs/merge.$t" | sed 's/^/    /'
        return
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
    echo "$t: $(ls "$found" | wc -l) inputs beyond the corpus"
}

for build in $builds; do
    flags=
    case $build in
    fuzz-m32) flags=-m32 ;;
    fuzz-msan) flags=-fsanitize=memory ;;
    esac
    if ! works clang $flags || ! $(run_of $build) "$BUILD/works/a.out" >/dev/null 2>&1; then
        echo "skip: $build: clang builds no program that runs here"
        s=$((s + 1))
        continue
    fi
    built="$built $build"
    programs=
    for t in "$@"; do
        programs="$programs $BUILD/$build/$t"
    done
    $MAKE $programs >"$logs/$build" 2>&1 || grep 'error' "$logs/$build"
done

for t in "$@"; do
    found=$BUILD/fuzz/found/$t tree=tests/fuzz/corpus/$t seconds=$first_seconds
    [ -d "tests/fuzz/corpus/${t#fuzz_}" ] && tree=tests/fuzz/corpus/${t#fuzz_}
    mkdir -p "$found" "$tree"
    for build in $built; do
        run $build $seconds
        seconds=$again_seconds
    done
    case $built in
    ' fuzz '* | ' fuzz') merge fuzz ;;
    esac
done
echo "fuzz: $p passed, $f failed, $s skipped"
[ $f -eq 0 ]
