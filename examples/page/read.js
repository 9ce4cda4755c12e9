/* read.js - the page: opens an input, shows what it is, its streams and commands. list.js comes before
 * it, step.js and compare.js after it. */
"use strict";

const $ = (id) => document.getElementById(id);
const VERDICT_WORDS = 65536; /* of an input that is run at once */
const CHIPS = {
    nv: ["nv4", "nv40", "g80", "gf100", "gk104", "gm107", "gp100", "gv100", "tu102", "ga102", "ad102",
        "gh100", "gb202"],
    i915: ["2", "3", "4", "4.5", "5", "6", "7", "7.5", "8", "9", "11", "12", "12.5", "12.7", "20", "30"],
};
const ENGINES = ["rcs", "bcs", "vcs", "vecs", "ccs", "gsc"];
const VENDORS = {nv: "NVIDIA", i915: "Intel", agx: "Apple"};

const state = {
    worker: null, next: 1, waiting: new Map(), module: null, data: null,
    input: null,   /* {name, data} */
    vendor: "", options: {}, fits: [], info: null, stream: 0, shape: null,
    shown_stream: -1, /* of the worker: Step and Compare show others, too */
    findings: [], by_offset: new Map(), list: null, manual: {}, samples: [],
};

/* ---- the worker ---- */

/* Start the worker; what waits for the old one fails. */
async function start_worker() {
    if (state.worker !== null) {
        state.worker.terminate();
        state.waiting.forEach((w) => w.reject(new Error("cancelled")));
        state.waiting.clear();
    }
    const url = URL.createObjectURL(new Blob([$("worker-source").textContent],
        {type: "text/javascript"}));
    state.worker = new Worker(url);
    URL.revokeObjectURL(url);
    state.worker.onmessage = (e) => {
        if (e.data.progress !== undefined) {
            return show_busy(e.data.progress);
        }
        const w = state.waiting.get(e.data.id);
        state.waiting.delete(e.data.id);
        if (w !== undefined) {
            e.data.error === undefined ? w.resolve(e.data.result) : w.reject(new Error(e.data.error));
        }
    };
    state.worker.onerror = (e) => show_error("The worker failed: " + e.message);
    const {module} = await ask("init", {wasm: state.module ? "" : $("data-wasm").textContent,
        names: $("data-names").textContent, module: state.module});
    state.module = module;
}

/* Call a function of the worker. */
function ask(call, args) {
    return new Promise((resolve, reject) => {
        const id = state.next++;
        state.waiting.set(id, {resolve, reject});
        state.worker.postMessage({id, call, args: args || {}});
    });
}

function show_busy(text) {
    $("busy").hidden = text === "";
    $("busy-text").textContent = text;
    const percent = /(\d+) %/.exec(text);
    if (percent === null) {
        $("bar").removeAttribute("value");
    } else {
        $("bar").value = Number(percent[1]);
    }
}

function show_error(text) {
    $("error").hidden = text === "";
    $("error").textContent = text;
}

/* Run an action with the progress bar; what fails is shown. */
async function busy(text, action) {
    const timer = setTimeout(() => show_busy(text), 150);
    try {
        return await action();
    } catch (e) {
        if (e.message !== "cancelled") {
            show_error("This failed: " + e.message);
        }
        return undefined;
    } finally {
        clearTimeout(timer);
        show_busy("");
    }
}

/* ---- an input ---- */

async function open_input(name, data) {
    state.input = {name, data};
    state.options = {};
    show_error("");
    await busy("reading " + name, async () => {
        state.fits = await ask("load", {name, data});
        state.vendor = state.fits[0].vendor;
        await read_input();
    });
}

/* The options of the tool that the choices of the person mean. */
function tool_options() {
    const o = state.options;
    const list = [];
    if (state.vendor === "nv" && o.chip) {
        list.push("--chip", o.chip);
    } else if (state.vendor === "i915" && o.chip) {
        list.push("--gen", o.chip);
    }
    if (state.vendor === "i915" && o.engine) {
        list.push("--engine", o.engine);
    }
    if (o.all && state.vendor === "i915") {
        list.push("--all");
    }
    return list;
}

