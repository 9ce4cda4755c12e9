/* events.h - lines of logs about rejected commands: nouveau, NVIDIA's driver, nvgpu; for
 * gpucmd-dump.c. */
#ifndef DUMP_EVENTS_H
#define DUMP_EVENTS_H

#include "array.h"
#include "base.h"
#include "error.h"
#include "explain.h"
#include "hex.h"
#include "lines.h"
#include "nv_fields.h"
#include "stream.h"

/* A number in a line after a word, such as "mthd 1614". */
static bool field_of(const text_line *line, const char *word, unsigned radix, uint64_t *v)
{
    const char *end = line->at + line->len;
    const size_t n = strlen(word);
    for (const char *p = line->at; p + n < end; p++) {
        if (p[0] != word[0] || memcmp(p, word, n) != 0 || (p != line->at && is_name(p[-1]))) {
            continue;
        }
        p += n;
        while (p < end && (*p == ' ' || *p == ':')) {
            p++;
        }
        if (p + 2 < end && p[0] == '0' && p[1] == 'x') {
            p += 2;
            radix = 16;
        }
        const char *from = p;
        for (*v = 0; p < end && hex_digit(*p) < radix; p++) {
            *v = *v * radix + hex_digit(*p);
        }
        if (p != from && (p == end || !is_name(*p))) {
            return true;
        }
    }
    return false;
}

/* Print the method, and the meaning of its value. */
static void put_method(uint32_t class_id, uint32_t mthd, bool has_data, uint32_t data)
{
    char text[512];
    nv_describe(class_id, mthd, data, has_data, text, sizeof text);
    if (class_id != 0) {
        tell("    class %04" PRIx32 " method 0x%04" PRIx32 " %s\n", class_id, mthd, text);
    } else {
        tell("    host method 0x%04" PRIx32 " %s\n", mthd, text);
    }
}

/* Print the names of the bits of PBDMA_INTR_0. */
static void put_intr(uint32_t bits)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        if ((bits >> bit & 1) != 0) {
            tell("    %s: %s\n", gpucmd_nv_pbdma_intr_name(GPUCMD_NV_CHIP_GK104, bit),
                 gpucmd_nv_pbdma_intr_text(GPUCMD_NV_CHIP_GK104, bit));
        }
    }
}

/* Explain DMA_STATE of a pusher before GF100. */
static void put_dma_state(uint32_t state)
{
    const gpucmd_nv_pusher_error error = (gpucmd_nv_pusher_error)(state >> 29);
    tell("    DMA_STATE 0x%08" PRIx32 ": %s: %s\n", state, gpucmd_nv_pusher_error_name(error),
         gpucmd_nv_pusher_error_text(error));
    tell("    subchannel %" PRIu32 " method 0x%04" PRIx32 ", %" PRIu32 " words left%s\n",
         state >> 13 & 7, state & 0x1ffc, state >> 18 & 0x7ff,
         (state & 1) != 0 ? ", method does not increment" : "");
}

/* Return the address after a word; NVIDIA's driver writes _ between its halves. */
static bool fault_address(const text_line *line, const char *word, uint64_t *va)
{
    const char *end = line->at + line->len;
    const char *p = after(line, word);
    if (p == NULL) {
        return false;
    }
    p += match(p, end, "0x");
    const char *from = p;
    for (*va = 0; p < end && (hex_digit(*p) < 16 || *p == '_'); p++) {
        *va = *p == '_' ? *va : *va << 4 | hex_digit(*p);
    }
    return p != from;
}

/* Return true for a line of nouveau about a fault of the MMU. */
static bool is_fault(const text_line *line)
{
    return line_has(line, "fault at ") || (line_has(line, "fault ") && line_has(line, "] at "));
}

