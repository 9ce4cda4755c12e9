# Functions for all tiers. Source this file from the root of the tree. The Makefile sets the variables.

# Remove the jobserver of an outer make from MAKEFLAGS, but keep the variables of its command line.
MAKEFLAGS=$(printf '%s\n' "$MAKEFLAGS" | sed 's/ *-j *[0-9]*//; s/ *--jobserver-[a-z]*=[^ ]*//')
export MAKEFLAGS

: "${BUILD:=build}" "${JOBS:=1}" "${CC:=cc}" "${CXX:=c++}" "${TEST_SECONDS:=600}"

# The rooms of a header in their order, in the interface part and again in the implementation part.
PLAN='MANUAL SOURCES FACTS CONST ENCODE EMIT RING DECODE CHECK EXEC ENGINE CHANNEL RECIPE KERNEL'

# suites EXTENSION: print the files of the suites, for instance tests/nv/emit.c.
suites()
{
    for room in core nv i915 agx; do
        ls "tests/$room"/*.$1
    done
}

have()
{
    command -v "$1" >/dev/null 2>&1
}

# skip TIER REASON: print the message and the closing line of a tier that cannot run here.
skip()
{
    echo "skip: $1: $2"
    echo "$1: 0 passed, 0 failed, 1 skipped"
}

# job LABEL COMMAND: print one line of a list for jobs.sh.
job()
{
    printf '%s|%s\n' "$1" "$(printf '%s' "$2" | tr '\n' ' ')"
}

# Tiers that need TOOL start with: need TIER TOOL
need()
{
    have "$2" && return
    skip "$1" "$2 not found"
    exit 0
}

# warnings COMPILER c|c++: print the warning flags that this compiler accepts for this language.
warnings()
{
    case $(sh tests/checks/kind.sh $1) in
    gcc) w="$WARN $WARN_GCC" ;;
    clang) w="$WARN $WARN_CLANG" ;;
    *) w=-Wall ;;
    esac
    [ "$2" = c ] && [ "$w" != -Wall ] && w="$w $WARN_C"
    echo "$w"
}

# Print the C compilers of the matrix: gcc and clang, or $CC if neither is installed.
compilers()
{
    set --
    have gcc && set -- gcc
    have clang && set -- "$@" clang
    [ $# -gt 0 ] || set -- "$CC"
    echo "$@"
}

# Print the objects of the whole implementation in C99, of every compiler at every level. The Makefile has
# their rule. Beside each object is the stack of its functions, and from gcc the graph of their calls.
impl_objects()
{
    for cc in $(compilers); do
        printf '%s\n' "$BUILD/impl/$cc-O0.o" "$BUILD/impl/$cc-O2.o" "$BUILD/impl/$cc-Os.o"
    done
}

# chains COMPILER LEVEL: print the deepest chains of calls in its object of impl_objects, deepest first.
# Nothing if the graph of calls is not known here.
chains()
{
    graph=$BUILD/impl/$1$2
    if [ "$(sh tests/checks/kind.sh "$1")" = clang ]; then
        [ "$(uname -m)" = x86_64 ] && have objdump || return 0
        objdump -dr --no-show-raw-insn "$graph.o" >"$graph.code" &&
            awk -f tests/checks/calls.awk "$graph.su" "$graph.code" >"$graph.ci"
    fi
    [ ! -f "$graph.ci" ] || awk -f tests/checks/chains.awk "$graph.ci"
}

# others COMPILER...: print those that are not of the kind of $CC, which `make check` uses.
others()
{
    for cc in "$@"; do
        [ "$(sh tests/checks/kind.sh $CC)" = "$(sh tests/checks/kind.sh "$cc")" ] || echo "$cc"
    done
}

# Print the C++ driver of a C compiler, or nothing if it is not installed.
cxx_of()
{
    case $1 in
    gcc) have g++ && echo g++ ;;
    clang) have clang++ && echo clang++ ;;
    *) have "$CXX" && echo "$CXX" ;;
    esac
    return 0
}

# works COMMAND...: succeed if this compiler builds a program with these flags here. The program is
# $BUILD/works/a.out.
works()
{
    mkdir -p "$BUILD/works"
    printf '#include <stdio.h>\n#include <string.h>\nint main(void) { return puts("") < 0; }\n' \
        >"$BUILD/works/a.c"
    "$@" -o "$BUILD/works/a.out" "$BUILD/works/a.c" >/dev/null 2>&1
}

# Print what runs a 32-bit program of x86: qemu-i386 if the kernel does not, where the search for leaks
# does not end; nothing if it does.
run32()
{
    if works gcc -m32 && ! "$BUILD/works/a.out" >/dev/null 2>&1; then
        echo env ASAN_OPTIONS=detect_leaks=0 qemu-i386
    fi
}

# Print -DHAVE_NV and the like for the vendor headers in the tree; tests/compile/all.h uses them.
have_vendors()
{
    for h in $HEADERS; do
        case $h in
        gpucmd_*)
            v=${h#gpucmd_}
            printf ' -DHAVE_%s' "$(echo "${v%.h}" | tr a-z A-Z)"
            ;;
        esac
    done
}
