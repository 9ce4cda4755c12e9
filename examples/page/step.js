/* step.js - runs streams word by word, forwards and backwards. The commands are those of
 * gpucmd-dump --step. */
"use strict";

const stepper = {state: null, registers: new Map(), memory: ""};

function reset_step() {
    stepper.state = null;
    stepper.registers = new Map();
    stepper.memory = "";
    $("view-step").replaceChildren();
}

/* Send a command, and show the state after it. */
async function step_send(text) {
    return busy(text, async () => {
        const now = await ask("step", {text});
        if (now.error !== undefined) {
            $("view-step").replaceChildren(make("p", {className: "error"}, now.error ||
                "This input cannot be run."));
            return;
        }
        stepper.state = now;
        await show_step();
    });
}

const step_buttons = [["Step", "s", "step"], ["Word", "w", "word"], ["Back", "b", "back"],
    ["Run", "r", "run"], ["Restart", "x", "restart"]];

const step_keys = Object.fromEntries(step_buttons.map(([, key, text]) => [key, () => step_send(text)]));

/* Make the view, once for an input. */
async function begin_step() {
    if (stepper.state !== null) {
        return;
    }
    const field = (label, id, text) => make("label", {}, make("span", {className: "hide"}, label),
        make("input", {id, placeholder: text, size: 14, spellcheck: false}));
    const form = (label, fields, send) => make("form", {className: "tools", "aria-label": label,
        onsubmit: (e) => {
            e.preventDefault();
            send();
        }}, ...fields, make("button", {type: "submit"}, label));
    const kind = make("select", {id: "break-kind", "aria-label": "Stop at"},
        ...[["finding", "a finding"], ["semaphore", "a semaphore"], ["", "address…"],
            ["method", "method…"], ["name", "name…"]].map(([value, text]) => make("option", {value}, text)));
    $("view-step").replaceChildren(
        make("div", {className: "tools", role: "toolbar", "aria-label": "Run"},
            ...step_buttons.map(([text, key, command]) => make("button", {type: "button",
                id: "do-" + command, title: command + " (" + key + ")",
                onclick: () => step_send(command)}, text)),
            make("span", {id: "step-count", className: "dim"})),
        make("div", {className: "tools"},
            form("Add a stop", [kind, field("Address, method or name", "break-value", "0x… or name")],
                () => step_send(("break " + kind.value + " " + $("break-value").value).trim())),
            make("button", {type: "button", onclick: () => step_send("delete")}, "Remove stops"),
            form("Set memory", [field("Address", "set-address", "address 0x…"),
                field("Value", "set-value", "value")],
            () => step_send("set " + $("set-address").value + " " + $("set-value").value)),
            form("Show memory", [field("Address of memory", "memory-address", "address 0x…")], () => {
                stepper.memory = $("memory-address").value;
                show_step();
            })),
        make("p", {id: "breaks", className: "dim"}),
        make("p", {id: "stop", role: "status", "aria-live": "polite"}),
        make("div", {id: "waits"}), make("div", {id: "units", className: "units"}),
        make("div", {id: "timeline"}), make("pre", {id: "memory", hidden: true}),
        make("h3", {}, "What the last command did"), make("div", {id: "events", className: "scroll"}));
    await step_send("print");
}

/* Show the state: units, waits, memory, timeline. */
async function show_step() {
    const now = stepper.state;
    if (now === null) {
        return;
    }
    $("step-count").textContent = plural_text(now.steps, "step");
    $("stop").textContent = now.stop;
    $("breaks").textContent = now.breaks.length === 0 ? "" : "Stops: " + now.breaks.map(([kind, value, name]) =>
        kind === "name" ? name : kind === "address" ? value : kind === "method" ? "method " + value : kind)
        .join(", ");
    $("waits").replaceChildren(...(now.waits.length === 0 ? [] : [make("h3", {}, "What waits for what"),
        make("ul", {}, ...now.waits.map((w) => make("li", {}, w)))]));
    const units = [];
    for (let i = 0; i < now.units.length; i++) {
        units.push(await draw_unit(now.units[i], i));
    }
    $("units").replaceChildren(...units);
    $("events").replaceChildren(draw_events(now));
    $("timeline").replaceChildren(draw_timeline(now));
    if (/^(0x)?[0-9a-f]+$/i.test(stepper.memory)) {
        const va = Math.floor(Number(stepper.memory) / 4) * 4;
        const words = await ask("memory", {va, count: 32});
        $("memory").hidden = false;
        $("memory").textContent = words.map((w, k) => (k % 8 === 0 ? (k ? "\n" : "") + "0x" +
            (va + 4 * k).toString(16) + ":" : "") + " " + w).join("");
    }
}

