/* compare.js - two streams side by side: equal commands stand beside each other, changed fields are
 * marked. */
"use strict";

const COMPARE_WORDS = 200000;
const COMPARE_AHEAD = 200; /* rows that are tried to find equal rows again */

const compared = {left: null, right: null, list: null};

function reset_compare() {
    compared.left = compared.right = null;
    compared.list = null;
    $("view-compare").replaceChildren();
}

/* The first part of a row that says which command it is: without address and word. */
function row_name(text) {
    const m = /^([A-Za-z0-9_]+)(\s+s\d+ 0x[0-9a-f]+ [A-Za-z0-9_]*)?/.exec(split_line(text)[2].trim());
    return m === null ? "" : m[0];
}

function row_rest(text) {
    return split_line(text).slice(1).join(" ").trim();
}

/* All rows of a stream, at most COMPARE_WORDS. */
async function stream_rows(stream) {
    const shape = await ask("choose", {stream});
    state.shown_stream = stream;
    return ask("rows", {from: 0, count: Math.min(shape.rows, COMPARE_WORDS), commands: false});
}

/* Join rows to commands: the first row and those after it. */
function commands_of(rows) {
    const list = [];
    for (const r of rows) {
        if (r.command || list.length === 0) {
            list.push({name: row_name(r.text), rows: [r]});
        } else {
            list[list.length - 1].rows.push(r);
        }
    }
    return list;
}

/* Pair the commands of two streams by name: where they differ, the nearest place where they agree
 * again is taken. */
function pair(left, right) {
    const pairs = [];
    let a = 0;
    let b = 0;
    while (a < left.length || b < right.length) {
        if (a < left.length && b < right.length && left[a].name === right[b].name) {
            pairs.push([left[a++], right[b++]]);
            continue;
        }
        let found = null;
        for (let n = 1; n < COMPARE_AHEAD && found === null; n++) {
            for (let i = 0; i <= n && found === null; i++) {
                const x = left[a + i];
                const y = right[b + n - i];
                if (x !== undefined && y !== undefined && x.name === y.name && x.name !== "MI_NOOP") {
                    found = [i, n - i];
                }
            }
        }
        const [skip_a, skip_b] = found || [Math.min(1, left.length - a), Math.min(1, right.length - b)];
        for (let i = 0; i < skip_a; i++) {
            pairs.push([left[a++], null]);
        }
        for (let i = 0; i < skip_b; i++) {
            pairs.push([null, right[b++]]);
        }
    }
    return pairs;
}

/* Lines of pairs: sign, left text, right text. */
function compare_lines(pairs) {
    const lines = [];
    for (const [x, y] of pairs) {
        const n = Math.max(x === null ? 0 : x.rows.length, y === null ? 0 : y.rows.length);
        for (let i = 0; i < n; i++) {
            const left = x === null || x.rows[i] === undefined ? null : x.rows[i].text;
            const right = y === null || y.rows[i] === undefined ? null : y.rows[i].text;
            const sign = left === null ? "+" : right === null ? "−" :
                row_rest(left) === row_rest(right) ? " " : "≠";
            lines.push({sign, left, right, command: i === 0});
        }
    }
    return lines;
}

/* Mark the words of a text that the other text does not have at the same place. */
function mark_changes(text, other) {
    const parts = row_rest(text).split(/( +)/);
    const others = other === null ? [] : row_rest(other).split(/( +)/);
    return parts.map((p, i) => other !== null && p !== others[i] ? make("mark", {}, p) : p);
}

function draw_compare(line) {
    const side = (text, other) => make("span", {className: "side"}, ...(text === null ? [] :
        mark_changes(text, line.sign === "≠" ? other : null)));
    const e = make("div", {}, make("span", {"aria-label": {" ": "equal", "≠": "changed", "+": "only right",
        "−": "only left"}[line.sign]}, line.sign), side(line.left, line.right), side(line.right, line.left));
    e.classList.toggle("changed", line.sign !== " ");
    e.classList.toggle("command", line.command);
    return e;
}

async function show_compare() {
    if (compared.left === null || compared.right === null) {
        return;
    }
    const lines = compare_lines(pair(commands_of(compared.left.rows), commands_of(compared.right.rows)));
    const n = (sign) => lines.filter((l) => l.sign === sign).length;
    $("compare-found").textContent = compared.left.name + " and " + compared.right.name + ": " +
        plural_text(n("≠"), "changed word") + ", " + n("−") + " only left, " + n("+") + " only right";
    compared.list = new List($("compare-rows"), "Two streams", async (from, count) =>
        lines.slice(from, from + count), draw_compare, () => {});
    await compared.list.reset(lines.length);
    $("compare-next").onclick = () => {
        const at = lines.findIndex((l, i) => l.sign !== " " && i > compared.list.picked);
        compared.list.choose(at < 0 ? lines.findIndex((l) => l.sign !== " ") : at, true);
    };
}

/* Make the view: which streams, or another file. */
async function begin_compare() {
    if (compared.left !== null || state.info === null) {
        return;
    }
    const streams = state.info.streams || [];
    const select = (id, label, chosen) => make("select", {id, "aria-label": label, onchange: take_sides},
        ...streams.map((s, i) => make("option", {value: i, selected: i === chosen}, stream_label(s, i))));
    const file = make("input", {type: "file", id: "compare-file", "aria-label": "Other file",
        onchange: () => compare_file(file.files[0])});
    $("view-compare").replaceChildren(
        make("div", {className: "tools"}, select("left", "Left stream", state.stream), " with ",
            select("right", "Right stream", streams.length > 1 ? (state.stream + 1) % streams.length : 0),
            " or another file: ", file, make("button", {type: "button", id: "compare-next"}, "Next change")),
        make("p", {id: "compare-found", role: "status", "aria-live": "polite"}),
        make("div", {id: "compare-rows"}));
    await take_sides();
}

async function take_sides() {
    await busy("comparing", async () => {
        const side = async (id) => {
            const i = Number($(id).value);
            return {name: "stream " + i, rows: await stream_rows(i)};
        };
        compared.left = await side("left");
        compared.right = await side("right");
        await ask("choose", {stream: state.stream});
        state.shown_stream = state.stream;
        await show_compare();
    });
}

/* Compare with the first stream of another file, read in the same way. */
async function compare_file(file) {
    await busy("comparing", async () => {
        const data = new Uint8Array(await file.arrayBuffer());
        const rows = await ask("other", {name: file.name, data, vendor: state.vendor, options: tool_options()});
        if (rows === null) {
            $("compare-found").textContent = file.name + " has no stream of this vendor";
            return;
        }
        compared.right = {name: file.name, rows};
        await show_compare();
    });
}

start();
