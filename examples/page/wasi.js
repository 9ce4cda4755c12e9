/* wasi.js - runs the module of session.c: WASI with files in memory. Used in the worker. */
"use strict";

class Exit extends Error {
    constructor(code) {
        super("exit " + code);
        this.code = code;
    }
}

/* One instance. files: name -> Uint8Array; written files appear there, too. progress(text) is called
 * with what the tool writes on a terminal. */
class Program {
    constructor(module, files, progress) {
        this.module = module;
        this.files = files;
        this.progress = progress;
        this.output = [];
        this.errors = [];
        this.open = new Map();
        this.next = 4;
        this.code = null;
    }

    async start() {
        const names = ["environ_get", "environ_sizes_get", "clock_time_get", "fd_close",
            "fd_fdstat_get", "fd_fdstat_set_flags", "fd_prestat_get", "fd_prestat_dir_name", "fd_read",
            "fd_seek", "fd_write", "path_filestat_get", "path_open", "path_readlink", "proc_exit"];
        const calls = {};
        for (const item of WebAssembly.Module.imports(this.module)) {
            calls[item.name] = names.includes(item.name) ? this[item.name].bind(this) : () => 52;
        }
        const instance = await WebAssembly.instantiate(this.module, {wasi_snapshot_preview1: calls});
        this.x = instance.exports;
        this.x._initialize();
        return this;
    }

    /* Pass texts to the functions that use page_room. */
    arguments(list) {
        const bytes = new TextEncoder().encode(list.join("\0") + "\0");
        const at = this.x.page_room(bytes.length);
        new Uint8Array(this.x.memory.buffer).set(bytes, at);
    }

    /* Call a function; return its result, or the exit status if the program ends. */
    call(name, ...values) {
        this.output = [];
        this.errors = [];
        try {
            return this.x[name](...values);
        } catch (e) {
            if (e instanceof Exit) {
                this.code = e.code;
                return e.code;
            }
            throw e;
        }
    }

    text(list) {
        const decoder = new TextDecoder();
        return list.map((part) => decoder.decode(part, {stream: true})).join("");
    }

    /* What the last call printed. */
    printed() {
        return this.text(this.output);
    }

    messages() {
        return this.text(this.errors).split("\n").filter((line) => line !== "")
            .map((line) => line.replace(/^gpucmd-dump: /, ""));
    }

    /* ---- the calls of WASI; numbers are those of its errors: 8 BADF, 44 NOENT ---- */

    view() {
        return new DataView(this.x.memory.buffer);
    }

    environ_get() {
        return 0;
    }

    environ_sizes_get(count, size) {
        this.view().setUint32(count, 0, true);
        this.view().setUint32(size, 0, true);
        return 0;
    }

    clock_time_get(id, precision, at) {
        this.view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
    }

    fd_close(fd) {
        const file = this.open.get(fd);
        if (file !== undefined && file.parts !== null) {
            this.files.set(file.name, join(file.parts));
        }
        this.open.delete(fd);
        return 0;
    }

    /* Standard error is a terminal: the tool then writes its progress. */
    fd_fdstat_get(fd, at) {
        const view = this.view();
        view.setUint8(at, fd === 2 ? 2 : fd === 3 ? 3 : 4);
        view.setUint16(at + 2, 0, true);
        view.setBigUint64(at + 8, fd === 2 ? 0x1ffffffn & ~0x24n : 0x1fffffffn, true);
        view.setBigUint64(at + 16, 0x1fffffffn, true);
        return 0;
    }

    fd_fdstat_set_flags() {
        return 0;
    }

    fd_prestat_get(fd, at) {
        if (fd !== 3) {
            return 8;
        }
        this.view().setUint32(at, 0, true);
        this.view().setUint32(at + 4, 1, true);
        return 0;
    }

    fd_prestat_dir_name(fd, at) {
        this.view().setUint8(at, 0x2f);
        return 0;
    }

    fd_read(fd, vectors, count, result) {
        const file = this.open.get(fd);
        const view = this.view();
        let n = 0;
        for (let i = 0; file !== undefined && i < count; i++) {
            const at = view.getUint32(vectors + 8 * i, true);
            const room = view.getUint32(vectors + 8 * i + 4, true);
            const part = file.data.subarray(file.at, file.at + room);
            new Uint8Array(this.x.memory.buffer).set(part, at);
            file.at += part.length;
            n += part.length;
        }
        view.setUint32(result, n, true);
        if (file !== undefined && file.data.length > 1 << 24 && (file.at >> 16) % 64 === 0) {
            this.progress(Math.round(30 * file.at / file.data.length) + " % loaded");
        }
        return 0;
    }

    fd_seek(fd, offset, whence, result) {
        const file = this.open.get(fd);
        if (file === undefined) {
            return 70;
        }
        const from = whence === 0 ? 0 : whence === 1 ? file.at : file.data.length;
        file.at = from + Number(offset);
        this.view().setBigUint64(result, BigInt(file.at), true);
        return 0;
    }

    fd_write(fd, vectors, count, result) {
        const view = this.view();
        let n = 0;
        for (let i = 0; i < count; i++) {
            const at = view.getUint32(vectors + 8 * i, true);
            const len = view.getUint32(vectors + 8 * i + 4, true);
            const part = new Uint8Array(this.x.memory.buffer).slice(at, at + len);
            this.write(fd, part);
            n += len;
        }
        view.setUint32(result, n, true);
        return 0;
    }

    write(fd, part) {
        const file = this.open.get(fd);
        if (fd === 1) {
            this.output.push(part);
        } else if (file !== undefined) {
            file.parts.push(part);
        } else if (fd === 2) {
            const text = new TextDecoder().decode(part);
            const percent = /(\d+) % of \d+ MiB (\w+)/.exec(text);
            if (percent !== null) {
                this.progress(percent[1] + " % " + percent[2]);
            } else if (!/^[\r\x1b]|^\[K|^gpucmd-dump: $/.test(text) || text.includes("\n")) {
                this.errors.push(part);
            } else if (text === "gpucmd-dump: ") {
                this.errors.push(part);
            }
        }
    }

    name(at, len) {
        const text = new TextDecoder().decode(new Uint8Array(this.x.memory.buffer, at, len).slice());
        return text.replace(/^[./]*/, "");
    }

    path_filestat_get(fd, flags, at, len) {
        return this.files.has(this.name(at, len)) ? 0 : 44;
    }

    path_open(fd, dirflags, at, len, flags, rights, inheriting, fdflags, result) {
        const name = this.name(at, len);
        const data = this.files.get(name);
        const create = (flags & 1) !== 0;
        if (data === undefined && !create) {
            return 44;
        }
        this.open.set(this.next, {name, data: create ? new Uint8Array(0) : data, at: 0,
            parts: create ? [] : null});
        this.view().setUint32(result, this.next++, true);
        return 0;
    }

    path_readlink() {
        return 44;
    }

    proc_exit(code) {
        throw new Exit(code);
    }
}

/* Join arrays of bytes. */
function join(parts) {
    const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}
