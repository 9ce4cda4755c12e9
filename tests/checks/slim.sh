# slim.sh VENDOR PARTS [FROM]: print a header with only these parts. See slim.awk. VENDOR is core or a
# vendor; the core has what the vendor headers with the same parts need.
. tests/checks/lib.sh

slim="awk -v parts=$(echo "$2" | tr -s ' ' ,) -f tests/checks/items.awk -f tests/checks/slim.awk"
case " $HEADERS " in
*" gpucmd_$1.h "*) $slim "gpucmd_$1.h" ;;
*)
    if [ "$1" != core ]; then
        echo "make slim VENDOR=... PARTS=...: expected as VENDOR: core$(have_vendors |
            tr A-Z a-z | sed 's/-dhave_//g'); as PARTS: some of write read check run kernel" >&2
        exit 2
    fi
    set -- "$BUILD/slim/$$"
    mkdir -p "$1"
    for h in $HEADERS; do
        [ "$h" = gpucmd.h ] || $slim "$h" >"$1/$h" || exit 2
    done
    $slim gpucmd.h "$1"/*.h
    status=$?
    rm -rf "$1"
    exit $status
    ;;
esac
