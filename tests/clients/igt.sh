#!/bin/sh
# Run tests of igt-gpu-tools on the emulated GPUs, and compare the results with igt.known.
#   tests/clients/igt.sh [-a] [-g GPUS] [-j JOBS] [-l] [-n COUNT] [-o OUT] [-s SECONDS]
#       DIR [TEST...]
# DIR contains the test programs of a build of igt. TEST is a name (gem_busy) or a name with a
# subtest (gem_busy@close-race); without it, all programs of the list below run.
#   -a  run with --async         -g  GPUs                 -j  programs at a time
#   -l  print only a table       -o  directory of logs    -s  seconds for each subtest
#   -n  at most this many subtests of each program, evenly chosen from its list
# A result is pass, skip, fail, crash, time, or found: the checker reported an error. igt.known has
# a line `GPU TEST@SUBTEST RESULT` for each result other than pass and skip. The exit status is 1
# if a result is not pass, skip or known.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tool=$(cd "$here/../.." && pwd)/build/gpucmd-run
gpus='gm45 snb hsw bdw skl tgl' jobs=2 seconds=20 async='' table='' count=10000 out=
tests='gem_exec_store gem_exec_nop gem_exec_fence gem_exec_await gem_exec_parallel
    gem_exec_schedule gem_exec_reloc gem_exec_params gem_exec_flush gem_exec_whisper
    gem_exec_create gem_exec_capture gem_ringfill gem_sync gem_wait gem_busy gem_softpin
    gem_ctx_bad_destroy gem_ctx_create gem_ctx_engines gem_ctx_exec gem_ctx_isolation
    gem_ctx_param gem_ctx_persistence gem_ctx_shared gem_ctx_switch gem_eio gem_userptr_blits
    gem_mmap gem_mmap_gtt gem_mmap_offset gem_mmap_wc gem_close_race gem_linear_blits
    gem_tiled_blits gem_tiled_fence_blits gem_tiled_partial_pwrite_pread gem_tiled_pread_basic
    gem_tiled_pread_pwrite gem_tiled_wb gem_tiled_wc prime_busy prime_mmap
    prime_mmap_coherency prime_self_import syncobj_basic syncobj_timeline syncobj_wait'

# one GPU TEST@SUBTEST: run a subtest and print its result.
if [ "${1-}" = --one ]; then
    gpu=$2 name=$3
    log=$IGT_OUT/$gpu.$name.log
    subtest=
    [ "${name#*@}" = - ] || subtest="--run-subtest ${name#*@}"
    check=--check
    case $name in
    *hang* | gem_eio* | *reset* | *hostile*) check= ;; # these submit words that the checker rejects
    gem_close_race*) check= ;; # it copies from 2 MiB after the begin of an object of 256 KiB
    esac
    # shellcheck disable=SC2086
    $IGT_UNSHARE "$tool" --gpu "$gpu" --timeout "$IGT_SECONDS" \
        $check $IGT_ASYNC -- "$IGT_DIR/${name%@*}" $subtest >"$log" 2>&1 </dev/null
    case $? in
    0) result=pass ;;
    77 | 79) result=skip ;; # 79: this GPU has no such subtest
    120) result=found ;;
    124) result="time" ;;
    98 | 99) result=fail ;;
    *) result=crash ;;
    esac
    echo "$gpu $name $result"
    exit 0
fi

while getopts ag:j:ln:o:s: option; do
    case $option in
    a) async=--async ;;
    g) gpus=$OPTARG ;;
    j) jobs=$OPTARG ;;
    l) table=yes ;;
    n) count=$OPTARG ;;
    o) out=$OPTARG ;;
    s) seconds=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { sed -n '2,13s/^# //p' "$0"; exit 2; }
IGT_DIR=$1 IGT_ASYNC=$async IGT_SECONDS=$seconds
shift
[ $# -eq 0 ] || tests=$*
IGT_OUT=${out:-$(mktemp -d)}
mkdir -p "$IGT_OUT"
# The message queues of a test have names that are the same in all tests.
IGT_UNSHARE=
if unshare -i true 2>/dev/null; then IGT_UNSHARE='unshare -i'; fi
export IGT_DIR IGT_ASYNC IGT_SECONDS IGT_OUT IGT_UNSHARE
${MAKE:-make} -s -C "$here/../.." gpucmd-run && [ -x "$tool" ] || exit 2
for test in $tests; do
    [ -x "$IGT_DIR/${test%@*}" ] || continue
    case $test in
    *@*) echo "$test" ;;
    *) # a program without subtests lists nothing
        subtests=$("$IGT_DIR/$test" --list-subtests 2>/dev/null)
        for subtest in ${subtests:--}; do echo "$test@$subtest"; done |
            awk -v n="$count" '{ line[NR] = $0 } END { step = NR > n ? NR / n : 1
                for (i = 1; i <= NR; i += step) { print line[int(i)] } }'
        ;;
    esac
done >"$IGT_OUT/list"
for gpu in $gpus; do sed "s/^/$gpu /" "$IGT_OUT/list"; done |
    xargs -P "$jobs" -L 1 "$0" --one | sort >"$IGT_OUT/results"

# The table: for each test and GPU passed / not skipped.
awk -v gpus="$gpus" '
    { split($2, part, "@"); test = part[1]; key = test " " $1
      if (!(test in seen)) { seen[test] = 1; order[++n] = test }
      if ($3 != "skip") { all[key]++; all[$1]++ } else { skipped[$1]++ }
      if ($3 == "pass") { passed[key]++; passed[$1]++ } }
    END {
        count = split(gpus, gpu, " ")
        printf "%-32s", "passed of run"
        for (i = 1; i <= count; i++) { printf " %10s", gpu[i] }
        print ""
        for (t = 1; t <= n; t++) {
            printf "%-32s", order[t]
            for (i = 1; i <= count; i++) {
                key = order[t] " " gpu[i]
                printf " %10s", all[key] ? passed[key] + 0 " / " all[key] : "-"
            }
            print ""
        }
        printf "%-32s", "all"
        for (i = 1; i <= count; i++) { printf " %10s", passed[gpu[i]] + 0 " / " all[gpu[i]] + 0 }
        printf "\n%-32s", "skipped"
        for (i = 1; i <= count; i++) { printf " %10s", skipped[gpu[i]] + 0 }
        print ""
    }' "$IGT_OUT/results"
[ -z "$table" ] || exit 0
new=$(grep -v -E ' (pass|skip)$' "$IGT_OUT/results" | grep -v -x -F -f "$here/igt.known")
[ -z "$new" ] && echo "all other results are known" && exit 0
echo "not known:"
echo "$new"
exit 1