/* Read the input with the present choices. */
async function read_input() {
    const info = await ask("open", {vendor: state.vendor, options: tool_options()});
    state.info = info;
    show_what();
    $("start").hidden = true;
    $("work").hidden = false;
    $("name").textContent = state.input.name + ", " + size_text(state.input.data.length);
    document.title = "gpucmd: " + state.input.name;
    const some = info.status === 0 && info.streams.length !== 0;
    $("view-read").classList.toggle("empty", !some);
    document.querySelectorAll("#view-read .tools, #view-read .split, #views").forEach((e) => {
        e.hidden = !some;
    });
    show_streams();
    if (some) {
        await show_stream(info.streams.findIndex((s) => s.words !== 0 || state.vendor === "agx"));
    } else {
        $("why").open = true;
        $("registers").replaceChildren();
        $("found").textContent = "";
    }
    show_view("read");
    reset_step();
    reset_compare();
    $("verdict").hidden = true;
    if (some && info.streams.reduce((n, s) => n + s.words, 0) <= VERDICT_WORDS) {
        await show_verdict();
    }
}

/* Say what happens if the input is run. */
async function show_verdict() {
    const v = await ask("verdict", {vendor: state.vendor, options: tool_options()});
    $("verdict").hidden = v === null;
    if (v !== null) {
        $("verdict").replaceChildren(make("b", {}, "If this is run: "), v.stop + ". ",
            ...v.waits.map((w) => make("span", {}, w + ". ")),
            make("button", {type: "button", onclick: () => show_view("step")}, "Step through it"));
    }
}

function size_text(n) {
    return n < 1024 ? n + " bytes" : n < 1 << 20 ? (n / 1024).toFixed(1) + " KiB" :
        (n / (1 << 20)).toFixed(1) + " MiB";
}

function plural_text(n, thing) {
    return n.toLocaleString("en") + " " + thing + (n === 1 ? "" : "s");
}

/* Say what the input was recognised as, why, and offer other choices. */
function show_what() {
    const info = state.info;
    const parts = [];
    if (info.status === 0) {
        parts.push(make("b", {}, info.format || "raw words"), ", " + VENDORS[state.vendor]);
        const chips = [...new Set(info.streams.map((s) => s.chip).filter((c) => c !== ""))];
        if (chips.length !== 0) {
            const why = info.streams[0].why || (state.options.chip ? "chosen" : "guessed by trying");
            parts.push(", " + chips.join(", ") + " (" + why + ")");
        }
        parts.push(", " + plural_text(info.streams.length, "stream"));
        if (info.process) {
            parts.push(", process " + info.process);
        }
        if (info.damage !== 0) {
            parts.push(make("b", {className: "error"},
                ", " + plural_text(info.damage, "missing or damaged part")));
        }
    } else {
        parts.push(make("b", {className: "error"}, "Not read"), " as " + VENDORS[state.vendor]);
    }
    $("read-as").replaceChildren("Read as ", ...parts, ".");
    if (info.status !== 0) {
        $("read-as").replaceChildren(...parts, ".");
    }
    $("messages").replaceChildren(...info.messages.map((m) => make("li", {}, m)));
    $("why").open = info.status !== 0 || info.streams.length === 0 || info.damage !== 0;
    show_choices();
}

/* A button that is pressed while its choice holds. */
function choice(text, pressed, action, label) {
    return make("button", {type: "button", "aria-pressed": pressed, onclick: action,
        "aria-label": label || text}, text);
}

function show_choices() {
    const buttons = Object.keys(VENDORS).map((v) => choice(VENDORS[v], v === state.vendor, () => {
        state.vendor = v;
        state.options = {};
        busy("reading", read_input);
    }, "Read as " + VENDORS[v]));
    const list = CHIPS[state.vendor];
    if (list !== undefined) {
        const now = (state.info.streams || []).length !== 0 ? state.info.streams[0].chip : "";
        const select = make("select", {"aria-label": "Chip or generation", id: "chip", onchange: () => {
            state.options.chip = select.value;
            busy("reading", read_input);
        }}, make("option", {value: ""}, "chip: as guessed" + (now ? " (" + now + ")" : "")),
        ...list.map((c) => make("option", {value: c, selected: c === state.options.chip},
            state.vendor === "i915" ? "gen" + c : c)));
        buttons.push(select);
    }
    if (state.vendor === "i915") {
        const select = make("select", {"aria-label": "Engine", id: "engine", onchange: () => {
            state.options.engine = select.value;
            busy("reading", read_input);
        }}, make("option", {value: ""}, "engine: of the dump"), ...ENGINES.map((e) =>
            make("option", {value: e, selected: e === state.options.engine}, e)));
        buttons.push(select, choice("Words after the end", state.options.all === true, () => {
            state.options.all = !state.options.all;
            busy("reading", read_input);
        }));
    }
    $("choices").replaceChildren(...buttons);
}

