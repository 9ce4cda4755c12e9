#!/bin/sh
# build.sh OUT MODULE: makes the page, one file, of the module and the sources of the page. Needs gzip and
# base64. Run from the root of the tree; the Makefile does.
set -eu
out=$1
module=$2
dir=examples/page
tmp=$out.parts
rm -rf "$tmp"
mkdir -p "$tmp"

pack()
{
    gzip -9 -n -c "$1" | base64 | tr -d '\n'
}

pack "$module" >"$tmp/WASM"
pack examples/gpucmd-dump/nv_methods.txt >"$tmp/NAMES"

# Manual entries and samples, as JSON.
{
    printf '{"manual": {\n'
    awk -f $dir/manual.awk gpucmd_nv.h gpucmd_i915.h gpucmd_agx.h
    printf '},\n"samples": ['
    between=
    while IFS="$(printf '\t')" read -r file title text; do
        printf '%s\n{"name": "%s", "title": "%s", "text": "%s", "data": "%s"}' "$between" "${file##*/}" \
            "$title" "$text" "$(base64 <"$file" | tr -d '\n')"
        between=,
    done <$dir/samples.tsv
    printf ']}\n'
} >"$tmp/more.json"
pack "$tmp/more.json" >"$tmp/MORE"

cat $dir/page.css >"$tmp/CSS"
cat $dir/wasi.js $dir/places.js $dir/worker.js >"$tmp/WORKER"
cat $dir/list.js $dir/read.js $dir/step.js $dir/compare.js >"$tmp/SCRIPT"
awk '/^#define GPUCMD_VERSION_M[AI][JN]OR|^#define GPUCMD_VERSION_PATCH/ { v = v s $3; s = "." }
     END { printf "%s", v }' gpucmd.h >"$tmp/VERSION"

# The policy names the scripts of the page by their sums: no other script runs, and nothing is fetched.
sum()
{
    # shellcheck disable=SC2059
    printf "$(sha256sum | awk '{ for (i = 1; i < 65; i += 2) { d = 0
        for (k = 0; k < 2; k++) d = 16 * d + index("0123456789abcdef", substr($1, i + k, 1)) - 1
        printf "\\%03o", d } }')" | base64
}
script=$({ echo; cat "$tmp/SCRIPT"; } | sum)
printf '%s' "default-src 'none'; script-src 'sha256-$script' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'" >"$tmp/CSP"

# Replace @NAME@ by the file NAME.
awk -v tmp="$tmp" '
    {
        line = $0
        while (match(line, /@[A-Z]+@/)) {
            printf "%s", substr(line, 1, RSTART - 1)
            name = tmp "/" substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
            lines = 0
            while ((getline text <name) > 0) printf "%s%s", lines++ ? "\n" : "", text
            close(name)
        }
        print line
    }' $dir/page.html >"$out.new"
[ "$(wc -c <"$out.new")" -le 1048576 ] || { echo "$out is larger than 1 MiB" >&2; exit 1; }
mv "$out.new" "$out"
