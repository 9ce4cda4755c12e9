/* worker.js - reads and decodes in a worker, so that the page stays responsive. wasi.js and places.js
 * come before it. A message {id, call, args} is answered by {id, result} or {id, error}; {progress} tells
 * how far a call is. */
"use strict";

const DATA_NAME = "nv_methods.txt";
const PROBE_BYTES = 1 << 20;
const FIND_ROWS = 1 << 16;

const work = {module: null, names: null, file: null, session: null, text: null, stream: -1};

const report = (text) => postMessage({progress: text});

/* Unpack a base64 text of gzip. */
async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Start the module with the input as a file. */
async function program(data) {
    const files = new Map([[DATA_NAME, work.names]]);
    if (work.file !== null) {
        files.set(work.file.name, data === undefined ? work.file.data : data);
    }
    return new Program(work.module, files, report).start();
}

/* Judge how the input would be read for a vendor. */
async function probe(vendor, data) {
    const p = await program(data);
    p.arguments([vendor, "--", work.file.name]);
    p.call("page_probe");
    const fit = p.code === null ? JSON.parse(p.printed()) : {status: 2};
    return {vendor, ...fit};
}

/* Choose among vendors, best first. A format that one vendor has decides; otherwise the part of words
 * that are no commands. */
function judge(fits) {
    const score = (f) => {
        if (f.vendor === "agx") {
            return f.valid ? 1.5 : -2;
        }
        if (f.status !== 0) {
            return -1;
        }
        if (f.vendors === f.vendor || (f.events !== 0 && f.vendor === "nv")) {
            return 2;
        }
        if (f.vendors !== "" && !f.vendors.split(" ").includes(f.vendor)) {
            return -1;
        }
        return f.words === 0 ? 0 : 1 - f.wrong / f.words + (f.vendor === "i915" && f.end ? 0.2 : 0);
    };
    return fits.map((f) => ({vendor: f.vendor, score: score(f)})).sort((a, b) => b.score - a.score);
}

