/* list.js - a list of any number of rows, drawn as they come into view. */
"use strict";

const LIST_PIXELS = 8000000; /* browsers do not have longer elements */

/* Make an element: tag, properties, children. Texts are never markup. */
function make(tag, properties, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
        if (name in e && !name.startsWith("aria")) {
            e[name] = value;
        } else {
            e.setAttribute(name, value);
        }
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
}

/* fetch(from, count) returns a promise of rows; draw(row, number) an element; pick(row, number) is called
 * when a row is chosen. */
class List {
    constructor(box, label, fetch, draw, pick) {
        this.fetch = fetch;
        this.draw = draw;
        this.pick = pick;
        this.total = 0;
        this.picked = -1;
        this.cache = new Map();
        this.asked = 0;
        this.space = make("div", {className: "space"});
        this.window = make("div", {className: "window", role: "presentation"});
        this.box = make("div", {className: "list", tabIndex: 0, role: "listbox", "aria-label": label},
            this.space, this.window);
        box.replaceChildren(this.box);
        this.box.addEventListener("scroll", () => this.show());
        this.box.addEventListener("keydown", (e) => this.key(e));
        this.box.addEventListener("click", (e) => {
            const row = e.target.closest("[data-number]");
            if (row !== null) {
                this.choose(Number(row.dataset.number), false);
            }
        });
        new ResizeObserver(() => this.show()).observe(this.box);
    }

    height() {
        return parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.5;
    }

    visible() {
        return Math.max(1, Math.floor(this.box.clientHeight / this.height()));
    }

    /* Begin again with another number of rows. */
    reset(total) {
        this.total = total;
        this.picked = -1;
        this.cache.clear();
        this.asked++;
        this.space.style.height = Math.min(LIST_PIXELS, total * this.height()) + "px";
        this.box.setAttribute("aria-rowcount", total);
        this.box.scrollTop = 0;
        this.window.replaceChildren();
        return this.show();
    }

    first() {
        const room = this.space.offsetHeight - this.box.clientHeight;
        const last = Math.max(0, this.total - this.visible());
        return room <= 0 ? 0 : Math.min(last, Math.round(this.box.scrollTop / room * last));
    }

    scrollTo(number) {
        const room = this.space.offsetHeight - this.box.clientHeight;
        const last = Math.max(1, this.total - this.visible());
        const from = Math.max(0, Math.min(last, number - Math.floor(this.visible() / 3)));
        this.box.scrollTop = Math.max(0, from / last * room);
    }

    /* Draw the rows in view; rows that are not known yet are asked for, a few more than fit. */
    async show() {
        const first = this.first();
        const count = Math.min(this.visible() + 2, this.total - first);
        const asked = ++this.asked;
        let missing = false;
        for (let i = first; i < first + count; i++) {
            missing = missing || !this.cache.has(i);
        }
        if (missing) {
            const from = Math.max(0, first - 20);
            const rows = await this.fetch(from, Math.min(count + 40, this.total - from));
            if (this.cache.size > 5000) {
                this.cache.clear();
            }
            rows.forEach((row, i) => this.cache.set(from + i, row));
            if (asked !== this.asked) {
                return;
            }
        }
        this.window.replaceChildren(...Array.from({length: Math.max(0, count)}, (_, i) => {
            const row = this.cache.get(first + i);
            if (row === undefined) {
                return make("div", {className: "row"}, "…");
            }
            const e = this.draw(row, first + i);
            e.classList.add("row");
            e.id = "row-" + (first + i);
            e.dataset.number = first + i;
            e.setAttribute("role", "option");
            e.setAttribute("aria-setsize", this.total);
            e.setAttribute("aria-posinset", first + i + 1);
            e.setAttribute("aria-selected", first + i === this.picked);
            e.classList.toggle("picked", first + i === this.picked);
            return e;
        }));
        this.box.setAttribute("aria-activedescendant", "row-" + this.picked);
    }

    /* Choose a row; scroll: always bring it into view. */
    async choose(number, scroll) {
        this.picked = Math.max(0, Math.min(this.total - 1, number));
        const first = this.first();
        if (scroll || this.picked < first || this.picked >= first + this.visible()) {
            this.scrollTo(this.picked);
        }
        await this.show();
        if (!this.cache.has(this.picked)) {
            const rows = await this.fetch(this.picked, 1);
            this.cache.set(this.picked, rows[0]);
        }
        if (this.total !== 0 && this.cache.get(this.picked) !== undefined) {
            this.pick(this.cache.get(this.picked), this.picked);
        }
    }

    key(e) {
        const page = this.visible() - 1;
        const move = {ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page,
            Home: -this.total, End: this.total}[e.key];
        if (move !== undefined && !e.ctrlKey && !e.altKey && !e.metaKey && this.total !== 0) {
            e.preventDefault();
            this.choose(this.picked < 0 ? 0 : this.picked + move, false);
        }
    }
}
