# Shell test of the pictures of gpucmd-dump: SVG, Graphviz, trace events, pages. What they must show is
# typed here: four channels, of which two wait for each other and one releases another. Run from the
# root of the tree with the tool in $BUILD.
suite=dump_pictures
. tests/dump/lib.sh
dumps=tests/data/dumps
python=$(command -v python3)

# push CHANNEL WORD...: a push as libdrm prints it.
push()
{
    ch=$1
    shift
    echo "nouveau: ch$ch: krec 0 pushes 1 bufs 1 relocs 0"
    printf 'nouveau: ch%s: psh 00000000 0000000000 %010x\n' "$ch" $((4 * $#))
    for word in "$@"; do printf 'nouveau: \t0x%s\n' "$word"; done
}
# SEM_ADDR_LO of an address, the payload 1, SEM_EXECUTE: 0 acquires, 1 releases.
sem()
{
    echo "20050017 $1 00000000 00000001 00000000 0000000$2"
}
# shellcheck disable=SC2046
{
    push 1 $(sem 00001000 0) $(sem 00002000 1)
    push 2 20010040 00000000 $(sem 00002000 0) $(sem 00001000 1)
    push 3 20010040 00000000 $(sem 00003000 1)
    push 4 $(sem 00003000 0) 20010040 00000000
} >"$dir/deadlock"

# parses FILE: it is JSON; xml FILE: it is XML.
parses()
{
    if [ -z "$python" ]; then echo "skip: $1: no python3"; return; fi
    if "$python" -m json.tool "$1" >/dev/null 2>"$dir/py"; then good; else bad "$1: no JSON" "$(cat "$dir/py")"; fi
}
xml()
{
    if [ -z "$python" ]; then echo "skip: $1: no python3"; return; fi
    if "$python" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" 2>"$dir/py"; then
        good
    else
        bad "$1: no XML" "$(cat "$dir/py")"
    fi
}
# count WANT PATTERN FILE
count()
{
    got=$(grep -o -e "$2" "$dir/$3" | wc -l)
    if [ "$got" -eq "$1" ]; then good; else bad "$3: $got times '$2', expected $1"; fi
}

cp "$dir/deadlock" "$dir/in"
run 0 nv --chip tu102 --svg "$dir/a.svg" --dot "$dir/a.dot" --trace "$dir/a.json" --html "$dir/a.html"
xml "$dir/a.svg"
count 2 '<rect class="cycle" x="[0-9.]*" y="[0-9]*" width="[0-9.]*" height="24"' a.svg
count 1 '<rect class="wait" x="[0-9.]*" y="[0-9]*" width="[0-9.]*" height="24"' a.svg
count 1 '<path class="rel"' a.svg
count 2 '<path class="cyc"' a.svg
has a.svg 'SEM_EXECUTE waits for 0x1 at 0x1000, offset 0x14'
has a.svg 'deadlock of 2 streams'
for word in commands 'start, jump or call' 'stores a value' 'waits without an end' 'waits in a cycle'; do
    has a.svg ">$word</text>" # the legend
done
has a.dot 's0 -> s1 [label="waits at 0x14\nfor 0x1000", color="#c62828", penwidth=3];'
has a.dot 's1 -> s0 [label="waits at 0x1c\nfor 0x2000", color="#c62828", penwidth=3];'
has a.dot 's2 -> s3 [label="releases\n0x3000"'
has a.dot 'red: waits in a cycle'
if command -v dot >/dev/null; then
    if dot -Tsvg "$dir/a.dot" >/dev/null 2>"$dir/dot"; then good; else bad 'dot refuses the graph' "$(cat "$dir/dot")"; fi
fi
parses "$dir/a.json"
count 4 '"name":"thread_name"' a.json
count 2 '"cat":"cycle"' a.json
count 1 '"ph":"s"' a.json
count 1 '"ph":"f"' a.json
count 2 '"name":"SEM_EXECUTE waits in a cycle"' a.json
count 1 '"name":"SEM_EXECUTE waits"' a.json

# A lane for each subchannel, boxes with the names of methods, words that are no command, a long stream.
words 20010000 0000902d 20016000 0000a140 20046020 00000001 00000002 00000003 00000004 4dd3344e
run 1 nv --chip gk104 --class 0=902d,3=a140 --svg "$dir/h.svg" --trace "$dir/h.json"
xml "$dir/h.svg"
parses "$dir/h.json"
has h.svg '>0: words, subc 0</text>'
has h.svg '>0: words, subc 3</text>'
has h.svg '<title>SET_OBJECT, 2 words, offset 0x0</title>'
has h.svg '<title>no command, 1 word, offset 0x24</title>'
count 1 '<rect class="none" x="[0-9.]*" y="67"' h.svg
count 2 '"name":"thread_name"' h.json
count 1 '"cat":"none","name":"no command"' h.json
awk 'BEGIN { for (i = 0; i < 5000; i++) print i % 2 ? "20010040 00000000" : "20010044 00000000" }' >"$dir/in"
run 0 nv --chip gk104 --svg "$dir/h.svg"
count 1 '<rect class="run" x="[0-9.]*" y="[0-9]*" width="[0-9.]*" height="24"' h.svg

# A channel that waits for what another stores after its own end is blocked, but in no cycle.
# shellcheck disable=SC2046
{ push 1 $(sem 00001000 0); push 2 $(sem 00002000 0) $(sem 00001000 1); push 3 20010040 00000000; } >"$dir/in"
run 0 nv --chip tu102 --svg "$dir/b.svg"
count 0 '<rect class="cycle" x="[0-9.]*" y="[0-9]*" width="[0-9.]*" height="24"' b.svg

# Rings start batches, which return; the page marks where the GPU stopped and shows findings.
run 0 i915 --svg "$dir/c.svg" --dot "$dir/c.dot" --trace "$dir/c.json" --html "$dir/c.html" "$dumps/i915_error_4.2_hsw_2rings.txt"
xml "$dir/c.svg"
parses "$dir/c.json"
count 2 '<path class="call"' c.svg
count 2 '<path class="ret"' c.svg
count 4 '"name":"start"' c.json
count 4 '"name":"return"' c.json
has c.dot 's1 -> s0 [label="MI_BATCH_BUFFER_START'
has c.dot 's3 -> s2 [label="MI_BATCH_BUFFER_START'
has c.dot 's0 -> s1 [label="MI_BATCH_BUFFER_END'
count 4 '<details open>' c.html
count 2 'class="l c stop"' c.html # each engine stopped somewhere
has c.html 'ACTHD: the GPU stopped here'
has c.html '<svg xmlns='
if grep -q 'https\{0,1\}://' "$dir/c.html" && grep -o 'https\{0,1\}://[^" ]*' "$dir/c.html" | grep -qv 'http://www.w3.org/2000/svg'; then
    bad 'c.html: refers to other pages'
else
    good
fi
words 780e0000 00000000 ffffffff 05000000
run 1 i915 --gen 9 --engine rcs --html "$dir/d.html"
has d.html '<p class="f e"><b>error UNKNOWN</b>: '
# Commands of 3D have their names; one that has none has bits 31:16, and the title says so.
words 61050000 00000000 780e0000 00000000 05000000 00000000
run 0 i915 --gen 12 --engine rcs --svg "$dir/n.svg" --trace "$dir/n.json"
has n.svg 'STATE_COMPUTE_MODE, 2 words'
has n.svg '3DSTATE_CC_STATE_POINTERS, 2 words'
has n.json '"name":"3DSTATE_CC_STATE_POINTERS"'
has n.svg '<title>Intel rings and batches over time</title>'
count 0 'GFX' n.svg
words 7d7e0000 00000000 05000000 00000000
run 0 i915 --gen 12 --engine rcs --svg "$dir/n.svg" --trace "$dir/n.json"
has n.svg '0x7d7e, 2 words'
has n.json '"name":"0x7d7e"'
has n.svg 'A box 0x7123: bits 31:16 of a 3D or media command; --names FILE names it'
# A page changes no finding and no status.
words 20010040 00000007
printf '\001' >>"$dir/in"
run 1 nv --chip gf100 --check --html "$dir/g.html"
has_line out '0x000008  --------  error TRUNCATED: the stream ends inside a word; expected 3 more bytes'
has g.html '<b>error TRUNCATED</b>'

# Apple's queues.
lines '#0 R1 barrier=[__, C0]' '#1 C1 barrier=[__, __]'
run 0 agx --trace "$dir/e.json" --html "$dir/e.html"
parses "$dir/e.json"
count 3 '"name":"thread_name"' e.json
has e.html '#1 C1 barrier=[__, __]'
refuses "$dir/none/x: cannot be written" i915 --gen 9 --engine rcs --svg "$dir/none/x" "$dumps/xxd_skl.txt"

# An option that does not fit a stream ends the tool before a picture is drawn.
for picture in --svg --dot --trace --html; do
    lines '001000 20018000 00000001' '002000 20018000 00000001'
    refuses "--mode 'nv4': expected ib" nv --chip gf100 --mode nv4 $picture "$dir/f" -
    refuses "--gen '6': expected a generation with the engine of the dump" i915 --engine ccs $picture "$dir/f" \
        "$dumps/i915_error_4.15_snb.txt"
done

finish
