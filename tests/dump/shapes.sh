# Random streams in every shape that tools print, with noise around them, and the same with a typing
# error: shapes.c. COUNT texts of each.
suite=dump_shapes
. tests/dump/lib.sh
if ${CC:-cc} -std=c99 -D_GNU_SOURCE -O1 -I. -o "$dir/shapes" tests/dump/shapes.c >"$dir/err" 2>&1; then
    "$dir/shapes" "${COUNT:-100000}" >"$dir/plain" 2>"$dir/err"
    "$dir/shapes" "${COUNT:-100000}" 3 99 damage >"$dir/damaged" 2>"$dir/err"
    # One closing line for both.
    sed '$d' "$dir/plain" "$dir/damaged"
    tail -qn 1 "$dir/plain" "$dir/damaged" |
        awk '{ p += $2; f += $4 } END { printf "dump_shapes: %d passed, %d failed\n", p, f; exit f != 0 }'
else
    cat "$dir/err"
    echo 'dump_shapes: 0 passed, 1 failed'
    exit 1
fi
