/* svg.h - pictures of streams as SVG, Graphviz and trace events, for gpucmd-dump.c. */
#ifndef DUMP_SVG_H
#define DUMP_SVG_H

#include "base.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"
#include "text.h"

enum {
    SVG_WIDTH = 960,
    SVG_LEFT = 150,
    SVG_TOP = 62,
    SVG_LANE = 44,
    SVG_BOX = 24,
    SVG_CHAR = 6,    /* width of a character in a box */
    SVG_NAME = 8,    /* least characters of a name that is cut */
    SVG_ROWS = 4000, /* boxes drawn one by one */
};

/* How a box looks: kind of operation, meaning, class of the style sheet. */
typedef struct look {
    const char *name;
    const char *text;
} look;

static const look looks[] = {
    {"run",   "commands"            },
    {"start", "start, jump or call" },
    {"sig",   "stores a value"      },
    {"wait",  "waits"               },
    {"dead",  "waits without an end"},
    {"cycle", "waits in a cycle"    },
    {"end",   "end or return"       },
    {"none",  "no command"          },
};

/* Return the index of the look of a box. */
static size_t look_of(const picture_span *s)
{
    if (s->in_cycle) {
        return 5;
    }
    if (s->blocked) {
        return 4;
    }
    if (s->kind == OP_WAIT) {
        return 3;
    }
    if (s->kind == OP_SIGNAL) {
        return 2;
    }
    if (s->kind == OP_START) {
        return 1;
    }
    if (s->kind == OP_END) {
        return 6;
    }
    if (s->kind == OP_UNREAD) {
        return 7;
    }
    return 0;
}

/* Write text with the characters of XML escaped. */
static void put_xml(FILE *to, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        switch (text[i]) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default:
            putc((unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e ? '?' : text[i],
                 to);
        }
    }
}

static double svg_x(const picture *p, uint64_t at)
{
    return SVG_LEFT + (double)at * (SVG_WIDTH - SVG_LEFT - 16) / (double)(p->end != 0 ? p->end : 1);
}

static int svg_y(size_t lane)
{
    return SVG_TOP + (int)lane * SVG_LANE;
}

/* Write the style sheet and the legend. */
static void svg_begin(const picture *p, FILE *to, size_t streams)
{
    const int height = svg_y(p->lane[streams]) + 34;
    fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "style=\"max-width:100%%;min-width:720px;height:auto\" role=\"img\">\n<title>",
        SVG_WIDTH, height, SVG_WIDTH, height);
    put_xml(to, p->title, strlen(p->title));
    fputs(
        "</title>\n<style>text{font:12px sans-serif;fill:#222}.s{font-size:10px;fill:#555}.n{font-size:9px;pointer-events:none}.w{fill:#fff}.run{fill:#9db8d9}"
        ".start{fill:#3a6ea5}.sig{fill:#3f9142}.wait{fill:#e0a800}.dead{fill:#d9701a}.cycle{fill:#c62828}"
        ".end{fill:#444}.none{fill:#fff;stroke:#c62828;stroke-width:1.5}.lane{stroke:#ddd}.call{stroke:#3a6ea5}.ret{stroke:#444;stroke-dasharray:3 2}"
        ".rel{stroke:#3f9142}.cyc{stroke:#c62828;stroke-width:2.5}.call,.ret,.rel,.cyc{fill:none}</style>\n",
        to);
    fprintf(
        to,
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"12\" y=\"20\" font-weight=\"bold\">",
        SVG_WIDTH, height);
    put_xml(to, p->title, strlen(p->title));
    fputs("</text>\n", to);
    int x = 12;
    for (size_t k = 0; k < sizeof looks / sizeof looks[0];
         x += 50 + 5 * (int)strlen(looks[k++].text)) {
        fprintf(
            to,
            "<rect class=\"%s\" x=\"%d\" y=\"32\" width=\"12\" height=\"12\"/><text x=\"%d\" y=\"42\">%s</text>\n",
            looks[k].name, x, x + 17, looks[k].text);
    }
    size_t i = 0;
    for (size_t lane = 0; lane < p->lane[streams]; lane++) {
        char label[96];
        i += lane == p->lane[i + 1];
        lane_label(p, i, lane - p->lane[i], label, sizeof label);
        fprintf(
            to,
            "<line class=\"lane\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><text x=\"12\" y=\"%d\">",
            SVG_LEFT, SVG_WIDTH - 16, svg_y(lane) + SVG_BOX + 8, svg_y(lane) + SVG_BOX + 8,
            svg_y(lane) + 21);
        put_xml(to, label, strlen(label));
        fputs("</text>\n", to);
    }
}

