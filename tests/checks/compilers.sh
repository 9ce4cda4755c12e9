# Compilers of other systems, and all standards of C++.
#   mingw    x86_64-w64-mingw32-gcc builds the examples; with wine they print what their last comment says
#   windows  clang for x86_64-pc-windows-msvc, freestanding, compiles the headers without a warning
#   C++      g++ and clang++ compile the headers with C++14 to C++20, clang++ the examples with
#            C++20; with FULL=1 g++, too
# `make examples` and examples-all run the examples with gcc, clang and tcc, and with C++11.
. tests/checks/lib.sh

out=$BUILD/compilers
list=$BUILD/jobs/compilers.list
mkdir -p "$out" "$BUILD/jobs"
have_all=$(have_vendors)
src=tests/compile/impl.c

mingw=x86_64-w64-mingw32-gcc
wine=$(command -v wine wine64 | head -n 1)
export WINEPREFIX="$PWD/$out/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
{
    if ! have $mingw; then
        job mingw "skip: $mingw not found (package gcc-mingw-w64-x86-64)"
    elif [ -z "$wine" ]; then
        job wine "skip: wine not found (package wine64)"
    else
        "$wine" wineboot -i >"$out/wineboot" 2>&1
        for e in $EXAMPLES; do
            awk '/^\/\* Output:/ { on = 1; next } on && /^ ?\*\// { exit }
                 on { sub(/^ \* ?/, ""); print }' "examples/$e.c" >"$out/$e.expected"
            job "$e mingw" "$mingw -std=c99 -O0 $WARN -Wno-format -I. -o $out/$e.exe examples/$e.c &&
                $wine $out/$e.exe >$out/$e.txt && tr -d '\r' <$out/$e.txt | diff $out/$e.expected -"
        done
    fi
    if have clang; then
        for x in 'c -std=c99' 'c++ -std=c++11'; do
            [ "$x" = 'c -std=c99' ] && w="$WARN $WARN_CLANG $WARN_C" || w="$WARN $WARN_CLANG"
            job "windows ${x#*=}" "clang --target=x86_64-pc-windows-msvc -ffreestanding -x $x -O1 $w -I. \
                $have_all -c -o $out/windows-${x%% *}.o $src"
        done
    else
        job windows "skip: clang not found"
    fi
    for cxx in g++ clang++; do
        have $cxx || { job $cxx "skip: $cxx not found"; continue; }
        w=$(warnings $cxx c++)
        for std in c++14 c++17 c++20; do
            job "headers $cxx $std" "$cxx -x c++ -std=$std $w -I. $have_all -fsyntax-only $src"
        done
        [ $cxx = clang++ ] || [ "$FULL" ] || continue
        for e in $EXAMPLES; do
            job "$e $cxx c++20" "$cxx -x c++ -std=c++20 $w -Wno-reserved-macro-identifier -I. -fsyntax-only examples/$e.c"
        done
    done
} >"$list"
sh tests/checks/jobs.sh count compilers "$list" 2>&1
status=$?
[ -z "$wine" ] || ! have wineserver || wineserver -k
exit $status
