/* Random streams in each shape that tools print, with what people and programs put around them: the
 * reader must find the same words, or say that it did not. Usage: shapes COUNT [SEED [SHAPE [damage]]].
 * SHAPE: its number, or 99 for all. With damage, each text has one typing error in a digit.
 * A line for each shape: texts, right, refused or told as damaged, read wrongly. */
int dump_main(int argc, char **argv);
#define main dump_main
#include "../../examples/gpucmd-dump/gpucmd-dump.c"
#undef main

enum { WORDS = 80, ROOM = 1 << 16 };

static uint64_t seed = 1;

/* Return a number below n. */
static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 24) % n;
}

/* ---- the stream ---- */

static uint32_t words[WORDS];
static uint8_t memory_bytes[4 * WORDS];
static uint32_t count;

static void word(uint32_t w)
{
    words[count++] = w;
}

/* Commands of gen9 with random operands, and the end of the batch. */
static void make_stream(void)
{
    count = 0;
    const uint32_t most = 5 + below(WORDS - 16);
    while (count < most) {
        switch (below(5)) {
        case 0:
            word(0x7a000004);
            word(0x00101000 | below(2) << 7);
            word(below(0x1000) << 12);
            for (int i = 0; i < 3; i++) {
                word(i == 1 ? below(0xffffffff) : 0);
            }
            break;
        case 1:
            word(0x10000002);
            word(below(0x10000) << 4);
            word(0);
            word(below(0xffffffff));
            break;
        case 2:
            word(0x11000001);
            word(0x2600 + 4 * below(16));
            word(below(0xffffffff));
            break;
        case 3: word(0); break;
        case 4:
            word(0x14800002);
            word(0x2358);
            word(below(0x10000) << 3);
            word(0);
            break;
        }
    }
    word(0x05000000);
    while (count % 4 != 0) {
        word(0);
    }
    gpucmd_store_words(memory_bytes, words, count, GPUCMD_LITTLE_ENDIAN);
}

/* ---- the text ---- */

static char text[ROOM];
static size_t text_len;
static const char *line_prefix; /* before each line */
static const char *line_end_text;
static bool at_line;

static void put(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 1, 2)))
#endif
    ;

static void put(const char *format, ...)
{
    char piece[512];
    va_list list;
    va_start(list, format);
    vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    for (const char *p = piece; *p != '\0' && text_len + 64 < ROOM; p++) {
        if (at_line) {
            text_len += (size_t)snprintf(text + text_len, ROOM - text_len, "%s", line_prefix);
            at_line = false;
        }
        if (*p == '\n') {
            text_len += (size_t)snprintf(text + text_len, ROOM - text_len, "%s", line_end_text);
            at_line = true;
        } else {
            text[text_len++] = *p;
        }
    }
}

/* Put the characters of bytes, as dumps do. */
static void put_chars(const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put("%c", b[i] >= 0x20 && b[i] < 0x7f && b[i] != '<' && b[i] != '&' ? b[i] : '.');
    }
}

/* Put n bytes as groups of size bytes: numbers, or in memory order. */
static void put_groups(const uint8_t *b, size_t n, size_t size, bool memory_order,
                       const char *before, const char *between)
{
    for (size_t i = 0; i < n; i += size) {
        put("%s%s", i != 0 ? between : "", before);
        for (size_t k = 0; k < size; k++) {
            put("%02x", b[i + (memory_order ? k : size - 1 - k)]);
        }
    }
}

static uint64_t base_address(void)
{
    static const uint64_t bases[] = {0, 0x1000, 0x404000, 0xfffe1000, 0x7ffff7fc0000};
    return bases[below(5)];
}

static void shape_0x_lines(void)
{
    for (uint32_t i = 0; i < count; i++) {
        put("0x%08x%s\n", words[i], below(2) ? "," : "");
    }
}

static void shape_c_array(void)
{
    put("static const uint32_t batch[] = {\n");
    for (uint32_t i = 0; i < count; i++) {
        put("%s0x%x%s", i % 4 == 0 ? "    " : " ", words[i], i % 4 == 3 ? ",\n" : ",");
    }
    put("};\n");
}

static void shape_bare(void)
{
    for (uint32_t i = 0; i < count; i++) {
        put("%08x%c", words[i], i % 4 == 3 ? '\n' : ' ');
    }
}

