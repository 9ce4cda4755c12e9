# Print the bytes of code per function of the whole implementation at -Os, largest first, and the
# functions and the chains of calls with the most stack: for this machine and, if its compiler is
# installed, for a Cortex-M4.
. tests/checks/lib.sh

out=$BUILD/size
mkdir -p "$out"
defines=$(have_vendors)

# measure NAME NM COMPILER...
measure()
{
    name=$1 nm=$2
    shift 2
    for h in $HEADERS; do
        "$@" -std=c99 -Os -ffreestanding -fno-asynchronous-unwind-tables -fstack-usage -I. -c \
            "-DHEADER=\"$h\"" -o "$out/$name-${h%.h}.o" tests/compile/alone_impl.c || exit 1
    done
    "$@" -std=c99 -Os -ffreestanding -fno-asynchronous-unwind-tables -fstack-usage \
        -fcallgraph-info=su -I. -c $defines -o "$out/$name.o" tests/compile/impl.c || exit 1
    echo "$name: bytes of code by function"
    $nm -S --size-sort -r -t d "$out/$name.o" | awk '
        $3 ~ /^[Tt]$/ { printf "  %6d  %s\n", $2, $4; total += $2 }
        $3 ~ /^[Rr]$/ { data += $2 }
        END { printf "  %6d  all functions\n  %6d  tables\n", total, data }'
    echo "$name: by header, with the core"
    for h in $HEADERS; do
        $nm -S -t d "$out/$name-${h%.h}.o" | awk -v h="$h" '
            $3 ~ /^[Tt]$/ { t += $2 }
            $3 ~ /^[Rr]$/ { d += $2 }
            END { printf "  %6d  code, %d tables  %s\n", t, d, h }'
    done
    echo "$name: deepest frames in bytes"
    awk -F '\t' '{ n = split($1, a, ":"); printf "  %6d  %s\n", $2, a[n] }' "$out/$name.su" |
        sort -rn | head -n 8
    echo "$name: deepest chains of calls in bytes, from functions without callers"
    awk -f tests/checks/chains.awk "$out/$name.ci"
}

# part_kib HEADER PARTS: print the KiB of this header with the core. No part: the whole header.
part_kib()
{
    dir=.
    if [ "$2" ]; then
        dir=$out/slim-$(echo "$1-$2" | tr ' ' -)
        mkdir -p "$dir"
        sh tests/checks/slim.sh core "$2" >"$dir/gpucmd.h" || exit 1
        v=${1#gpucmd_}
        [ "$1" = gpucmd.h ] || sh tests/checks/slim.sh "${v%.h}" "$2" >"$dir/$1" || exit 1
    fi
    arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -std=c99 -Os -ffreestanding "-I$dir" -c "-DHEADER=\"$1\"" \
        -o "$out/part.o" tests/compile/alone_impl.c || exit 1
    arm-none-eabi-size "$out/part.o" | awk 'NR == 2 { printf "%d", ($1 + $2 + 512) / 1024 }'
}

# Compare the sizes with the line of the manual that begins with "Size": read 1, read and run 2, all 3.
parts()
{
    status=0
    for h in $HEADERS; do
        got="$(part_kib $h read) $(part_kib $h 'read run') $(part_kib $h '')"
        echo "cortex-m4: KiB of $h: read, read and run, all: $got"
        sed -n '/[*][/]/q; s/^ [*]   Size in KiB.*: read \([0-9]*\), read and run \([0-9]*\), all \([0-9]*\).*/\1 \2 \3/p' $h |
            awk -v got="$got" -v h=$h '
                { split(got, g); for (i = 1; i <= 3; i++) { d = g[i] - $i; bad += (d < 0 ? -d : d) > $i / 10 + 1 } }
                END { if (NR != 1 || bad) { print "the manual of " h " says " (NR ? $0 : "nothing") "; expected " got; exit 1 } }' ||
            status=1
    done
    return $status
}

if [ "$1" = check ]; then
    parts
    exit
fi
if [ -z "$HEADERS" ]; then
    echo "no headers in the tree"
    exit 0
fi
have gcc && measure host nm gcc
$MAKE $(impl_objects) || exit 1
for cc in $(compilers); do
    for o in -O0 -O2 -Os; do
        echo "host: deepest chains of calls in bytes, $cc $o"
        chains "$cc" $o
    done
done
if have arm-none-eabi-gcc; then
    measure cortex-m4 arm-none-eabi-nm arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb
    parts
else
    echo "skip: cortex-m4: arm-none-eabi-gcc not found"
fi