const calls = {
    async init({wasm, names, module}) {
        work.names = await unpack(names);
        work.module = module || await WebAssembly.compile(await unpack(wasm));
        return {module: work.module};
    },

    /* Take a file, and say which vendor's it seems to be. */
    async load({name, data}) {
        const plain = name.replace(/[/\\\0]/g, "_") || "input";
        work.file = {name: plain === DATA_NAME ? "input " + plain : plain, data};
        work.text = null;
        work.session = null;
        const part = data.length > PROBE_BYTES ? data.subarray(0, PROBE_BYTES) : data;
        const fits = [];
        for (const vendor of ["nv", "i915", "agx"]) {
            fits.push(await probe(vendor, part));
        }
        return judge(fits);
    },

    /* Read the input with options of the tool. */
    async open({vendor, options}) {
        const p = await program();
        p.arguments([vendor, ...options, "--", work.file.name]);
        const status = p.call("page_open");
        const printed = p.printed();
        work.session = p;
        work.stream = -1;
        const info = p.code === null && printed !== "" ? JSON.parse(printed) : {status};
        return {...info, messages: p.messages()};
    },

    choose({stream}) {
        work.session.call("page_choose", stream);
        work.stream = stream;
        return JSON.parse(work.session.printed());
    },

    rows({from, count, commands}) {
        work.session.call("page_rows", from, count, commands ? 1 : 0);
        return work.session.printed().split("\n").slice(0, -1).map((line) => {
            const cell = line.split("\t");
            return {word: Number(cell[0]), offset: Number(cell[1]), command: (cell[2] & 1) !== 0,
                wrong: (cell[2] & 2) !== 0, text: cell.slice(3).join(" ")};
        });
    },

    check() {
        work.session.call("page_check");
        return JSON.parse(work.session.printed());
    },

    /* The number of the command of a word. */
    command({word}) {
        return work.session.call("page_command", word);
    },

    find({text, from, total, commands}) {
        for (let at = from; at < total; at += FIND_ROWS) {
            work.session.arguments([text.toLowerCase()]);
            const found = work.session.call("page_find", at, Math.min(FIND_ROWS, total - at),
                commands ? 1 : 0);
            if (found >= 0) {
                return found;
            }
            if (total > 20 * FIND_ROWS) {
                report(Math.round(100 * at / total) + " % searched");
            }
        }
        return -1;
    },

    /* Where a word of the present stream is in the text of the input. */
    place({word, line, state}) {
        if (work.file.data.length > 1 << 27 || word >= PLACE_WORDS) {
            return null;
        }
        if (work.text === null) {
            work.text = new TextDecoder("latin1").decode(work.file.data);
        }
        work.session.call("page_words", 0, word + 1);
        const words = work.session.printed().split("\n").slice(0, -1)
            .map((w) => w === "-" ? -1 : parseInt(w, 16));
        const from = line_offset(work.text, line);
        const at = /[\x00-\x08\x0e-\x1a]/.test(work.text.slice(0, 4096)) ? null :
            find_place(work.text, from, words, word);
        if (at !== null) {
            return {exact: true, ...lines_around(work.text, at[0], at[1], 3)};
        }
        if (line === 0) {
            return null;
        }
        const eol = work.text.indexOf("\n", from);
        const end = eol < 0 ? work.text.length : eol;
        return {exact: false, ...lines_around(work.text, from, Math.min(end, from + 200), 2)};
    },

    /* Run the tool with its own arguments; return what it prints, and files that it writes. */
    async tool({args, files}) {
        const p = await program();
        p.arguments([...args, "--", work.file.name]);
        const status = p.call("page_tool");
        return {status, output: new Blob(p.output), messages: p.messages(),
            files: Object.fromEntries((files || []).map((f) => [f, p.files.get(f) || null]))};
    },

    /* One line for the stepper. */
    step({text}) {
        work.session.arguments([text]);
        const status = work.session.call("page_step");
        const printed = work.session.printed();
        if (printed === "") {
            return {error: work.session.messages().join(" ") || "status " + status};
        }
        return JSON.parse(printed);
    },

    /* What happens if the input is run: why it ends, and what waits; null if it cannot be run. */
    async verdict({vendor, options}) {
        const p = await program();
        p.arguments([vendor, ...options, "--", work.file.name]);
        p.call("page_open");
        p.arguments(["run 262144"]);
        p.call("page_step");
        const printed = p.printed();
        if (p.code !== null || printed === "") {
            return null;
        }
        const now = JSON.parse(printed);
        return {stop: now.stop, waits: now.waits};
    },

    /* The rows of the first stream of another file. */
    async other({name, data, vendor, options}) {
        const plain = "other " + name.replace(/[/\\\0]/g, "_");
        const p = await new Program(work.module, new Map([[DATA_NAME, work.names], [plain, data]]),
            report).start();
        const mine = work.session;
        p.arguments([vendor, ...options, "--", plain]);
        p.call("page_open");
        const info = p.code === null ? JSON.parse(p.printed() || "{}") : {};
        const stream = (info.streams || []).findIndex((s) => s.words !== 0 || vendor === "agx");
        if (stream < 0) {
            return null;
        }
        p.call("page_choose", stream);
        const shape = JSON.parse(p.printed());
        work.session = p;
        try {
            return calls.rows({from: 0, count: Math.min(shape.rows, 200000), commands: false});
        } finally {
            work.session = mine;
        }
    },

    /* Words of the stepper's memory. */
    memory({va, count}) {
        work.session.call("page_memory", va, count);
        return JSON.parse(work.session.printed());
    },
};

let last = Promise.resolve();
onmessage = (event) => {
    const {id, call, args} = event.data;
    last = last.then(async () => {
        try {
            postMessage({id, result: await calls[call](args)});
        } catch (e) {
            postMessage({id, error: String(e && e.message || e)});
        }
    });
};
