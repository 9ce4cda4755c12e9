# takers.sh SUITE...: each suite that has memory of a process or GPU, itself or in a header that it
# includes, is in one of the lists of the Makefile, which are given here.
. tests/tier/lib.sh

has='gpucmd_mem_init|gpucmd_region |gpucmd_[a-z0-9]+_kernel_ioctl'
for more in 1 2 3; do
    takers=$(grep -lE "$has" tests/*.c tests/*.h | grep -vE '/(test|flips?)[.]h$')
    for h in $takers; do
        case $h in *.h) has="$has|#include \"${h#tests/}\"" ;; esac
    done
done
passed=0 failed=0
for t in $takers; do
    case $t in *.h) continue ;; esac
    t=${t#tests/} t=${t%.c}
    case " $* " in
    *" $t "*) passed=$((passed + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "FAIL: takers: tests/$t.c has memory that may change; expected its name in" \
            "KERNEL_SUITES, EXEC_SUITES or STILL_SUITES of the Makefile"
        ;;
    esac
done
[ $((passed + failed)) -ne 0 ] || failed=1
echo "flips/takers: $passed passed, $failed failed"
[ $failed -eq 0 ]