/* One channel, engine or queue: where it is, the words around, its registers. */
async function draw_unit(unit, index) {
    const now = stepper.state;
    const place = unit.place;
    const old = stepper.registers.get(unit.name) || new Map();
    const fresh = new Map(unit.registers);
    stepper.registers.set(unit.name, fresh);
    let rows = "";
    if (place.stream >= 0) {
        if (state.shown_stream !== place.stream) {
            await ask("choose", {stream: place.stream});
            state.shown_stream = place.stream;
        }
        const word = place.offset / 4;
        const list = await ask("rows", {from: Math.max(0, word - 3), count: Math.min(word, 3) + 5, commands: false});
        rows = list.map((r) => (r.offset === place.offset ? "▶ " : "  ") + r.text);
    }
    const e = make("section", {className: "unit", "aria-label": unit.name},
        make("h3", {}, make("button", {type: "button", "aria-pressed": index === now.unit,
            onclick: () => step_send("unit " + index)}, unit.name), " ", unit.result,
        index === now.unit ? " · chosen" : ""),
        make("p", {className: "dim"}, place.va + " " + place.name),
        rows === "" ? null : make("pre", {}, ...rows.map((r) => r.startsWith("▶") ?
            make("mark", {}, r + "\n") : r + "\n")),
        unit.result === "DONE" ? null : make("p", {}, unit.why),
        make("dl", {}, ...unit.registers.flatMap(([name, value]) => {
            const changed = old.has(name) && old.get(name) !== value;
            return [make("dt", {}, name), make("dd", {}, changed ? make("mark", {}, value) : value,
                changed ? " was " + old.get(name) : "")];
        })));
    e.classList.toggle("current", index === now.unit);
    return e;
}

function draw_events(now) {
    const rows = now.events.map((e) => make("tr", {}, make("td", {}, e.kind),
        make("td", {}, now.units[e.unit] ? now.units[e.unit].name : ""),
        make("td", {}, e.memory ? e.va : ""), make("td", {}, e.memory ? e.old + " → " + e.value : e.text)));
    if (now.lost !== 0) {
        rows.push(make("tr", {}, make("td", {}, plural_text(now.lost, "more"))));
    }
    return make("table", {}, make("caption", {className: "hide"}, "Events"), ...(rows.length !== 0 ? rows :
        [make("tr", {}, make("td", {className: "dim"}, "nothing that can be seen"))]));
}

/* The units over time: a line each, filled while it runs, hatched while it waits. */
function draw_timeline(now) {
    const ns = "http://www.w3.org/2000/svg";
    const svg = (tag, properties, ...children) => {
        const e = document.createElementNS(ns, tag);
        Object.entries(properties).forEach(([k, v]) => e.setAttribute(k, v));
        e.append(...children);
        return e;
    };
    const end = Math.max(1, now.steps);
    const height = 22 * now.units.length + 4;
    const picture = svg("svg", {viewBox: "0 0 1000 " + height, class: "timeline", role: "img",
        "aria-label": "Timeline: " + now.units.map((u) => u.name + " " + u.result).join(", ")});
    now.units.forEach((u, i) => picture.append(svg("text", {x: 0, y: 22 * i + 16, "font-size": 13,
        fill: "currentColor"}, u.name)));
    for (const [unit, waits, first, last] of now.spans) {
        const open = waits && now.units[unit].result === "BLOCKED" && last === Math.max(...now.spans
            .filter((s) => s[0] === unit).map((s) => s[3]));
        const x = 110 + 880 * first / end;
        const width = Math.max(1, 880 * ((open ? end : last) - first) / end);
        picture.append(svg("rect", {x, width, y: 22 * unit + 4, height: 14,
            fill: waits ? "none" : "currentColor", "fill-opacity": 0.55, stroke: "currentColor",
            "stroke-dasharray": waits ? "4 3" : "none"}, svg("title", {}, now.units[unit].name +
            (waits ? " waits" : " runs") + ", steps " + first + " to " + last)));
    }
    return picture;
}

/* Run to a row of the list. */
async function step_here(row) {
    const s = state.info.streams[state.stream];
    const mine = state.stream;
    show_view("step");
    if (stepper.state === null) {
        await begin_step();
    }
    if (stepper.state === null) {
        return;
    }
    await step_send("restart");
    const unit = stepper.state.units.find((u) => u.place.stream === mine);
    const base = s.va !== undefined ? BigInt(s.va) : unit !== undefined ?
        BigInt(unit.place.va) - BigInt(unit.place.offset) : 0n;
    await step_send("delete");
    await step_send("break 0x" + (base + BigInt(row.offset)).toString(16));
    await step_send("run");
    await step_send("delete");
}
