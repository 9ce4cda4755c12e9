/* places.js - finds the words of a stream in the text that they were read from. Used in the worker. */
"use strict";

const PLACE_WORDS = 1 << 16; /* of a stream that are followed */
const PLACE_GAP = 48;        /* tokens that are no words between two words */

/* The ways in which a dumper writes a word: how many tokens, and whether they are this word. */
const place_forms = [
    {tokens: 1, is: (t, w) => t[0].length === 8 && hex(t[0]) === w},
    {tokens: 1, is: (t, w) => /^0x/i.test(t[0]) && number(t[0]) === w},
    {tokens: 1, is: (t, w) => /^\d+$/.test(t[0]) && Number(t[0]) === w && t[0].length < 11},
    {tokens: 4, is: (t, w) => t.every((x) => x.length === 2) && bytes_of(t, hex) === w},
    {tokens: 4, is: (t, w) => t.every((x) => /^0x..?$/i.test(x)) && bytes_of(t, number) === w},
    {tokens: 4, is: (t, w) => t.every((x) => /^[0-3][0-7][0-7]$/.test(x)) &&
        bytes_of(t, (x) => parseInt(x, 8)) === w},
    {tokens: 4, is: (t, w) => t.every((x) => /^x[0-9a-f]{2}$/i.test(x)) &&
        bytes_of(t, (x) => hex(x.slice(1))) === w},
    {tokens: 2, is: (t, w) => t.every((x) => x.length === 4) && hex(t[1]) * 65536 + hex(t[0]) === w},
    {tokens: 2, is: (t, w) => t.every((x) => x.length === 4) && swapped(t[0] + t[1]) === w},
    {tokens: 1, is: (t, w) => t[0].length === 8 && swapped(t[0]) === w},
    {tokens: 1, is: (t, w) => /^[0-9a-f]{1,8}$/i.test(t[0]) && hex(t[0]) === w},
];

function hex(text) {
    return /^[0-9a-f]+$/i.test(text) ? parseInt(text, 16) : -1;
}

function number(text) {
    return hex(text.slice(2).replace(/_/g, ""));
}

/* The word of four bytes in the order of memory. */
function bytes_of(tokens, value) {
    const b = tokens.map(value);
    return b.some((x) => x < 0 || !(x < 256)) ? -1 : b[3] * 16777216 + b[2] * 65536 + b[1] * 256 + b[0];
}

function swapped(text) {
    return bytes_of(text.match(/../g) || [], hex);
}

/* Find word number `word` of a stream whose words are given, in text from offset `from`. Return the
 * first and last offset, or null. */
function find_place(text, from, words, word) {
    const token = /[0-9A-Za-z_]+/g;
    const list = [];
    let form = null;
    token.lastIndex = from;
    const more = (n) => {
        while (list.length < n) {
            const m = token.exec(text);
            if (m === null) {
                return false;
            }
            if (/^[0-9a-f]{10,}$/i.test(m[0]) && m[0].length % 2 === 0) {
                for (let i = 0; i < m[0].length; i += 2) { /* digits without blanks */
                    list.push({text: m[0].slice(i, i + 2), at: m.index + i});
                }
            } else {
                list.push({text: m[0], at: m.index});
            }
        }
        return true;
    };
    for (let i = 0; i < words.length && i <= word; i++) {
        let found = null;
        if (words[i] < 0) {
            continue;
        }
        for (let skip = 0; skip <= (i === 0 ? 100000 : PLACE_GAP) && found === null; skip++) {
            for (const f of form !== null ? [form] : place_forms) {
                if (more(skip + f.tokens) &&
                    f.is(list.slice(skip, skip + f.tokens).map((x) => x.text), words[i])) {
                    found = {form: f, skip};
                    break;
                }
            }
            if (!more(skip + 1)) {
                break;
            }
        }
        if (found === null) {
            if (form === null) {
                return null;
            }
            form = null; /* another way to write words, e.g. 0 */
            if (i === word) {
                return null;
            }
            continue;
        }
        if (words[i] !== 0 || words.length === 1) {
            form = form === null && i > 0 ? null : form;
        }
        const last = list[found.skip + found.form.tokens - 1];
        if (i === word) {
            return [list[found.skip].at, last.at + last.text.length];
        }
        list.splice(0, found.skip + found.form.tokens);
    }
    return null;
}

/* Return the offset of a line, from 1. */
function line_offset(text, line) {
    let at = 0;
    for (let n = 1; n < line; n++) {
        const eol = text.indexOf("\n", at);
        if (eol < 0) {
            break;
        }
        at = eol + 1;
    }
    return at;
}

/* Return the lines around [first, last), and where they are. */
function lines_around(text, first, last, count) {
    let begin = first;
    let end = last;
    for (let i = 0; i <= count && begin > 0; i++) {
        begin = text.lastIndexOf("\n", begin - 2) + 1;
    }
    for (let i = 0; i <= count && end < text.length; i++) {
        const eol = text.indexOf("\n", end);
        end = eol < 0 ? text.length : eol + 1;
    }
    begin = Math.max(begin, first - 2000);
    end = Math.min(end, last + 2000);
    let line = 1;
    for (let at = text.indexOf("\n"); at >= 0 && at < first; at = text.indexOf("\n", at + 1)) {
        line++;
    }
    return {line, before: text.slice(begin, first), mark: text.slice(first, last),
        after: text.slice(last, end)};
}
