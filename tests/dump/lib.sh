# What the shell tests of gpucmd-dump share: a test sets suite, then reads this
# file. It ends with finish.
BUILD=${BUILD:-build}
tool=$BUILD/gpucmd-dump
dir=$BUILD/$suite
captures=tests/data/captures
passed=0 failed=0
export LC_ALL=C
unset NO_COLOR
rm -rf "$dir"
mkdir -p "$dir"

good()
{
    passed=$((passed + 1))
}

bad()
{
    failed=$((failed + 1))
    echo "FAIL: $1"
    [ "$2" ] && printf '%s\n' "$2" | head -n 12 | sed 's/^/    /'
}

# run STATUS VENDOR ARGUMENT...: the tool on $dir/in, which must exit with STATUS. A test may set
# options for all its runs.
options=
run()
{
    want=$1
    shift
    vendor=$1
    [ $# -eq 0 ] || shift
    label="gpucmd-dump $vendor $options $*"
    # shellcheck disable=SC2086
    "$tool" ${vendor:+"$vendor"} $options "$@" <"$dir/in" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ $got -eq "$want" ]; then
        good
    else
        bad "$label: exit status $got, expected $want" "$(cat "$dir/err")"
    fi
}

# out_is: standard output is what comes here on standard input.
out_is()
{
    cat >"$dir/want"
    if cmp -s "$dir/want" "$dir/out"; then
        good
    else
        bad "$label: output" "$(diff "$dir/want" "$dir/out")"
    fi
}

# The stream FILE has the line LINE, or a line with TEXT in it.
has_line()
{
    if grep -qxF -e "$2" "$dir/$1"; then good; else bad "$label: no line '$2'" "$(cat "$dir/$1")"; fi
}
has()
{
    if grep -qF -e "$2" "$dir/$1"; then good; else bad "$label: no '$2'" "$(cat "$dir/$1")"; fi
}
# quiet FILE: nothing is there. What a text was read as is no complaint.
quiet()
{
    if grep -qv 'read as ' "$dir/$1"; then bad "$label: $1 is not empty" "$(cat "$dir/$1")"; else good; fi
}

# words HEX...: raw little-endian words into $dir/in.
words()
{
    for word in "$@"; do
        b0=${word#??????} b=${word%??} b1=${b#????} b=${b%??} b2=${b#??} b3=${b%??}
        for byte in $b0 $b1 $b2 $b3; do
            printf "\\$(printf %03o "0x$byte")"
        done
    done >"$dir/in"
}

# lines TEXT...: text into $dir/in.
lines()
{
    printf '%s\n' "$@" >"$dir/in"
}

tab=$(printf '\t')
missing='No such file or directory' # why a file cannot be opened
# some 3 byte: "3 bytes"; some 1 byte: "1 byte".
some()
{
    if [ "$1" -eq 1 ]; then echo "$1 $2"; else echo "$1 $2s"; fi
}
# tsv: rows with any spaces between the columns, as the tool's tabs.
tsv()
{
    sed "s/^ *//; s/ *$//; s/  */$tab/g"
}

refuses()
{
    message=$1
    shift
    run 2 "$@"
    quiet out
    has err "$message"
}

# finish: the closing line; fails if anything did.
finish()
{
    echo "$suite: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