/* ---- streams ---- */

function stream_label(s, i) {
    return i + ": " + (s.engine ? s.engine + " " : "") + (s.kind || "words");
}

function show_streams() {
    const streams = state.info.streams || [];
    $("streams").hidden = streams.length < 2;
    $("streams").replaceChildren(...streams.map((s, i) => make("button", {type: "button",
        "aria-current": i === state.stream, onclick: () => busy("reading", () => show_stream(i))},
    stream_label(s, i) + (s.va ? " at " + s.va : "") + ", " + plural_text(s.words, "word"))));
}

/* Show the rows of a stream, then look for findings. */
async function show_stream(i) {
    state.stream = state.shown_stream = i;
    [...$("streams").children].forEach((b, k) => b.setAttribute("aria-current", k === i));
    state.shape = await ask("choose", {stream: i});
    state.findings = [];
    state.by_offset = new Map();
    show_registers();
    $("detail").replaceChildren(make("p", {className: "dim"}, "Choose a row to see its text, its findings "
        + "and its manual entry."));
    if (state.list === null) {
        state.list = new List($("rows"), "Commands", (from, count) =>
            ask("rows", {from, count, commands: $("only").checked}), draw_row, show_detail);
    }
    await state.list.reset($("only").checked ? state.shape.commands : state.shape.rows);
    $("found").textContent = plural_text(state.shape.commands, state.vendor === "agx" ? "line" : "command")
        + (state.shape.left ? ", " + plural_text(state.shape.left, "word") + " after the end" : "");
    $("go-finding").hidden = $("go-stop").hidden = true;
    await show_findings();
}

/* Check the stream, and put findings beside their rows. */
async function show_findings() {
    const stream = state.stream;
    const found = await ask("check");
    if (stream !== state.stream) {
        return;
    }
    state.findings = found;
    for (const f of found) {
        const list = state.by_offset.get(f.offset) || [];
        list.push(f);
        state.by_offset.set(f.offset, list);
    }
    const n = (severity) => found.filter((f) => f.severity === severity).length;
    const counts = ["error", "warning", "note"].map((s) => plural_text(n(s), s)).join(", ");
    $("found").textContent += found.length !== 0 ? "; findings: " + counts : "; no findings";
    $("go-finding").hidden = found.length === 0;
    const s = state.info.streams[stream];
    $("go-stop").hidden = stop_place() === null;
    if (s !== undefined) {
        await state.list.show();
    }
}

/* The engine's registers at the time of the dump. */
function registers_of(s) {
    return s !== undefined && s.state >= 0 ? state.info.states[s.state] : undefined;
}

function show_registers() {
    const r = registers_of(state.info.streams[state.stream]);
    $("registers").replaceChildren(...(r === undefined ? [] :
        Object.entries(r).filter(([name]) => name !== "line" && name !== "engine")
            .flatMap(([name, value]) => [make("span", {}, make("b", {}, name), "=" + value), " "])));
}

/* The stream and word where the GPU stopped, by ACTHD of the present stream's engine; or null. */
function stop_place() {
    const mine = state.info.streams[state.stream];
    const r = registers_of(mine);
    if (r === undefined || r.ACTHD === undefined) {
        return null;
    }
    for (let i = 0; i < state.info.streams.length; i++) {
        const s = state.info.streams[i];
        const word = s.va === undefined ? -1 : Number((BigInt(r.ACTHD) - BigInt(s.va)) / 4n);
        if (word >= 0 && word < (s.wrap || s.words) && s.state === mine.state) {
            return {stream: i, word};
        }
    }
    return null;
}

async function go_to_stop() {
    const place = stop_place();
    if (place !== null && place.stream !== state.stream) {
        await show_stream(place.stream);
    }
    if (place !== null) {
        await go_to_word(place.word);
    }
}

/* ---- rows ---- */

