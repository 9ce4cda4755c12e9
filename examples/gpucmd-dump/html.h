/* html.h - a page with all streams, for gpucmd-dump.c. */
#ifndef DUMP_HTML_H
#define DUMP_HTML_H

#include "base.h"
#include "lines.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"
#include "svg.h"

/* Write the beginning of the page: style, what was read, the picture. */
static void html_begin(const dump *d, const picture *p, FILE *to)
{
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>gpucmd-dump: ",
        to);
    put_xml(to, d->name, strlen(d->name));
    fputs(
        "</title>\n<style>\n"
        ":root{color-scheme:light dark;--b:#fff;--f:#1d1d1f;--m:#666;--l:#ddd;--c:#0b57a4;--e:#b3261e;--w:#8a5a00;--s:#fff3cd}\n"
        "@media(prefers-color-scheme:dark){:root{--b:#16181c;--f:#e6e6e6;--m:#9a9a9a;--l:#333;--c:#7ab8ff;--e:#ff8a80;"
        "--w:#ffcc66;--s:#4a3b00}}\n"
        "body{margin:0;background:var(--b);color:var(--f);font:15px/1.45 system-ui,sans-serif}\n"
        "header,main{max-width:1280px;margin:auto;padding:0 16px}\n"
        "h1{font-size:20px;margin:14px 0 4px;overflow-wrap:anywhere}\n.m{color:var(--m)}\n"
        "#bar{position:sticky;top:0;background:var(--b);border-bottom:1px solid var(--l);padding:8px 0;display:flex;"
        "gap:8px;flex-wrap:wrap;z-index:1}\n#bar input{flex:1 1 160px;min-width:0;font:inherit;padding:4px 8px}\n"
        "#bar button,#bar a{font:inherit;padding:4px 8px}\n"
        "details{border:1px solid var(--l);border-radius:6px;margin:12px 0}\n"
        "summary{cursor:pointer;padding:6px 10px;font-weight:600;overflow-wrap:anywhere}\n"
        ".w{overflow-x:auto;padding:0 10px 8px}\n"
        "p.l{margin:0;font:12.5px/1.5 ui-monospace,monospace;white-space:pre;padding-left:1.2em}\n"
        "p.c{color:var(--c);font-weight:600;padding-left:0}\np.x{color:var(--e)}\np.stop{background:var(--s)}\n"
        "p.f{font:13px/1.4 system-ui,sans-serif;white-space:normal;margin:2px 0 4px 1.2em;padding:2px 8px;"
        "border-left:3px solid var(--w)}\np.f.e{border-color:var(--e)}\n"
        "body.fold p.d{display:none}\n.hide{display:none!important}\n.pic{overflow-x:auto}\n.pic svg{min-width:640px}\n"
        "</style></head>\n<body><header><h1>",
        to);
    put_xml(to, d->name, strlen(d->name));
    fprintf(to, "</h1><p class=\"m\">Read as %s", d->format);
    if (p != NULL) {
        fprintf(to, ": %zu stream%s", stream_count(d), plural(stream_count(d)));
    }
    if (d->process[0] != '\0') {
        fputs(". Process: ", to);
        put_xml(to, d->process, strlen(d->process));
    }
    if (d->damage != 0) {
        fprintf(to, ". <b>%zu part%s missing or damaged</b>", d->damage, plural(d->damage));
    }
    fputs(".</p>\n", to);
    if (p != NULL) {
        fputs("<div class=\"pic\">", to);
        put_svg(p, to);
        fputs("</div>\n", to);
    }
    fputs(
        "<div id=\"bar\"><input id=\"q\" type=\"search\" placeholder=\"Search commands, names, addresses\" "
        "aria-label=\"Search\"><span id=\"n\" class=\"m\"></span><button id=\"fold\">Commands only</button>"
        "<button id=\"all\">Close all</button><a id=\"go\" class=\"hide\" href=\"#stop\">Where the GPU stopped</a></div>"
        "</header>\n<main>\n",
        to);
}