static void shape_xxd(void)
{
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("%08x: ", i);
        put_groups(memory_bytes + i, 16, 2, true, "", " ");
        put("  ");
        put_chars(memory_bytes + i, 16);
        put("\n");
    }
}

static void shape_hexdump_c(void)
{
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("%08x  ", i);
        put_groups(memory_bytes + i, 8, 1, true, "", " ");
        put("  ");
        put_groups(memory_bytes + i + 8, 8, 1, true, "", " ");
        put("  |");
        put_chars(memory_bytes + i, 16);
        put("|\n");
    }
    put("%08x\n", 4 * count);
}

static void shape_od_x4(void)
{
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("%07o ", i);
        put_groups(memory_bytes + i, 16, 4, false, "", " ");
        put("\n");
    }
    put("%07o\n", 4 * count);
}

static void shape_gdb_xw(void)
{
    const uint64_t base = base_address() + 0x1000;
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("0x%" PRIx64 "%s:\t", base + i, i == 0 && below(2) ? " <batch>" : "");
        put_groups(memory_bytes + i, 16, 4, false, "0x", "\t");
        put("\n");
    }
}

static void shape_gdb_xb(void)
{
    const uint64_t base = base_address() + 0x1000;
    for (uint32_t i = 0; i < 4 * count; i += 8) {
        put("0x%" PRIx64 ":\t", base + i);
        put_groups(memory_bytes + i, 8, 1, true, "0x", "\t");
        put("\n");
    }
}

static void shape_lldb(void)
{
    const uint64_t base = base_address() + 0x1000;
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("0x%08" PRIx64 ": ", base + i);
        put_groups(memory_bytes + i, 16, 1, true, "", " ");
        put("  ");
        put_chars(memory_bytes + i, 16);
        put("\n");
    }
}

static void windbg_address(uint64_t at)
{
    put("%08" PRIx64 "`%08" PRIx64 "  ", at >> 32, at & 0xffffffff);
}

static void shape_windbg(void)
{
    const uint64_t base = base_address();
    const uint32_t form = below(3);
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        windbg_address(base + i);
        if (form == 0) {
            put_groups(memory_bytes + i, 8, 1, true, "", " ");
            put("-");
            put_groups(memory_bytes + i + 8, 8, 1, true, "", " ");
            put("  ");
            put_chars(memory_bytes + i, 16);
        } else if (form == 1) {
            put_groups(memory_bytes + i, 16, 4, false, "", " ");
        } else {
            put("%08x`%08x %08x`%08x", words[i / 4 + 1], words[i / 4], words[i / 4 + 3],
                words[i / 4 + 2]);
        }
        put("\n");
    }
}

static void shape_dmem(void)
{
    put("Memory Address 0000000080200000 %X Bytes\n", 4 * count);
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("  %08X: ", 0x80200000 + i);
        put_groups(memory_bytes + i, 8, 1, true, "", " ");
        put("-");
        put_groups(memory_bytes + i + 8, 8, 1, true, "", " ");
        put("  *");
        put_chars(memory_bytes + i, 16);
        put("*\n");
    }
}

/* print_hex_dump of Linux: a prefix, offsets or not, groups of 1, 2, 4 or 8 bytes, characters or not. */
static void shape_print_hex_dump(void)
{
    static const char *const prefixes[] = {"batch: ", "[drm] cmds ", "", "ring rcs0: "};
    const char *prefix = prefixes[below(4)];
    size_t size = (size_t)1 << below(4);
    const bool chars = below(2) != 0;
    if (size == 2 && prefix[0] == '\0' && !chars) {
        size = 4; /* groups of two bytes look like those of xxd, which are in memory order */
    }
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("%s%08x: ", prefix, i);
        put_groups(memory_bytes + i, 16, size, size == 1, "", " ");
        if (chars) {
            put("  ");
            put_chars(memory_bytes + i, 16);
        }
        put("\n");
    }
}

static void shape_ph(void)
{
    static const char *const between[] = {" ", ":", "-"};
    count = lesser(count, 16);
    words[count - 1] = 0x05000000;
    gpucmd_store_words(memory_bytes, words, count, GPUCMD_LITTLE_ENDIAN);
    put("i915: cmd ");
    put_groups(memory_bytes, 4 * count, 1, true, "", between[below(3)]);
    put("\n");
}