/* Print the address of a fault, and what the line says about the access. */
static void put_fault(const text_line *line)
{
    static const struct {
        const char *name;
        const char *key;
        const char *open; /* the text begins after it */
        const char *stop; /* and ends before it */
    } parts[] = {
        {"access", "fifo: fault ", "[", "]"       },
        {"reason", "fault at ",    "[", "]"       },
        {"engine", "engine ",      "[", "]"       },
        {"client", "client ",      "[", "]"       },
        {"reason", "reason ",      "[", "]"       },
        {"code",   "SCHED_ERROR ", "[", "]"       },
        {"engine", "ENGINE ",      "",  " faulted"},
        {"type",   "of type ",     "",  ""        },
    };
    const char *end = line->at + line->len;
    const char *sep = "    ";
    uint64_t va;
    if (fault_address(line, " at ", &va) || fault_address(line, "faulted @ ", &va)) {
        tell("    address 0x%" PRIx64, va);
        sep = ", ";
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *p = after(line, parts[i].key);
        text_line rest = {(char *)(uintptr_t)p, p != NULL ? (size_t)(end - p) : 0, 0, 0, 0};
        if (p != NULL && parts[i].open[0] != '\0') {
            p = after(&rest, parts[i].open);
        }
        if (p == NULL) {
            continue;
        }
        rest.at = (char *)(uintptr_t)p;
        rest.len = (size_t)(end - p);
        const char *stop = NULL;
        if (parts[i].stop[0] != '\0') {
            stop = after(&rest, parts[i].stop);
        }
        size_t len = rest.len;
        if (stop != NULL) {
            len = (size_t)(stop - p) - strlen(parts[i].stop);
        }
        tell("%s%s %.*s", sep, parts[i].name, (int)lesser(len, 200), p);
        sep = ", ";
    }
    tell("%s", sep[0] == ',' ? "\n" : "");
}

/* The fields of a line of nouveau. A field that the line lacks is 0. */
typedef struct nouveau_fields {
    uint64_t ch;
    uint64_t subc;
    uint64_t class_id;
    uint64_t mthd;
    uint64_t data;
    bool has_mthd;
    bool has_data;
} nouveau_fields;

static void put_channel(const nouveau_fields *f)
{
    tell("    channel %" PRIu64 ", subchannel %" PRIu64 "\n", f->ch, f->subc);
}

/* Explain a line of the pusher before GF100. */
static void put_pusher(dump *d, const text_line *line, const nouveau_fields *f)
{
    uint64_t v;
    begin_event(d, line, "DMA_PUSHER: the pusher rejected a command");
    tell("    channel %" PRIu64, f->ch);
    if (field_of(line, "ib_get", 16, &v) || field_of(line, "IbGet", 16, &v)) {
        tell(", IB entry %" PRIu64, v);
    }
    if (field_of(line, "get", 16, &v) || field_of(line, "Get", 16, &v)) {
        tell(", at 0x%" PRIx64, v);
    }
    tell("\n");
    if (field_of(line, "state", 16, &v) || field_of(line, "State", 16, &v)) {
        put_dma_state((uint32_t)v);
    }
}

/* Explain a line of the host engine, GF100 and later. */
static void put_pbdma(dump *d, const text_line *line, const nouveau_fields *f)
{
    const char *bits = after(line, "PBDMA");
    const char *end = line->at + line->len;
    uint64_t v;
    begin_event(d, line, "PBDMA: the host engine rejected a word or a method");
    put_channel(f);
    while (bits < end && *bits != ' ') {
        bits++;
    }
    while (bits < end && *bits == ' ') {
        bits++;
    }
    if (take_hex(&bits, end, &v)) {
        put_intr((uint32_t)v);
    }
    if (f->has_mthd) {
        put_method(0, (uint32_t)f->mthd, f->has_data, (uint32_t)f->data);
    }
}

/* Return what a line of nouveau says about a method that the engine rejected. */
static const char *rejection_text(const text_line *line)
{
    if (line_has(line, "ILLEGAL_CLASS")) {
        return "ILLEGAL_CLASS: the class is not known to the engine";
    }
    if (line_has(line, "ILLEGAL_MTHD")) {
        return "ILLEGAL_MTHD: the class lacks the method";
    }
    if (line_has(line, "DATA_ERROR")) {
        return "DATA_ERROR: the engine rejected the value";
    }
    return "the engine rejected a method";
}

