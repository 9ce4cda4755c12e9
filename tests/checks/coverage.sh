# Print the branches that the suites take, by header and by room, measured with gcov and with llvm-cov.
#   coverage.sh NAME...   the names of the suites; HOLES=NV.IMPL.DECODE also prints the branches of that room
#                         that no suite takes; FULL=1: NAME... are all suites, see coverage.py
. tests/checks/lib.sh

out=$BUILD/coverage
mkdir -p "$out"
# A function that is inlined has its branches once in every caller.
flags='-std=c99 -w -O0 -DGPUCMD_STATIC -DGPUCMD_IMPLEMENTATION= -D__always_inline__=__unused__ -I. -Itests'

# build NAME...: build and run each suite in a directory of its own.
build()
{
    for t in "$@"; do
        job "$t" "d=$out/$tool/$t; rm -rf \$d; mkdir -p \$d;
            $compile -o \$d/suite tests/$t.c && LLVM_PROFILE_FILE=\$d/suite.profraw \$d/suite >\$d/log"
    done >"$BUILD/jobs/$tool.list"
    sh tests/checks/jobs.sh count "$tool" "$BUILD/jobs/$tool.list" 2>&1
}

mkdir -p "$BUILD/jobs"
for tool in ${COVERAGE:-gcov llvm-cov}; do
    case $tool in
    gcov) compile="gcc $flags -fkeep-static-functions -fkeep-inline-functions --coverage" ;;
    llvm-cov) compile="clang $flags -fprofile-instr-generate -fcoverage-mapping" ;;
    esac
    have $tool || continue
    build "$@"
    python3 tests/checks/coverage.py $tool "$out/$tool" $HOLES
done
