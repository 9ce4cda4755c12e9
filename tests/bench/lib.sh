# Functions for `make bench` and the tier `instr`. Source this file from the root of the tree.
. tests/checks/lib.sh

bench=$BUILD/bench
base='-std=gnu11 -O2 -falign-functions=64 -falign-loops=32 -I. -Itests/bench'

# object COMPILER SOURCE NAME FLAGS...: compile one unit of a program.
object()
{
    oc=$1 os=$2 on=$3
    shift 3
    $oc $base $(warnings $oc c) "$@" -c -o "$bench/$oc/$on.o" "tests/bench/$os.c" || exit 1
}

# build COMPILER PROGRAM: build bench_*.c with the units that it measures, in $bench/COMPILER.
build()
{
    case $2 in
    bench_nv) units='nv_words nv_raw nv_read' ;;
    bench_nv_host) units=nv_raw ;;
    bench_i915) units='i915_words i915_raw i915_read i915_recipes i915_kernel' ;;
    *) units= ;;
    esac
    mkdir -p "$bench/$1"
    objects=
    for unit in $2 $units; do
        object $1 $unit $unit
        objects="$objects $unit.o"
    done
    if [ $2 = bench_nv ]; then
        object $1 nv_words nv_words_noalias -fno-strict-aliasing -DNAME=lib_s_noalias
        object $1 nv_words nv_words_os -Os -DNAME=lib_s_os
        objects="$objects nv_words_noalias.o nv_words_os.o"
    fi
    (cd "$bench/$1" && $1 -o $2 $objects) || exit 1
}

# build_all COMPILER: build the program of every bench_*.c.
build_all()
{
    for program in bench_nv bench_nv_host bench_nv_check bench_nvgpu bench_agx bench_drm bench_i915 \
        bench_i915_check; do
        build $1 $program
    done
}

# program_of KERNEL: print the name of the program that contains the kernel.
program_of()
{
    case $1 in
    agx_*) echo bench_agx ;;
    nouveau_* | xe_*) echo bench_drm ;;
    *_i915_*) echo bench_i915 ;;
    *) echo bench_nv ;;
    esac
}

# count COMPILER PROGRAM KERNEL: print the instructions of the kernel per word (entry, bind).
count()
{
    words=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=$3 \
        "$bench/$1/$2" --once $3 2>"$bench/$1/callgrind.log") || words=0
    sed -n 's/.*Collected : //p' "$bench/$1/callgrind.log" |
        awk -v n="$words" 'n + 0 != 0 { printf "%.2f\n", $1 / n }'
}

# front_end COMPILER FILE: print the instructions of the compiler's front end for this file.
front_end()
{
    valgrind --trace-children=yes --tool=callgrind --callgrind-out-file=/dev/null $1 -std=gnu11 -fsyntax-only \
        -I. "$2" 2>&1 | sed -n 's/.*Collected : //p' | sort -n | tail -n 1
}

# include_ratios COMPILER: print the instructions of the front end for gpucmd.h divided by those for stdio.h,
# stdlib.h and string.h; and for the heaviest vendor header divided by those for gen9_pack.h, which Mesa
# (of 2024-03-30) generates from gen9.xml: 325 million with gcc 12.2, 510 million with clang 14. The
# instructions for an empty file are subtracted from each.
include_ratios()
{
    mkdir -p "$bench/include"
    : >"$bench/include/empty.c"
    printf '#include <%s>\n' stdio.h stdlib.h string.h >"$bench/include/std.c"
    for h in $HEADERS; do
        echo "#include \"$h\"" >"$bench/include/${h%.h}.c"
    done
    for f in empty std $(echo "$HEADERS" | sed 's/[.]h//g'); do
        echo "$f $(front_end $1 "$bench/include/$f.c")"
    done | awk -v peer="$([ $1 = gcc ] && echo 324900000 || echo 510100000)" '
        { n[$1] = $2 - n["empty"] }
        $1 ~ /^gpucmd_/ && n[$1] > most { most = n[$1] }
        END { printf "%.2f\n%.2f\n", n["gpucmd"] / n["std"], most / peer }'
}

# quotient A B: print A divided by B.
quotient()
{
    awk -v a="$1" -v b="$2" 'BEGIN { if (b + 0 != 0) printf "%.4f", a / b }'
}

# on_gpu GPU OPTION PROGRAM: run a program of the clients; its counters are in $bench/report then.
on_gpu()
{
    "$BUILD/gpucmd-run" --gpu "$1" "$2" --quiet --timeout 60 ${SYSROOT:+--sysroot "$SYSROOT"} \
        --report "$bench/report" -- "$BUILD/clients/programs/$3" >"$bench/on_gpu.out" 2>"$bench/on_gpu.err"
}

# added GPU PROGRAM: print the wall time of the program with --check divided by that time without the
# time of execution and checker; the median of the rounds. Most programs wait for a result that
# --no-exec does not give them.
added()
{
    for round in 1 2 3 4 5 6 7; do
        on_gpu "$1" --check "$2" || return
        awk '{ n[$1] = $2 } END { printf "%.4f\n", n["wall_ns"] / (n["wall_ns"] - n["exec_ns"] - n["check_ns"]) }' \
            "$bench/report"
    done | sort -n | sed -n 4p
}

# against_no_exec GPU: print the wall time of 10000 submissions with --check, divided by that with
# --no-exec; the median of the rounds.
against_no_exec()
{
    for round in 1 2 3 4 5 6 7 8 9; do
        for option in --check --no-exec; do
            on_gpu "$1" $option vk_submits || return
            awk '$1 == "wall_ns" { print $2 }' "$bench/report"
        done
    done | awk 'NR % 2 == 1 { checked = $1; next } { printf "%.4f\n", checked / $1 }' | sort -n | sed -n 5p
}
