# What all tiers share. Sourced from the root of the tree; variables come from the Makefile.

# A jobserver of an outer make is not ours to use; the variables of its command line are.
MAKEFLAGS=$(printf '%s\n' "$MAKEFLAGS" | sed 's/ *-j *[0-9]*//; s/ *--jobserver-[a-z]*=[^ ]*//')
export MAKEFLAGS

: "${BUILD:=build}" "${JOBS:=1}" "${CC:=cc}" "${CXX:=c++}" "${TEST_SECONDS:=120}"

# The rooms of a header in their order, in the interface part and again in the implementation part.
PLAN='MANUAL SOURCES FACTS CONST ENCODE EMIT RING DECODE CHECK EXEC ENGINE CHANNEL RECIPE KERNEL'

have()
{
    command -v "$1" >/dev/null 2>&1
}

# skip TIER REASON: the visible line and the count for a tier that cannot run here.
skip()
{
    echo "skip: $1: $2"
    echo "$1: 0 passed, 0 failed, 1 skipped"
}

# job LABEL COMMAND: one line of a list for jobs.sh.
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

# warnings COMPILER c|c++: the warning flags that this compiler knows for this language.
warnings()
{
    case $(sh tests/tier/kind.sh $1) in
    gcc) w="$WARN $WARN_GCC" ;;
    clang) w="$WARN $WARN_CLANG" ;;
    *) w=-Wall ;;
    esac
    [ "$2" = c ] && [ "$w" != -Wall ] && w="$w $WARN_C"
    echo "$w"
}

# The C compilers that the matrix runs over: gcc and clang, or $CC on a machine with neither.
compilers()
{
    set --
    have gcc && set -- gcc
    have clang && set -- "$@" clang
    [ $# -gt 0 ] || set -- "$CC"
    echo "$@"
}

# others COMPILER...: those that are not of $CC's kind, which the tier of `make check` has used.
others()
{
    for cc in "$@"; do
        [ "$(sh tests/tier/kind.sh $CC)" = "$(sh tests/tier/kind.sh "$cc")" ] || echo "$cc"
    done
}

# The C++ driver that belongs to a C compiler; empty if it is not installed.
cxx_of()
{
    case $1 in
    gcc) have g++ && echo g++ ;;
    clang) have clang++ && echo clang++ ;;
    *) have "$CXX" && echo "$CXX" ;;
    esac
    return 0
}

# works COMMAND...: whether this compiler builds a program with these flags here; leaves it in
# $BUILD/works/a.out.
works()
{
    mkdir -p "$BUILD/works"
    printf '#include <stdio.h>\n#include <string.h>\nint main(void) { return puts("") < 0; }\n' \
        >"$BUILD/works/a.c"
    "$@" -o "$BUILD/works/a.out" "$BUILD/works/a.c" >/dev/null 2>&1
}

# -DHAVE_NV and so on for the vendor headers in the tree: what tests/compile/all.h asks for.
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