/* Write the script and the end of the page. */
static void html_end(FILE *to)
{
    fputs(
        "</main>\n<script>\n"
        "const $=i=>document.getElementById(i),rows=[...document.querySelectorAll('p.l')];\n"
        "const stop=document.querySelector('p.stop');if(stop){stop.id='stop';$('go').classList.remove('hide')}\n"
        "$('go').onclick=()=>{stop.closest('details').open=true};\n"
        "$('fold').onclick=()=>{$('fold').textContent=document.body.classList.toggle('fold')?'All words':'Commands only'};\n"
        "$('all').onclick=()=>{const d=[...document.querySelectorAll('details')],o=d.some(x=>x.open);"
        "d.forEach(x=>x.open=!o);$('all').textContent=o?'Open all':'Close all'};\n"
        "$('q').oninput=()=>{const q=$('q').value.toLowerCase();let n=0;"
        "for(const r of rows){const y=!q||r.textContent.toLowerCase().includes(q);r.classList.toggle('hide',!y);n+=y}"
        "$('n').textContent=q?n+' lines':''};\n</script></body></html>\n",
        to);
}

/* Begin the section of a stream. */
static void html_section(output *out, const dump *d, size_t index, const char *chip)
{
    char label[80];
    const stream *s = &d->streams[index];
    stream_label(d, index, label, sizeof label);
    fprintf(out->page, "<details open><summary>Stream ");
    put_xml(out->page, label, strlen(label));
    if (s->has_va) {
        fprintf(out->page, " at 0x%" PRIx64, s->va);
    }
    fprintf(out->page, ", %zu word%s, %s</summary><div class=\"w\">\n", s->len_dw,
            plural(s->len_dw), chip);
}

/* Write the findings up to an offset that are not on the page yet. */
static void html_findings(output *out, uint64_t offset)
{
    for (; out->finding_at < out->finding_count && out->findings[out->finding_at].offset <= offset;
         out->finding_at++) {
        const kept_finding *f = &out->findings[out->finding_at];
        fprintf(out->page, "<p class=\"f%s\"><b>%s %s</b>: ", f->severity == 2 ? " e" : "",
                severity_name(f->severity), f->rule);
        put_xml(out->page, f->text, strlen(f->text));
        fputs("</p>\n", out->page);
    }
}

/* End the section of a stream, with the findings after its last line. */
static void html_section_end(output *out)
{
    html_findings(out, UINT64_MAX);
    fputs("</div></details>\n", out->page);
}

/* Write one line of text, and after it the findings at its offset. */
static void html_line(output *out, const char *line, size_t len, bool command, bool wrong,
                      uint64_t offset)
{
    const text_line view = {(char *)(uintptr_t)line, len, 0, 0, 0, 0, false};
    const bool stop = line_has(&view, "<== ");
    fprintf(out->page, "<p class=\"l %s", command ? "c" : "d");
    fputs(wrong ? " x" : "", out->page);
    fputs(stop ? " stop\">" : "\">", out->page);
    put_xml(out->page, line, len);
    fputs("</p>\n", out->page);
    html_findings(out, offset);
}

/* Open the page. Return the exit status. */
static int open_page(const settings *set, output *out, const dump *d, const picture *p)
{
    const char *path = set->html;
    if (path == NULL) {
        return EXIT_FINE;
    }
    errno = 0;
    out->page = fopen(path, "w");
    if (out->page == NULL) {
        return refused(path, "cannot be written", "a writable file");
    }
    html_begin(d, p, out->page);
    return EXIT_FINE;
}

static int close_page(const settings *set, output *out)
{
    if (out->page == NULL) {
        return EXIT_FINE;
    }
    html_end(out->page);
    const bool failed = ferror(out->page) != 0;
    const bool closed = fclose(out->page) == 0;
    out->page = NULL;
    if (failed || !closed) {
        return refused(set->html, "cannot be written", "a writable file");
    }
    return EXIT_FINE;
}

#endif