/* Split a line of the tool: address, word, the rest. */
function split_line(text) {
    const m = /^(\S+)\s+(\S+)\s?(.*)$/.exec(text);
    return m === null ? ["", "", text] : [m[1].replace(/:$/, ""), m[2], m[3]];
}

function draw_row(row) {
    const [at, word, rest] = state.vendor === "agx" ? ["", "", row.text] : split_line(row.text);
    const e = make("div", {}, make("span", {className: "at"}, at), make("span", {}, word),
        make("span", {className: "name"}, rest.trim()));
    e.classList.toggle("command", row.command && state.vendor !== "agx");
    e.classList.toggle("wrong", row.wrong);
    e.classList.toggle("stop", row.text.includes("<== "));
    for (const f of state.vendor === "agx" ? [] : state.by_offset.get(row.offset) || []) {
        e.append(make("span", {className: "flag " + f.severity}, severity_sign(f.severity) + " " +
            f.severity + " " + f.rule));
    }
    return e;
}

function severity_sign(severity) {
    return {error: "✖", warning: "▲", note: "●"}[severity];
}

function finding_item(f) {
    return make("p", {}, make("b", {className: f.severity}, severity_sign(f.severity) + " " + f.severity +
        " " + f.rule), ": " + f.text + "; expected " + f.expected);
}

/* The manual entry for the command of a row: its emitter. */
function manual_entry(text) {
    const words = text.match(/[A-Za-z0-9_]+/g) || [];
    for (const word of words) {
        const entry = state.manual[state.vendor + "_" + word.toLowerCase()];
        if (entry !== undefined && /[A-Z]/.test(word)) {
            return {name: word, ...entry};
        }
    }
    return null;
}

/* Show what is known of a row: its whole text, findings, the text of the input, the manual. */
async function show_detail(row, number) {
    const [, , rest] = split_line(row.text);
    const found = state.vendor === "agx" ? [] : state.by_offset.get(row.offset) || [];
    const entry = manual_entry(rest);
    const text = make("section", {}, make("h3", {}, "In the input"), make("p", {className: "dim"}, "…"));
    $("detail").replaceChildren(...[
        make("section", {}, make("h3", {}, "Word " + row.word + ", offset 0x" + row.offset.toString(16)),
            make("pre", {}, row.text),
            entry === null ? null : make("p", {}, make("a", {href: "#manual", onclick: (e) => {
                e.preventDefault();
                show_manual(entry);
            }}, "Manual: " + entry.name)),
            make("p", {}, make("button", {type: "button", onclick: () => step_here(row)}, "Step to here"))),
        found.length === 0 ? null : make("section", {}, make("h3", {}, "Findings"),
            ...found.map(finding_item)), text].filter((e) => e !== null));
    state.detail = number;
    if (state.vendor === "agx") {
        text.remove();
        return;
    }
    const s = state.info.streams[state.stream];
    const place = await ask("place", {word: row.word, line: s.line});
    if (state.detail !== number) {
        return;
    }
    if (place === null) {
        text.replaceChildren(make("h3", {}, "In the input"), make("p", {className: "dim"},
            "The input has no text for this word."));
        return;
    }
    text.replaceChildren(make("h3", {}, "In the input, line " + place.line),
        make("p", {className: "dim", hidden: place.exact},
            "The word is inside the encoded memory that begins here."),
        make("pre", {}, place.before, make("mark", {}, place.mark), place.after));
}

function show_dialog(title, ...content) {
    $("dialog-title").textContent = title;
    $("dialog-text").replaceChildren(...content);
    $("dialog").showModal();
}

function show_manual(entry) {
    show_dialog(entry.name, make("p", {className: "dim"}, entry.where), make("pre", {}, entry.text));
}

/* ---- search, jumps, export ---- */

/* Show word number `word`. */
async function go_to_word(word) {
    const number = $("only").checked ? await ask("command", {word}) : word;
    await state.list.choose(number, true);
}