/* Write an arrow between two lanes. */
static void svg_arrow(const picture *p, FILE *to, const char *name, uint64_t at, size_t from,
                      uint64_t end, size_t target)
{
    const double x1 = svg_x(p, at);
    const double x2 = svg_x(p, end);
    const int down = target > from;
    const int y1 = svg_y(from) + 5 + (down ? SVG_BOX : 0);
    const int y2 = svg_y(target) + 5 + (down ? 0 : SVG_BOX);
    fprintf(
        to,
        "<path class=\"%s\" marker-end=\"url(#%s)\" d=\"M%.1f %d C%.1f %d %.1f %d %.1f %d\"/>\n",
        name, name, x1, y1, x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2);
}

/* Write the arrows: starts, returns, releases, and who waits for whom in a cycle. */
static void svg_arrows(const picture *p, FILE *to)
{
    static const char *const names[] = {"call", "ret", "rel", "cyc"};
    static const char *const colors[] = {"#3a6ea5", "#444", "#3f9142", "#c62828"};
    for (int i = 0; i < 4; i++) {
        fprintf(
            to,
            "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
            "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"%s\"/></marker>\n",
            names[i], colors[i]);
    }
    for (size_t i = 0; i < p->span_count && i < SVG_ROWS; i++) {
        const picture_span *s = &p->spans[i];
        const picture_op *op = &p->ops[s->op];
        if (s->kind == OP_START && op->target >= 0) {
            svg_arrow(p, to, "call", s->end, op_lane(p, op), s->end, p->lane[op->target]);
        } else if (s->back >= 0) {
            svg_arrow(p, to, "ret", s->end, op_lane(p, op), s->end, p->lane[s->back]);
        } else if (s->by >= 0 && p->spans[s->by].stream != s->stream) {
            svg_arrow(p, to, "rel", p->spans[s->by].end, op_lane(p, &p->ops[p->spans[s->by].op]),
                      s->end, op_lane(p, op));
        }
        for (size_t k = 0; s->in_cycle && k < p->span_count; k++) {
            const picture_span *w = &p->spans[k];
            if (k == i || !w->in_cycle) {
                continue;
            }
            for (size_t o = w->op; o < p->first[w->stream + 1]; o++) {
                if (p->ops[o].kind == OP_SIGNAL && p->ops[o].va == op->va) {
                    svg_arrow(p, to, "cyc", s->start + (s->end - s->start) / 3, op_lane(p, op),
                              w->end - (w->end - w->start) / 3, op_lane(p, &p->ops[w->op]));
                    break;
                }
            }
        }
    }
}

/* Write the streams over time. */
static void put_svg(const picture *p, FILE *to)
{
    const size_t streams = stream_count(p->d);
    svg_begin(p, to, streams);
    for (size_t i = 0; i < p->span_count && i < SVG_ROWS; i++) {
        const picture_span *s = &p->spans[i];
        const double x = svg_x(p, s->start);
        const double width = svg_x(p, s->end) - x;
        const picture_op *op = &p->ops[s->op];
        const size_t fits = width > 4 ? (size_t)((width - 4) / SVG_CHAR) : 0;
        char label[160];
        op_label(p, op, label, sizeof label);
        fprintf(
            to,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"1.5\"><title>",
            looks[look_of(s)].name, x, svg_y(op_lane(p, op)) + 5, width > 2.5 ? width - 0.5 : 2,
            SVG_BOX);
        put_xml(to, label, strlen(label));
        fputs("</title></rect>\n", to);
        if (fits >= SVG_NAME || fits >= strlen(op->name)) {
            fprintf(to, "<text class=\"%s\" x=\"%.1f\" y=\"%d\">",
                    s->kind == OP_RUN || s->kind == OP_UNREAD ? "n" : "n w", x + 3,
                    svg_y(op_lane(p, op)) + 20);
            put_xml(to, op->name, lesser(strlen(op->name), fits));
            fputs("</text>\n", to);
        }
    }
    svg_arrows(p, to);
    fprintf(to, "<text class=\"s\" x=\"%d\" y=\"%d\">time: one unit a word; %zu stream%s", SVG_LEFT,
            svg_y(p->lane[streams]) + 18, streams, plural(streams));
    if (p->cycle != 0) {
        fprintf(to, "; deadlock of %zu streams", p->cycle);
    }
    if (p->cut || p->span_count > SVG_ROWS) {
        fputs("; not all boxes are drawn", to);
    }
    fputs("</text>\n</svg>\n", to);
}