/* A slice of Go with %08x, one of Rust with {:x?}, and one with 0x. A list in hex without a letter
 * and without 0x is also one of decimals, which nobody can tell: it gets 0x. */
static void shape_go(void)
{
    static const char *const formats[] = {"%08x", "%x", "0x%x"};
    uint32_t form = below(3);
    char number[16];
    bool letter = false;
    for (uint32_t i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%x", words[i]);
        letter = letter || strpbrk(number, "abcdef") != NULL;
    }
    if (form == 1 && !letter) {
        form = 2;
    }
    put("[");
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0) {
            put(form == 0 ? " " : ", ");
        }
        snprintf(number, sizeof number, formats[form], words[i]);
        put("%s", number);
    }
    put("]\n");
}

static void shape_qemu(void)
{
    const uint64_t base = base_address();
    put("(qemu) xp /%uwx 0x%" PRIx64 "\n", count, base);
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("%016" PRIx64 ": ", base + i);
        put_groups(memory_bytes + i, 16, 4, false, "0x", " ");
        put("\n");
    }
}

static void shape_strace(void)
{
    const bool hex = below(2) != 0;
    put("read(3, \"");
    for (uint32_t i = 0; i < 4 * count; i++) {
        const uint8_t b = memory_bytes[i];
        const uint8_t next = i + 1 < 4 * count ? memory_bytes[i + 1] : 0;
        if (hex) {
            put("\\x%02x", b);
        } else if (b >= 0x20 && b < 0x7f && b != '"' && b != '\\') {
            put("%c", b);
        } else if (next >= '0' && next <= '7') {
            put("\\%03o", b);
        } else {
            put("\\%o", b);
        }
    }
    put("\", %u) = %u\n", 4 * count, 4 * count);
}

static void shape_fromhex(void)
{
    put("batch = bytes.fromhex(\"");
    put_groups(memory_bytes, 4 * count, 1, true, "", " ");
    put("\")\n");
}

static void shape_xxd_p(void)
{
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put_groups(memory_bytes + i, 16, 1, true, "", "");
        put("\n");
    }
}

static void shape_masm(void)
{
    for (uint32_t i = 0; i < count; i++) {
        put("    dd 0%08xh\n", words[i]);
    }
}

static void shape_assignments(void)
{
    for (uint32_t i = 0; i < count; i++) {
        put("\t*cs++ = 0x%x;\n", words[i]);
    }
}

static void shape_titled(void)
{
    put("[HEX_DUMP] batch of rcs0\n");
    for (uint32_t i = 0; i < 4 * count; i += 16) {
        put("    %04x: ", i);
        put_groups(memory_bytes + i, 16, 1, true, "", " ");
        put("\n");
    }
}

static void shape_json(void)
{
    put("{\"words\": [");
    for (uint32_t i = 0; i < count; i++) {
        put("%s%u", i != 0 ? ", " : "", words[i]);
    }
    put("]}\n");
}