async function find_next() {
    const text = $("search").value;
    if (text === "" || state.list === null) {
        return;
    }
    await busy("searching", async () => {
        const commands = $("only").checked;
        const total = state.list.total;
        let at = await ask("find", {text, from: state.list.picked + 1, total, commands});
        if (at < 0 && state.list.picked >= 0) {
            at = await ask("find", {text, from: 0, total: state.list.picked + 1, commands});
        }
        if (at < 0) {
            $("found").textContent = "“" + text + "” is not in this stream";
        } else {
            $("found").textContent = "“" + text + "”: row " + (at + 1).toLocaleString("en");
            await state.list.choose(at, true);
        }
    });
}

async function go_to_finding() {
    const now = state.list.cache.get(state.list.picked);
    const offset = now === undefined ? -1 : now.offset;
    const list = state.findings.map((f) => f.offset).sort((a, b) => a - b);
    const next = list.find((o) => o > offset);
    const word = Math.floor((next === undefined ? list[0] : next) / 4);
    await go_to_word(Math.min(word, state.shape.rows - 1));
}

/* Give a file to the person. */
function save(name, blob) {
    const url = URL.createObjectURL(blob);
    const a = make("a", {href: url, download: name});
    document.body.append(a);
    a.click();
    a.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
    state.saved = {name, blob};
}

async function export_as(kind) {
    const base = state.input.name.replace(/\.[^.]*$/, "");
    const args = [state.vendor, ...tool_options()];
    await busy("writing", async () => {
        if (kind === "svg") {
            const {files, messages} = await ask("tool", {args: [...args, "--svg", "out.svg"], files: ["out.svg"]});
            if (files["out.svg"] === null) {
                throw new Error(messages.join(" "));
            }
            save(base + ".svg", new Blob([files["out.svg"]], {type: "image/svg+xml"}));
            return;
        }
        const more = kind === "check" ? ["--check", "--format", "json"] : ["--format", kind];
        const {output} = await ask("tool", {args: [...args, ...more]});
        save(base + {text: ".txt", tsv: ".tsv", json: ".json", check: ".findings.json"}[kind], output);
    });
}

/* ---- views and keys ---- */

function show_view(name) {
    for (const v of ["read", "step", "compare"]) {
        $("view-" + v).hidden = v !== name;
        $("tab-" + v).setAttribute("aria-selected", v === name);
        $("tab-" + v).tabIndex = v === name ? 0 : -1;
    }
    if (name === "read" && state.list !== null) {
        if (state.shown_stream !== state.stream) {
            state.shown_stream = state.stream;
            ask("choose", {stream: state.stream});
        }
        state.list.show();
    }
    if (name === "step") {
        begin_step();
    }
    if (name === "compare") {
        begin_compare();
    }
}

const KEYS = [["o", "open a file"], ["v", "paste text"], ["/", "search"], ["n", "find next"],
    ["f", "next finding"], ["g", "where the GPU stopped"], ["c", "commands only"],
    ["1 2 3", "read, step, compare"], ["↑ ↓ PgUp PgDn Home End", "move in the list"],
    ["s w b r", "step a command, step a word, back, run (in Step)"], ["?", "this list"]];

function show_keys() {
    show_dialog("Keys", make("table", {}, ...KEYS.map(([k, text]) =>
        make("tr", {}, make("td", {}, make("kbd", {}, k)), make("td", {}, text)))));
}

function open_paste() {
    $("work").hidden = true;
    $("start").hidden = false;
    $("paste-form").hidden = false;
    $("paste-text").focus();
}

const key_actions = {
    o: () => $("file").click(), v: open_paste, "/": () => $("search").focus(), n: find_next,
    f: () => go_to_finding(), g: () => $("go-stop").click(), c: () => $("only").click(),
    1: () => show_view("read"), 2: () => show_view("step"), 3: () => show_view("compare"), "?": show_keys,
};

