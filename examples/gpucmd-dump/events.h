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
        if (p[0] != word[0] || memcmp(p, word, n) != 0 || (p != line->at && is_name(p[-1])) ||
            is_name(p[n])) {
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

/* Return the chip of a log: of the options or of a class in it; otherwise `other`. */
static gpucmd_nv_chip log_chip(const dump *d, gpucmd_nv_chip other)
{
    return d->nv_chip >= 0 ? (gpucmd_nv_chip)d->nv_chip : other;
}

/* Print a host method of a chip, and the meaning of its value. */
static void put_host_method(gpucmd_nv_chip chip, uint32_t mthd, bool has_data, uint32_t data)
{
    const char *name = gpucmd_nv_host_method_name(chip, mthd);
    char text[512];
    nv_describe(0, mthd, data, has_data, text, sizeof text);
    const size_t n = strcspn(text, " ");
    if (strncmp(text, name, n) == 0 && name[n] == '\0') {
        tell("    host method 0x%04" PRIx32 " %s\n", mthd, text);
        return;
    }
    tell("    host method 0x%04" PRIx32 " %s", mthd, strcmp(name, "?") != 0 ? name : "(no name)");
    if (has_data) {
        tell(" 0x%08" PRIx32, data);
    }
    tell("\n");
}

/* Print the method, and the meaning of its value. */
static void put_method(const dump *d, uint32_t class_id, uint32_t mthd, bool has_data,
                       uint32_t data)
{
    char text[512];
    if (class_id == 0 && mthd < 0x100) {
        gpucmd_nv_chip chip = log_chip(d, GPUCMD_NV_CHIP_GA102);
        if (d->nv_chip < 0 && strcmp(gpucmd_nv_host_method_name(chip, mthd), "?") == 0) {
            chip = GPUCMD_NV_CHIP_GK104; /* as the driver's names of bits */
        }
        put_host_method(chip, mthd, has_data, data);
        return;
    }
    nv_describe(class_id, mthd, data, has_data, text, sizeof text);
    if (class_id != 0) {
        tell("    class %04" PRIx32 " method 0x%04" PRIx32 " %s\n", class_id, mthd, text);
    } else {
        tell("    method 0x%04" PRIx32 " of the bound class, value 0x%08" PRIx32 "\n", mthd, data);
    }
}

/* Print the names of the bits of PBDMA_INTR_0. printed: the name that the driver has in brackets, which
 * is of GK104, or NULL. */
static void put_intr(const dump *d, uint32_t bits, const text_line *line)
{
    const gpucmd_nv_chip chip = log_chip(d, GPUCMD_NV_CHIP_GK104);
    for (unsigned bit = 0; bit < 32; bit++) {
        if ((bits >> bit & 1) == 0) {
            continue;
        }
        const char *name = gpucmd_nv_pbdma_intr_name(chip, bit);
        const char *text = gpucmd_nv_pbdma_intr_text(chip, bit);
        if (bit == 24 && strcmp(name, "?") == 0) {
            name = "ENG_RESET";
            text = "the engine was reset (GV100 and later)";
        }
        tell("    %s: %s", name, text);
        if (bit == 20 && line != NULL && line_has(line, "XBARCONNECT") &&
            strcmp(name, "XBARCONNECT") != 0) {
            tell(" (the driver prints XBARCONNECT, the name on older chips)");
        } else if (bit == 20 && d->nv_chip < 0) {
            tell(" (GV100 and later: CLEAR_FAULTED_ERROR)");
        }
        tell("\n");
    }
}

/* Print the names of the bits of PBDMA_INTR_1. Linux nouveau, gk104.c; nvgpu hw_pbdma. */
static void put_intr_1(uint32_t bits)
{
    static const struct {
        unsigned bit;
        const char *text;
    } rows[] = {
        {0,  "HCE_RE_ILLEGAL_OP: the copy engine's front end got an operation that it lacks"        },
        {1,  "HCE_RE_ALIGNB: an address is not aligned"                                             },
        {2,  "HCE_PRIV: the channel has no right to it, such as PHYSICAL addresses"                 },
        {3,  "HCE_ILLEGAL_MTHD: the copy class lacks the method"                                    },
        {4,  "HCE_ILLEGAL_CLASS: not a copy class"                                                  },
        {31,
         "CTXNOTVALID: the context of the channel's engine is not valid: never set up, or torn down"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((bits >> rows[i].bit & 1) != 0) {
            tell("    %s\n", rows[i].text);
            bits &= ~(1u << rows[i].bit);
        }
    }
    if (bits != 0) {
        tell("    INTR_1 has other bits: 0x%08" PRIx32 "\n", bits);
    }
}

/* Print HCE_DBG0 and HCE_DBG1: a method of the copy class and its value. */
static void put_copy_method(const dump *d, uint32_t dbg0, uint32_t dbg1)
{
    const gpucmd_nv_chip chip = log_chip(d, GPUCMD_NV_CHIP_GA102);
    static const struct {
        gpucmd_nv_chip since;
        uint32_t class_id;
    } rows[] = {
        {GPUCMD_NV_CHIP_GK104, 0xa0b5},
        {GPUCMD_NV_CHIP_GM107, 0xb0b5},
        {GPUCMD_NV_CHIP_GP100, 0xc0b5},
        {GPUCMD_NV_CHIP_TU102, 0xc5b5},
        {GPUCMD_NV_CHIP_GA102, 0xc7b5},
    };
    uint32_t class_id = 0xa0b5;
    char text[512];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (chip >= rows[i].since) {
            class_id = rows[i].class_id;
        }
    }
    nv_describe(class_id, dbg0 & 0x3ffc, dbg1, true, text, sizeof text);
    tell("    copy class, method 0x%04" PRIx32 " %s\n", dbg0 & 0x3ffc, text);
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
        text_line rest = {
            (char *)(uintptr_t)p, p != NULL ? (size_t)(end - p) : 0, 0, 0, 0, 0, false};
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

/* Read two groups of 8 digits after the channel: "ch 1 00000300 00003386". */
static bool take_hce_words(const text_line *line, uint64_t v[2])
{
    const char *end = line->at + line->len;
    const char *p = after(line, " ch ");
    while (p != NULL && p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    for (int i = 0; i < 2 && p != NULL; i++) {
        while (p < end && *p == ' ') {
            p++;
        }
        if (digits_of(p, end) != 8 || !take_hex(&p, end, &v[i])) {
            return false;
        }
    }
    return p == end || (p != NULL && *p == ' ');
}

/* Explain a line of the host engine, GF100 and later. */
static void put_pbdma(dump *d, const text_line *line, const nouveau_fields *f)
{
    const char *bits = after(line, "PBDMA");
    const char *end = line->at + line->len;
    uint64_t v = 0;
    uint64_t words[2];
    begin_event(d, line, "PBDMA: the host engine rejected a word or a method");
    while (bits < end && *bits != ' ') {
        bits++;
    }
    while (bits < end && *bits == ' ') {
        bits++;
    }
    if (!take_hex(&bits, end, &v)) {
        v = 0;
    }
    if (!f->has_mthd && take_hce_words(line, words)) {
        tell("    channel %" PRIu64 "\n", f->ch);
        put_intr_1((uint32_t)v);
        if ((v & 0x1f) != 0) {
            put_copy_method(d, (uint32_t)words[0], (uint32_t)words[1]);
        }
        return;
    }
    put_channel(f);
    put_intr(d, (uint32_t)v, line);
    if (f->has_mthd) {
        put_method(d, 0, (uint32_t)f->mthd, f->has_data, (uint32_t)f->data);
    }
}

/* Explain the short lines of GV100 and later: "fifo:PBDMA0: intr0 00040000", "... CTXNOTVALID chid:2". */
static bool take_short_pbdma(dump *d, const text_line *line)
{
    uint64_t v;
    if (!line_has(line, "PBDMA")) {
        return false;
    }
    if (line_has(line, "CTXNOTVALID chid:")) {
        begin_event(d, line, "PBDMA: the host engine stopped a channel");
        tell("    channel %s\n", after(line, "chid:"));
        put_intr_1(1u << 31);
        return true;
    }
    if (field_of(line, "intr0", 16, &v)) {
        begin_event(d, line, "PBDMA: the host engine rejected a word or a method");
        put_intr(d, (uint32_t)v, line);
        return true;
    }
    if (field_of(line, "intr1", 16, &v)) {
        begin_event(d, line, "PBDMA: the host engine rejected a word or a method");
        put_intr_1((uint32_t)v);
        return true;
    }
    return false;
}

/* Messages of nouveau and nvgpu that need no field. Linux 7.3, nvkm; nvgpu of L4T 36. */
static const struct {
    const char *text;
    const char *meaning;
} nv_messages[] = {
    {"mmu fault queued",            "fault of the MMU: the firmware reports it in the next lines"       },
    {"errored - disabling channel",
     "follows another error: later submissions of the channel get ENODEV"                               },
    {"job timeout, channel",
     "a job took too long, no error of the GPU was seen; later submissions get ENODEV"                  },
    {"killed",                      "follows another error: later submissions of the channel get ENODEV"},
    {"rc scheduled",                "follows another error: the channel is recovered"                   },
    {"scheduled for recovery",      "follows another error: the engine or the runlist is recovered"     },
    {"CLASS_SUBCH_MISMATCH",        "a method came on a subchannel whose class is of another engine"    },
    {"SUBCHSW_DURING_NOTIFY",       "the subchannel changed during a notify"                            },
    {"INJECTED_BUNDLE_ERROR",       "a bundle was wrong"                                                },
    {"PUSH_TOO_MUCH_DATA",          "more data came than the transfer takes"                            },
    {"PUSH_NOT_ENOUGH_DATA",        "less data came than the transfer takes"                            },
    {"TOO_FEW_PARAMS",              "a macro got too few parameters"                                    },
    {"TOO_MANY_PARAMS",             "a macro got too many parameters"                                   },
    {"LDCONST_OOB",                 "a constant beyond its buffer"                                      },
    {"OOR_ADDR",                    "a shader's address is out of range"                                },
    {"ILLEGAL_INSTR_ENCODING",      "a shader has an instruction that does not exist"                   },
    {"MISALIGNED_ADDR",             "a shader's address is not aligned"                                 },
    {"gr: TRAP",                    "a unit of the engine reports an error: see the next line"          },
    {"set gr exception notifier",   "follows another error"                                             },
    {"BIND_ERROR",                  "the runlist has a wrong entry"                                     },
    {"CHSW_ERROR",                  "the channel could not be switched"                                 },
};

/* Explain such a message. */
static bool take_nv_row(dump *d, const text_line *line)
{
    for (size_t i = 0; i < sizeof nv_messages / sizeof nv_messages[0]; i++) {
        if (line_has(line, nv_messages[i].text)) {
            begin_event(d, line, nv_messages[i].meaning);
            tell("    %s\n", line->at);
            return true;
        }
    }
    return false;
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
    } else if (take_short_pbdma(d, line)) {
        return true;
    } else if (line_has(line, "PBDMA") && line_has(line, " ch ")) {
        put_pbdma(d, line, &f);
    } else if (line_has(line, "CACHE_ERROR")) {
        begin_event(d, line, "CACHE_ERROR: no engine took a method");
        put_channel(&f);
        if (f.mthd == 0) {
            tell("    SET_OBJECT: no object has the handle 0x%08" PRIx64 "\n", f.data);
        } else {
            if (f.mthd < 0x100) {
                put_host_method(log_chip(d, GPUCMD_NV_CHIP_G80), (uint32_t)f.mthd, f.has_data,
                                (uint32_t)f.data);
            } else {
                put_method(d, (uint32_t)f.class_id, (uint32_t)f.mthd, f.has_data, (uint32_t)f.data);
            }
        }
    } else if (f.has_mthd && f.has_data) {
        begin_event(d, line, rejection_text(line));
        put_channel(&f);
        put_method(d, (uint32_t)f.class_id, (uint32_t)f.mthd, true, (uint32_t)f.data);
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

/* Explain Xid 32. */
static void put_xid_32(dump *d, const text_line *line)
{
    uint64_t v;
    uint64_t data = 0;
    begin_event(d, line, "Xid 32: the host engine found the pushbuffer bad");
    if (xid_field(line, "channel", &v) || xid_field(line, "Channel ID", &v)) {
        tell("    channel %" PRIu64 "\n", v & 0xffffff);
    }
    if (xid_field(line, "intr", &v) || xid_field(line, "intr0", &v)) {
        put_intr(d, (uint32_t)v, NULL);
    }
    if (xid_field(line, "intr1", &v)) {
        put_intr_1((uint32_t)v);
    }
    if (xid_field(line, "HCE_DBG0", &v)) {
        (void)xid_field(line, "HCE_DBG1", &data);
        put_copy_method(d, (uint32_t)v, (uint32_t)data);
    }
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
    const char *gsp = after(line, "gsp: Xid:");
    uint64_t number = 0;
    uint64_t class_id;
    uint64_t mthd;
    uint64_t data = 0;
    uint64_t v[6];
    char what[160];
    if (p == NULL && gsp == NULL) {
        return false;
    }
    if (gsp == NULL) {
        p = memchr(p, ')', (size_t)(end - p));
        if (p == NULL || match(p, end, "): %") == 0) {
            return false;
        }
        number = strtoul(p + 3, NULL, 10);
        p = memchr(p, ',', (size_t)(end - p));
    } else {
        number = strtoul(gsp, NULL, 10);
        p = gsp + span_to(gsp, end, " ") - 1;
    }
    if (xid_field(line, "Class", &class_id) && xid_field(line, "Offset", &mthd)) {
        const bool has_data = xid_field(line, "Data", &data);
        snprintf(what, sizeof what, "Xid %" PRIu64 ": %s", number,
                 number == 69 ? "the engine rejected a method (Class Error)"
                              : "exception of the graphics engine");
        begin_event(d, line, what);
        put_method(d, (uint32_t)class_id, (uint32_t)mthd, has_data, (uint32_t)data);
        if (xid_field(line, "ErrorCode", &v[0])) {
            tell("    error code 0x%02" PRIx64 " %s\n", v[0], nv_data_error((uint32_t)v[0]));
        }
    } else if (number == 13 && p != NULL && take_xid_numbers(p + 1, end, v)) {
        begin_event(d, line, "Xid 13: exception of the graphics engine");
        put_method(d, (uint32_t)v[2], (uint32_t)v[3], true, (uint32_t)v[4]);
    } else if (number == 32) {
        put_xid_32(d, line);
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
            put_intr(d, (uint32_t)w, NULL);
        }
        put_pb_header((uint32_t)v);
    } else {
        return false;
    }
    return true;
}

/* Explain the errors of nvgpu: "fe exception: esr 0x80000002, info 0x0108c7c0". */
static bool take_nvgpu_error(dump *d, const text_line *line)
{
    uint64_t esr = 0;
    uint64_t info = 0;
    uint64_t v;
    const char *p = after(line, "error notifier set to ");
    char what[160];
    if (p != NULL) {
        snprintf(what, sizeof what,
                 "follows: the driver tells the program error %lu, the number of an Xid",
                 strtoul(p, NULL, 10));
        begin_event(d, line, what);
        return true;
    }
    if (line_has(line, "class error 0x") && field_of(line, "offset", 16, &v)) {
        p = after(line, "class error ");
        (void)take_hex(&p, line->at + line->len, &info);
        begin_event(d, line, "the engine rejected a method (class error)");
        put_method(d, (uint32_t)info, (uint32_t)v, false, 0);
        if (field_of(line, "intr", 16, &esr)) {
            tell("    error code 0x%02" PRIx64 " %s\n", esr, nv_data_error((uint32_t)esr));
        }
        return true;
    }
    if (!line_has(line, "exception: esr ")) {
        return false;
    }
    p = after(line, "exception: esr ");
    (void)take_hex(&p, line->at + line->len, &esr);
    (void)field_of(line, "info", 16, &info);
    begin_event(d, line,
                line_has(line, "mme") ? "the macro engine reports an error"
                                      : "a unit of the graphics engine reports an error");
    tell("    esr 0x%08" PRIx64, esr);
    if (line_has(line, " fe exception")) {
        tell("%s\n    info 0x%08" PRIx64 ": class %04" PRIx64 ", subchannel %" PRIu64 "\n",
             (esr & 2) != 0 ? ": CLASS_SUBCH_MISMATCH: class and subchannel do not match" : "",
             info, info & 0xffff, info >> 16 & 7);
    } else if (line_has(line, "memfmt")) {
        tell("%s\n", (esr & 2) != 0 ? ": less data came than the transfer takes"
                                    : ": more data came than the transfer takes");
    } else {
        tell("%s\n", line_has(line, "mme_fe1") ? ": the meaning of its bits is not public" : "");
        if (field_of(line, "info_mthd", 16, &v) && v != 0) {
            tell("    method 0x%04" PRIx64 "\n", v & 0x3ffc);
        }
    }
    return true;
}

/* Explain "gsp: rc engn:00000001 chid:24 type:31 scope:1 part:233". */
static bool take_gsp_rc(dump *d, const text_line *line)
{
    const char *type = after(line, " type:");
    const char *chid = after(line, "chid:");
    char what[200];
    if (!line_has(line, "gsp: rc") || type == NULL) {
        return false;
    }
    snprintf(what, sizeof what, "the firmware reports error %lu, the number of an Xid: %s",
             strtoul(type, NULL, 10), xid_text(strtoul(type, NULL, 10)));
    begin_event(d, line, what);
    if (chid != NULL) {
        tell("    channel %lu of the firmware; in some kernels 8 times the number of other lines\n",
             strtoul(chid, NULL, 10));
    }
    return true;
}

/* Learn the chip of a log from a class in it. */
static void find_log_chip(dump *d, const text_lines *t)
{
    static const char *const keys[] = {"class ", "Class "};
    for (size_t i = 0; i < t->count && d->nv_chip < 0; i++) {
        for (size_t k = 0; k < 2; k++) {
            const char *end = t->lines[i].at + t->lines[i].len;
            const char *p = after(&t->lines[i], keys[k]);
            gpucmd_nv_chip chip;
            uint64_t id;
            if (p != NULL && take_hex(&p, end, &id) && nv_chip_of_class((uint32_t)id) != NULL &&
                nv_chip_of_name(nv_chip_of_class((uint32_t)id), &chip) == GPUCMD_OK) {
                d->nv_chip = (int)chip;
            }
        }
    }
}

/* Explain an entry of a GPFIFO: "gpfifo[0] = 0x0000320000100000". */
static bool take_gpfifo_entry(dump *d, const text_line *line)
{
    const char *end = line->at + line->len;
    const char *p = after(line, "gpfifo[");
    gpucmd_nv_entry entry;
    uint64_t v;
    if (p != NULL) {
        p = after(line, "= 0x");
    }
    if (p == NULL || digits_of(p, end) != 16 || !take_hex(&p, end, &v)) {
        return false;
    }
    const uint32_t dw[2] = {(uint32_t)v, (uint32_t)(v >> 32)};
    begin_event(d, line, "an entry of a GPFIFO ring");
    if (gpucmd_nv_decode_entry(dw, log_chip(d, GPUCMD_NV_CHIP_GP10B), &entry) == GPUCMD_OK &&
        !entry.is_control) {
        tell("    %" PRIu32 " words at 0x%" PRIx64 "\n", entry.len_dw, entry.va);
    } else {
        tell("    no segment: a control entry, or not an entry of this chip\n");
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
    find_log_chip(d, t);
    const bool wrapped = has_log_prefixes(t);
    log_line *joined = resize(NULL, 1, sizeof *joined);
    for (size_t i = 0; i < t->count; i++) {
        if (t->lines[i].len == 0) {
            continue;
        }
        make_log_line(t, &i, wrapped, joined);
        const text_line *line = &joined->line;
        const bool known = take_xid(d, line) || take_nvgpu(d, line) || take_nvgpu_error(d, line) ||
                           take_gsp_rc(d, line) || take_gpfifo_entry(d, line) ||
                           take_nouveau(d, line) || take_nv_row(d, line);
        if (!known && !d->beside && (line->prefix & PREFIX_NVIDIA) != 0) {
            not_explained(d, line);
        }
    }
    release(joined);
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
        {"NVRM: Xid",              "",       "nvidia-xid",  false},
        {"PBDMA_PUT",              "",       "nvgpu-debug", false},
        {"GP_PUT",                 "HEADER", "nvgpu-debug", false},
        {"RAMFC",                  "",       "nvgpu-debug", false},
        {"pbdma_intr_0(",          "",       "nvgpu-debug", false},
        {"DMA_PUSHER",             "",       "nouveau-log", false},
        {"PBDMA",                  " ch ",   "nouveau-log", false},
        {"CACHE_ERROR",            "",       "nouveau-log", false},
        {"ILLEGAL_MTHD",           "",       "nouveau-log", false},
        {"ILLEGAL_CLASS",          "",       "nouveau-log", false},
        {"DATA_ERROR",             "",       "nouveau-log", false},
        {" mthd ",                 " data ", "nouveau-log", true },
        {"SCHED_ERROR",            "",       "nouveau-log", false},
        {"fault at 0x",            "",       "nouveau-log", true },
        {"fault ",                 "] at ",  "nouveau-log", true },
        {"PBDMA",                  "intr",   "nouveau-log", false},
        {"PBDMA",                  "CTXNOT", "nouveau-log", false},
        {"gsp: Xid:",              "",       "nvidia-xid",  false},
        {"gsp: rc",                "chid:",  "nvidia-xid",  false},
        {"exception: esr ",        "",       "nvgpu-debug", false},
        {"class error 0x",         "",       "nvgpu-debug", false},
        {"error notifier set to ", "",       "nvgpu-debug", false},
        {"gr: DISPATCH",           "",       "nouveau-log", false},
        {"gr: TRAP",               "",       "nouveau-log", false},
        {"gpfifo[",                "= 0x",   "nvgpu-debug", false},
    };
    const bool own = strcmp(d->vendor, "nv") == 0;
    for (size_t i = 0; i < t->count; i++) {
        const bool text = has_text(&t->lines[i]);
        for (size_t k = 0; k < sizeof words / sizeof words[0] && text; k++) {
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
        const bool text = has_text(&t->lines[i]);
        for (size_t k = 0; k < sizeof words / sizeof words[0] && text; k++) {
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