static const struct {
    const char *name;
    void (*fn)(void);
    bool fixed; /* groups have a fixed number of digits, so that a digit too few is seen */
} shapes[] = {
    {"0x, one a line",   shape_0x_lines,       true },
    {"C array",          shape_c_array,        false},
    {"bare words",       shape_bare,           true },
    {"xxd",              shape_xxd,            true },
    {"hexdump -C",       shape_hexdump_c,      true },
    {"od -t x4",         shape_od_x4,          true },
    {"gdb x/xw",         shape_gdb_xw,         true },
    {"gdb x/xb",         shape_gdb_xb,         true },
    {"lldb",             shape_lldb,           true },
    {"WinDbg",           shape_windbg,         true },
    {"UEFI dmem",        shape_dmem,           true },
    {"print_hex_dump",   shape_print_hex_dump, true },
    {"%*ph",             shape_ph,             false},
    {"Go and Rust",      shape_go,             false},
    {"QEMU xp",          shape_qemu,           true },
    {"strace",           shape_strace,         false},
    {"bytes.fromhex",    shape_fromhex,        false},
    {"xxd -p",           shape_xxd_p,          false},
    {"MASM",             shape_masm,           false},
    {"assignments",      shape_assignments,    false},
    {"titled, indented", shape_titled,         true },
    {"JSON",             shape_json,           false},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Put the shape, with noise around it. */
static void make_input(uint32_t shape)
{
    static const char *const prefixes[] = {"", "", "", "> ", "[   12.345678] "};
    static const char *const ends[] = {"\n", "\n", "\r\n"};
    const uint32_t around = below(4);
    text_len = 0;
    at_line = true;
    line_prefix = "";
    line_end_text = ends[below(3)];
    if (around == 1) {
        put("Hello,\nmy GPU hangs. Here is what I see:\n\n```\n");
    } else if (around == 2) {
        put("<html><body><p>Dump:</p><pre>\n");
    }
    line_prefix = prefixes[below(5)];
    shapes[shape].fn();
    line_prefix = "";
    if (around == 1) {
        put("```\nRegards\n");
    } else if (around == 2) {
        put("</pre></body></html>\n");
    }
}

/* Delete a hex digit in a group of the text, double one, or replace one by another letter. Return false
 * if there is none. */
static bool damage_text(void)
{
    for (uint32_t tries = 0; tries < 200; tries++) {
        const size_t at = 1 + below((uint32_t)text_len - 2);
        if (hex_digit(text[at - 1]) >= 16 || hex_digit(text[at]) >= 16 || text[at] == 'h') {
            continue;
        }
        switch (below(3)) {
        case 0: memmove(text + at, text + at + 1, --text_len - at); break;
        case 1: memmove(text + at + 1, text + at, text_len++ - at); break;
        default: text[at] = "gOlz"[below(4)]; break;
        }
        return true;
    }
    return false;
}

/* Read the text. Return 0: the words are there; 1: not, and it is told; 2: not, and nothing is told. */
static int read_words_back(void)
{
    settings set;
    dump_input in;
    dump d;
    int result = 1;
    memset(&set, 0, sizeof set);
    memset(&in, 0, sizeof in);
    memset(&d, 0, sizeof d);
    set.program = "";
    set.vendor = "i915";
    set.gen = GPUCMD_I915_GEN9;
    set.format = FORMAT_TSV;
    d.name = "input";
    d.vendor = set.vendor;
    d.format = "raw";
    nv_names.tried = true;
    dump_quiet = true;
    in.b.len = text_len;
    in.b.data = resize(NULL, text_len + 1, 1);
    memcpy(in.b.data, text, text_len);
    const int status = read_bytes(&set, &auto_format, &d, &in, i915_misfit);
    if (status == EXIT_FINE && stream_count(&d) != 0) {
        const stream *s = &d.streams[0];
        const bool same = stream_count(&d) == 1 && s->len_dw == count && s->unknown == NULL &&
                          memcmp(s->dw, words, 4 * (size_t)count) == 0;
        if (same && d.damage == 0) {
            result = 0;
        } else if (d.damage == 0 && !d.doubtful) {
            result = 2;
        }
    }
    free_dump(&d);
    release_bytes(&in.b);
    return result;
}

int main(int argc, char **argv)
{
    static uint32_t results[SHAPES][3];
    const uint32_t texts = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 2000;
    const uint32_t only = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 0) : SHAPES;
    const bool damage = argc > 4;
    uint32_t passed = 0;
    uint32_t wrong = 0;
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 0) | 1;
    }
    event_to = stderr;
    for (uint32_t i = 0; i < texts; i++) {
        const uint32_t shape = only < SHAPES ? only : i % SHAPES;
        make_stream();
        make_input(shape);
        if (damage && (!shapes[shape].fixed || !damage_text())) {
            continue;
        }
        const int result = read_words_back();
        results[shape][result]++;
        passed += result != 2;
        wrong += result == 2;
        if (result == 2 && results[shape][2] <= 3) {
            printf("    FAIL: read wrongly: %s\n%.*s\n", shapes[shape].name,
                   (int)lesser(text_len, 600), text);
        }
        if (only < SHAPES && result == 1 && results[shape][1] <= 3) {
            printf("    told:\n%.*s\n", (int)lesser(text_len, 600), text);
        }
    }
    for (uint32_t i = 0; i < SHAPES; i++) {
        const uint32_t *r = results[i];
        printf("    %-18s %6u texts, %6u right, %5u told, %5u wrong\n", shapes[i].name,
               r[0] + r[1] + r[2], r[0], r[1], r[2]);
    }
    printf("dump_shapes: %u passed, %u failed\n", passed, wrong);
    return wrong != 0;
}