/* Explain a line of nouveau. Return false if it is none. */
static bool take_nouveau(dump *d, const text_line *line)
{
    nouveau_fields f;
    memset(&f, 0, sizeof f);
    f.has_mthd = field_of(line, "mthd", 16, &f.mthd) || field_of(line, "Mthd", 16, &f.mthd);
    f.has_data = field_of(line, "data", 16, &f.data) || field_of(line, "Data", 16, &f.data);
    (void)(field_of(line, "ch", 10, &f.ch) || field_of(line, "Ch", 10, &f.ch));
    (void)field_of(line, "subc", 10, &f.subc);
    (void)field_of(line, "class", 16, &f.class_id);
    if (line_has(line, "DMA_PUSHER")) {
        put_pusher(d, line, &f);
    } else if (line_has(line, "PBDMA") && line_has(line, " ch ")) {
        put_pbdma(d, line, &f);
    } else if (line_has(line, "CACHE_ERROR")) {
        begin_event(d, line, "CACHE_ERROR: no engine took a method");
        put_channel(&f);
        if (f.mthd == 0) {
            tell("    SET_OBJECT: no object has the handle 0x%08" PRIx64 "\n", f.data);
        } else {
            put_method((uint32_t)f.class_id, (uint32_t)f.mthd, f.has_data, (uint32_t)f.data);
        }
    } else if (f.has_mthd && f.has_data) {
        begin_event(d, line, rejection_text(line));
        put_channel(&f);
        put_method((uint32_t)f.class_id, (uint32_t)f.mthd, true, (uint32_t)f.data);
    } else if (is_fault(line) || line_has(line, "SCHED_ERROR")) {
        begin_event(d, line,
                    line_has(line, "SCHED_ERROR") ? "SCHED_ERROR: the scheduler stopped the channel"
                                                  : "fault of the MMU: an address, no method");
        put_fault(line);
    } else {
        return false;
    }
    return true;
}

/* Read the hex number after a word of NVIDIA's texts. */
static bool xid_field(const text_line *line, const char *word, uint64_t *v)
{
    return field_of(line, word, 16, v);
}

/* Explain the old form of Xid 13: channel, instance, class, method, data, error. */
static bool take_xid_numbers(const char *p, const char *end, uint64_t v[6])
{
    for (int i = 0; i < 6; i++) {
        while (p < end && *p == ' ') {
            p++;
        }
        if (digits_of(p, end) < 4 || !take_hex(&p, end, &v[i])) {
            return false;
        }
    }
    return true;
}

/* Return the meaning of an Xid that names no method. */
static const char *xid_text(uint64_t number)
{
    switch (number) {
    case 31: return "fault of the MMU: an address, no method";
    case 43:
    case 45: return "follows another error of the channel";
    case 109: return "the channel could not be switched in time";
    default: return "names no method";
    }
}