/* Write the streams and what connects them as a graph. */
static void put_dot(const picture *p, FILE *to)
{
    const size_t streams = stream_count(p->d);
    fputs("digraph streams {\n  rankdir=LR;\n  labelloc=t;\n  label=\"", to);
    put_xml(to, p->title, strlen(p->title));
    fputs(
        "\";\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
        to);
    for (size_t i = 0; i < streams; i++) {
        char label[80];
        stream_label(p->d, i, label, sizeof label);
        fprintf(to, "  s%zu [label=\"%s\\n%zu words\"];\n", i, label, p->d->streams[i].len_dw);
    }
    size_t edges = 0;
    for (size_t i = 0; i < p->op_count && edges < SVG_ROWS; i++) {
        const picture_op *op = &p->ops[i];
        if (op->kind == OP_START) {
            if (op->target >= 0) {
                fprintf(to, "  s%zu -> s%d [label=\"%s\\n0x%zx\", color=\"#3a6ea5\"];\n",
                        op->stream, op->target, op->name, 4 * op->at_dw);
            } else {
                fprintf(to,
                        "  x%" PRIx64 " [label=\"0x%" PRIx64
                        "\\nnot in the input\", style=dashed];\n",
                        op->va, op->va);
                fprintf(to, "  s%zu -> x%" PRIx64 " [label=\"%s\\n0x%zx\", color=\"#3a6ea5\"];\n",
                        op->stream, op->va, op->name, 4 * op->at_dw);
            }
            edges++;
        }
    }
    for (size_t i = 0; i < p->span_count && edges < SVG_ROWS; i++) {
        const picture_span *s = &p->spans[i];
        const picture_op *op = &p->ops[s->op];
        for (size_t o = 0; s->blocked && o < p->op_count; o++) {
            if (p->ops[o].kind == OP_SIGNAL && p->ops[o].va == op->va &&
                p->ops[o].stream != s->stream) {
                fprintf(to,
                        "  s%zu -> s%zu [label=\"waits at 0x%zx\\nfor 0x%" PRIx64
                        "\", color=\"%s\", penwidth=%d];\n",
                        s->stream, p->ops[o].stream, 4 * op->at_dw, op->va,
                        s->in_cycle ? "#c62828" : "#d9701a", s->in_cycle ? 3 : 1);
                edges++;
                break;
            }
        }
        if (s->back >= 0) {
            fprintf(to, "  s%zu -> s%d [label=\"%s\\n0x%zx\", style=dashed];\n", s->stream, s->back,
                    op->name, 4 * op->at_dw);
            edges++;
        }
        if (s->by >= 0 && p->spans[s->by].stream != s->stream) {
            fprintf(to, "  s%zu -> s%zu [label=\"releases\\n0x%" PRIx64 "\", color=\"#3f9142\"];\n",
                    p->spans[s->by].stream, s->stream, op->va);
            edges++;
        }
    }
    fputs(
        "  subgraph cluster_legend { label=\"legend\"; fontsize=10; node [shape=plaintext, fontsize=10, height=0.2];\n"
        "    a [label=\"blue: start, jump, call; dashed: return\", fontcolor=\"#3a6ea5\"];\n"
        "    b [label=\"green: releases a wait\", fontcolor=\"#3f9142\"];\n"
        "    c [label=\"orange: waits without an end\", fontcolor=\"#d9701a\"];\n"
        "    d [label=\"red: waits in a cycle\", fontcolor=\"#c62828\"]; }\n}\n",
        to);
}

