# page-check.sh: build the page, and drive it in headless Chromium: tests/page/page.mjs.
. tests/checks/lib.sh

need page-check node
need page-check chromium
if [ ! -d tests/page/node_modules/playwright-core ]; then
    skip page-check "playwright-core not found (npm install --prefix tests/page)"
    exit 0
fi
if ! [ -e /usr/lib/wasm32-wasi/crt1-reactor.o ] || ! have wasm-ld; then
    skip page-check "wasm32-wasi not found (packages lld, wasi-libc, libclang-rt-14-dev-wasm32)"
    exit 0
fi
# shellcheck disable=SC2086
$MAKE "$BUILD/gpucmd.html" "$BUILD/gpucmd-dump" || { echo "page-check: 0 passed, 1 failed"; exit 1; }
timeout 600 node tests/page/page.mjs "$BUILD/gpucmd.html" "$BUILD/gpucmd-dump"