/* Explain a line of NVIDIA's driver. */
static bool take_xid(dump *d, const text_line *line)
{
    const char *end = line->at + line->len;
    const char *p = after(line, "NVRM: Xid (");
    uint64_t number = 0;
    uint64_t class_id;
    uint64_t mthd;
    uint64_t data = 0;
    uint64_t v[6];
    char what[160];
    if (p == NULL) {
        return false;
    }
    p = memchr(p, ')', (size_t)(end - p));
    if (p == NULL || match(p, end, "): %") == 0) {
        return false;
    }
    number = strtoul(p + 3, NULL, 10);
    p = memchr(p, ',', (size_t)(end - p));
    if (xid_field(line, "Class", &class_id) && xid_field(line, "Offset", &mthd)) {
        const bool has_data = xid_field(line, "Data", &data);
        snprintf(what, sizeof what, "Xid %" PRIu64 ": %s", number,
                 number == 69 ? "the engine rejected a method (Class Error)"
                              : "exception of the graphics engine");
        begin_event(d, line, what);
        put_method((uint32_t)class_id, (uint32_t)mthd, has_data, (uint32_t)data);
        if (xid_field(line, "ErrorCode", &v[0])) {
            tell("    error code 0x%02" PRIx64 " %s\n", v[0], nv_data_error((uint32_t)v[0]));
        }
    } else if (number == 13 && p != NULL && take_xid_numbers(p + 1, end, v)) {
        begin_event(d, line, "Xid 13: exception of the graphics engine");
        put_method((uint32_t)v[2], (uint32_t)v[3], true, (uint32_t)v[4]);
    } else if (number == 32) {
        begin_event(d, line, "Xid 32: the host engine found the pushbuffer bad");
        if (xid_field(line, "intr", &v[0])) {
            put_intr((uint32_t)v[0]);
        }
        if (xid_field(line, "HCE_DBG0", &v[0])) {
            (void)xid_field(line, "HCE_DBG1", &data);
            put_method(0, (uint32_t)v[0] & 0x3ffc, true, (uint32_t)data);
        }
    } else {
        snprintf(what, sizeof what, "Xid %" PRIu64 ": %s", number, xid_text(number));
        begin_event(d, line, what);
        put_fault(line);
    }
    return true;
}

/* Print a header word as hardware keeps it in PB_HEADER. */
static void put_pb_header(uint32_t header)
{
    tell("    HEADER 0x%08" PRIx32 ": subchannel %" PRIu32 " method 0x%04" PRIx32 "\n", header,
         header >> 16 & 7, header & 0x3ffc);
}

/* Explain a line of nvgpu's state. */
static bool take_nvgpu(dump *d, const text_line *line)
{
    uint64_t v;
    uint64_t w;
    gpucmd_nv_entry entry;
    if (line_has(line, "SHADOW0") && field_of(line, "SHADOW0", 16, &v) &&
        field_of(line, "SHADOW1", 16, &w)) {
        const uint32_t dw[2] = {(uint32_t)v, (uint32_t)w};
        begin_event(d, line, "PBDMA: the GPFIFO entry in work");
        if (gpucmd_nv_decode_entry(dw, GPUCMD_NV_CHIP_GP10B, &entry) == GPUCMD_OK &&
            !entry.is_control) {
            tell("    SHADOW0, SHADOW1: %" PRIu32 " words at 0x%" PRIx64 "\n", entry.len_dw,
                 entry.va);
        }
        if (field_of(line, "HDR", 16, &v)) {
            tell("    HDR 0x%08" PRIx64 ": the word read last: ", v);
            if (!dump_quiet) {
                nv_put_header(event_to, (uint32_t)v);
            }
        }
    } else if (line_has(line, "GP_PUT") && field_of(line, "HEADER", 16, &v)) {
        begin_event(d, line, "PBDMA: the method in work");
        if (field_of(line, "GP_GET", 16, &w)) {
            tell("    GP_GET %" PRIu64, w);
            if (!field_of(line, "GP_PUT", 16, &w)) {
                w = 0;
            }
            tell(", GP_PUT %" PRIu64 "\n", w);
        }
        put_pb_header((uint32_t)v);
    } else if (line_has(line, "PBDMA_PUT") && field_of(line, "PBDMA_GET", 16, &v) &&
               field_of(line, "PBDMA_PUT", 16, &w)) {
        begin_event(d, line, "PBDMA: the segment in work");
        tell("    at 0x%" PRIx64 ", end 0x%" PRIx64, v, w);
        if (w >= v) {
            tell(": %" PRIu64 " words left", (w - v) / 4);
        }
        tell("\n");
    } else if (starts_with(line, "RAMFC") && field_of(line, "HEADER", 16, &v)) {
        begin_event(d, line, "RAMFC: the state of a channel");
        put_pb_header((uint32_t)v);
    } else if (line_has(line, "pbdma_intr_0(") && field_of(line, "PBH", 16, &v)) {
        begin_event(d, line, "PBDMA: interrupt");
        const char *p = after(line, "):");
        if (p != NULL && take_hex(&p, line->at + line->len, &w)) {
            put_intr((uint32_t)w);
        }
        put_pb_header((uint32_t)v);
    } else {
        return false;
    }
    return true;
}