/* Write an arrow of trace events. id: the only one of this name. */
static void put_flow(FILE *to, const char *name, size_t id, size_t from, uint64_t start,
                     size_t target, uint64_t end)
{
    fprintf(to,
            ",\n{\"ph\":\"s\",\"pid\":1,\"tid\":%zu,\"ts\":%" PRIu64
            ",\"id\":%zu,\"name\":\"%s\",\"cat\":\"%s\"}",
            from + 1, start, id, name, name);
    fprintf(to,
            ",\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":%zu,\"ts\":%" PRIu64
            ",\"id\":%zu,\"name\":\"%s\",\"cat\":\"%s\"}",
            target + 1, end, id, name, name);
}

/* Write the name of a box: viewers color boxes by name, so a wait has another name than work. */
static void put_box_name(const picture_span *s, const picture_op *op, FILE *to)
{
    char name[96] = "";
    append(name, sizeof name, "%s", op->name);
    if (s->kind == OP_WAIT) {
        append(name, sizeof name, " %s", looks[look_of(s)].text);
    }
    put_string(to, name);
}

/* Write trace events as JSON: a track for each lane; a word takes 1 us. */
static void put_trace(const picture *p, FILE *to)
{
    const size_t streams = stream_count(p->d);
    fputs(
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"legend\":\"one word takes 1 us; arrows are starts, returns and releases of waits\"},"
        "\"traceEvents\":[\n",
        to);
    fputs("{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":", to);
    put_string(to, p->title);
    fputs("}}", to);
    for (size_t lane = 0, i = 0; lane < p->lane[streams]; lane++) {
        char label[96];
        i += lane == p->lane[i + 1];
        lane_label(p, i, lane - p->lane[i], label, sizeof label);
        fprintf(
            to,
            ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{\"name\":",
            lane + 1);
        put_string(to, label);
        fputs("}}", to);
    }
    for (size_t i = 0; i < p->span_count; i++) {
        const picture_span *s = &p->spans[i];
        const picture_op *op = &p->ops[s->op];
        char label[160];
        op_label(p, op, label, sizeof label);
        fprintf(to,
                ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%zu,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
                ",\"cat\":\"%s\",\"name\":",
                op_lane(p, op) + 1, s->start, s->end - s->start, looks[look_of(s)].name);
        put_box_name(s, op, to);
        fputs(",\"args\":{\"what\":", to);
        put_string(to, label);
        fputs(",\"state\":", to);
        put_string(to, looks[look_of(s)].text);
        fputs("}}", to);
        if (s->by >= 0) {
            const picture_span *r = &p->spans[s->by];
            put_flow(to, "release", i, op_lane(p, &p->ops[r->op]), r->start, op_lane(p, op),
                     s->end - 1);
        } else if (s->kind == OP_START && op->target >= 0) {
            put_flow(to, "start", i, op_lane(p, op), s->start, p->lane[op->target], s->end);
        } else if (s->back >= 0) {
            put_flow(to, "return", i, op_lane(p, op), s->start, p->lane[s->back], s->end);
        }
    }
    fputs("\n]}\n", to);
}

/* Write a picture to the file that an option names. */
typedef void (*picture_fn)(const picture *p, FILE *to);

static int put_picture(const picture *p, const char *path, picture_fn fn)
{
    if (path == NULL) {
        return EXIT_FINE;
    }
    errno = 0;
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fn(p, file);
    }
    const bool failed = file == NULL || ferror(file);
    if (file == NULL || fclose(file) != 0 || failed) {
        return refused(path, "cannot be written", "a writable file");
    }
    return EXIT_FINE;
}

/* Return true if an option asks for a picture. */
static bool wants_picture(const settings *set)
{
    return set->svg != NULL || set->dot != NULL || set->trace != NULL || set->html != NULL;
}

static int put_pictures(const picture *p, const settings *set)
{
    int status = put_picture(p, set->svg, put_svg);
    if (status == EXIT_FINE) {
        status = put_picture(p, set->dot, put_dot);
    }
    if (status == EXIT_FINE) {
        return put_picture(p, set->trace, put_trace);
    }
    return status;
}

#endif
