# Print the bytes of code per function of the whole implementation at -Os, largest first, and the
# functions and the chains of calls with the most stack: for this machine and, if its compiler is
# installed, for a Cortex-M4.
. tests/tier/lib.sh

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
    awk -f tests/tier/chains.awk "$out/$name.ci"
}

if [ -z "$HEADERS" ]; then
    echo "no headers in the tree"
    exit 0
fi
have gcc && measure host nm gcc
if have arm-none-eabi-gcc; then
    measure cortex-m4 arm-none-eabi-nm arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb
else
    echo "skip: cortex-m4: arm-none-eabi-gcc not found"
fi