/* Explain each line about a rejected command. */
static void read_events(void *state, dump *d, const text_lines *t)
{
    (void)state;
    if (strcmp(d->vendor, "nv") != 0) {
        return;
    }
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        if (line->len != 0 && !take_xid(d, line) && !take_nvgpu(d, line)) {
            (void)take_nouveau(d, line);
        }
    }
}

/* Return name if the text is a log about rejected commands of this format, otherwise NULL. */
static const char *find_events(const dump *d, const text_lines *t, const char *name)
{
    static const struct {
        const char *word;
        const char *also;
        const char *name;
        bool common; /* other texts can have it */
    } words[] = {
        {"NVRM: Xid",     "",       "nvidia-xid",  false},
        {"PBDMA_PUT",     "",       "nvgpu-debug", false},
        {"GP_PUT",        "HEADER", "nvgpu-debug", false},
        {"RAMFC",         "",       "nvgpu-debug", false},
        {"pbdma_intr_0(", "",       "nvgpu-debug", false},
        {"DMA_PUSHER",    "",       "nouveau-log", false},
        {"PBDMA",         " ch ",   "nouveau-log", false},
        {"CACHE_ERROR",   "",       "nouveau-log", false},
        {"ILLEGAL_MTHD",  "",       "nouveau-log", false},
        {"ILLEGAL_CLASS", "",       "nouveau-log", false},
        {"DATA_ERROR",    "",       "nouveau-log", false},
        {" mthd ",        " data ", "nouveau-log", true },
        {"SCHED_ERROR",   "",       "nouveau-log", false},
        {"fault at 0x",   "",       "nouveau-log", true },
        {"fault ",        "] at ",  "nouveau-log", true },
    };
    const bool own = strcmp(d->vendor, "nv") == 0;
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < sizeof words / sizeof words[0] && has_text(&t->lines[i]); k++) {
            if (strcmp(words[k].name, name) == 0 && (own || !words[k].common) &&
                line_has(&t->lines[i], words[k].word) && line_has(&t->lines[i], words[k].also)) {
                return name;
            }
        }
    }
    return NULL;
}

static const char *recognise_xid(dump *d, const text_lines *t)
{
    return find_events(d, t, "nvidia-xid");
}

static const char *recognise_nvgpu(dump *d, const text_lines *t)
{
    return find_events(d, t, "nvgpu-debug");
}

static const char *recognise_nouveau(dump *d, const text_lines *t)
{
    return find_events(d, t, "nouveau-log");
}

/* Return the name of another command set that the text is about, or NULL. */
static const char *find_other_family(const dump *d, const text_lines *t)
{
    static const struct {
        const char *word;
        const char *name;
    } words[] = {
        {"SETCL(class=", "host1x (Tegra)"                                          },
        {"GATHER at 0x", "host1x (Tegra)"                                          },
        {"PKT3_",        "PM4 (AMD)"                                               },
        {"  - iova: 0x", "Adreno (msm); crashdec of Mesa reads it"                 },
        {"Encoder (",    "control streams (Apple); gpucmd-dump agx reads the trace"},
        {"nya~!!!!!",    "a log of asahi (Apple); gpucmd-dump agx explains it"     },
        {"FaultInfo {",  "a log of asahi (Apple); gpucmd-dump agx explains it"     },
    };
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < sizeof words / sizeof words[0] && has_text(&t->lines[i]); k++) {
            if (line_has(&t->lines[i], words[k].word)) {
                if (strcmp(d->vendor, "agx") == 0 && strcmp(words[k].word, "Encoder (") == 0) {
                    return "control streams; the trace has no members of a submission";
                }
                return words[k].name;
            }
        }
        const char *at = t->lines[i].at;
        if (match(at, at + t->lines[i].len, "--%--_$_%:0x") != 0) {
            return "mmt logs; demmt of envytools reads them";
        }
    }
    return NULL;
}

#endif