function listen() {
    $("home").onclick = (e) => {
        e.preventDefault();
        $("work").hidden = true;
        $("start").hidden = false;
        $("name").textContent = "";
        show_error("");
    };
    $("open").onclick = () => $("file").click();
    $("file").onchange = async () => {
        if ($("file").files.length !== 0) {
            await take_file($("file").files[0]);
            $("file").value = "";
        }
    };
    $("paste").onclick = open_paste;
    $("paste-form").onsubmit = (e) => {
        e.preventDefault();
        open_input("pasted text", new TextEncoder().encode($("paste-text").value));
    };
    $("help").onclick = show_keys;
    $("look").onclick = () => {
        const root = document.documentElement;
        const dark = root.dataset.look ? root.dataset.look === "dark" :
            matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.look = dark ? "light" : "dark";
    };
    $("cancel").onclick = async () => {
        await start_worker();
        $("work").hidden = true;
        $("start").hidden = false;
        show_busy("");
        show_error("Cancelled.");
    };
    $("search").onkeydown = (e) => {
        if (e.key === "Enter") {
            find_next();
        }
    };
    $("next").onclick = find_next;
    $("only").onchange = async () => {
        const now = state.list.cache.get(state.list.picked);
        await state.list.reset($("only").checked ? state.shape.commands : state.shape.rows);
        if (now !== undefined) {
            await go_to_word(now.word);
        }
    };
    $("go-stop").onclick = go_to_stop;
    $("go-finding").onclick = go_to_finding;
    $("export").onchange = async () => {
        const kind = $("export").value;
        $("export").value = "";
        await export_as(kind);
    };
    for (const v of ["read", "step", "compare"]) {
        $("tab-" + v).onclick = () => show_view(v);
        $("tab-" + v).onkeydown = (e) => {
            const list = ["read", "step", "compare"];
            const move = {ArrowRight: 1, ArrowLeft: 2}[e.key];
            if (move !== undefined) {
                const to = list[(list.indexOf(v) + move) % 3];
                show_view(to);
                $("tab-" + to).focus();
            }
        };
    }
    listen_files();
    document.addEventListener("keydown", (e) => {
        const typing = e.target instanceof Element && e.target.matches("input:not([type=checkbox]), textarea, select, dialog *");
        if (typing || e.ctrlKey || e.altKey || e.metaKey || $("dialog").open) {
            return;
        }
        const action = key_actions[e.key] || (!$("view-step").hidden && step_keys[e.key]);
        if (action && (!$("work").hidden || "ov?".includes(e.key))) {
            e.preventDefault();
            action();
        }
    });
}

async function take_file(file) {
    await busy("loading " + file.name, async () => {
        const data = new Uint8Array(await file.arrayBuffer());
        await open_input(file.name, data);
    });
}

/* Files and texts that are dropped or pasted anywhere. */
function listen_files() {
    let depth = 0;
    document.addEventListener("dragenter", (e) => {
        e.preventDefault();
        depth++;
        $("drop").hidden = false;
    });
    document.addEventListener("dragleave", () => {
        $("drop").hidden = --depth <= 0;
    });
    document.addEventListener("dragover", (e) => e.preventDefault());
    document.addEventListener("drop", (e) => {
        e.preventDefault();
        depth = 0;
        $("drop").hidden = true;
        const compare = !$("view-compare").hidden && !$("work").hidden;
        if (e.dataTransfer.files.length !== 0 && compare) {
            compare_file(e.dataTransfer.files[0]);
        } else if (e.dataTransfer.files.length !== 0) {
            take_file(e.dataTransfer.files[0]);
        } else if (e.dataTransfer.getData("text/plain") !== "") {
            open_input("dropped text", new TextEncoder().encode(e.dataTransfer.getData("text/plain")));
        }
    });
    document.addEventListener("paste", (e) => {
        if (e.target instanceof Element && e.target.matches("input, textarea")) {
            return;
        }
        if (e.clipboardData.files.length !== 0) {
            take_file(e.clipboardData.files[0]);
        } else {
            open_input("pasted text", new TextEncoder().encode(e.clipboardData.getData("text/plain")));
        }
    });
}

/* ---- the first screen ---- */

function show_samples() {
    $("samples").replaceChildren(...state.samples.map((s) => make("li", {}, make("button",
        {type: "button", onclick: () => open_input(s.name, Uint8Array.from(atob(s.data),
            (c) => c.charCodeAt(0)))}, make("b", {}, s.title), make("span", {className: "dim"}, s.text)))));
}

async function unpack_json(text) {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
}

async function start() {
    listen();
    try {
        const more = await unpack_json($("data-more").textContent);
        state.manual = more.manual;
        state.samples = more.samples;
        show_samples();
        await start_worker();
        document.documentElement.dataset.ready = "yes";
    } catch (e) {
        show_error("This browser cannot run the page: " + e.message +
            ". Needed: WebAssembly, workers, DecompressionStream (Firefox 113, Chrome 80, Safari 16.4).");
    }
}
