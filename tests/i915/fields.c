/* The fields of every command, in every generation, against a table typed from the sources: Mesa's lists
 * of gen4 to gen30 [GX], Intel's media driver and compute runtime, the kernels i915 and xe, libdrm; the
 * 2D commands before gen9 from Intel's manuals. A row of the header is right if its dword, its first and
 * last bit, its first and last generation are those of the table. */
#include "gpucmd_i915.h"
#include "test.h"

/* A row is: NAME, then groups. `8+` and `4..7_5` are the generations of the words after it. `2:31-16,5`
 * is word 2 with the fields 31:16 and 5. `2:` is word 2 with one field of 32 bits, `2-4:` words 2 to 4. */
#define XY(n)      " " #n ":31-16,15-0"
#define BR13       " 1:31,30,29-28,25-24,23-16,15-0" XY(2) XY(3) " 4:"
#define RGBA       " 2..12_5 0:21,20" BR13
#define TILED      " 4..12_5 0:11"
#define PATTERN    " 2..12_5 0:14-12,10-8" TILED
#define OLD        " 2..7_5"
#define LAST       " 8..12_5 5:"
#define SURFACE(n) " " #n ":31-29,27-14,13-0"
#define LEVELS(n)  " " #n ":31-21,18-4,3-0"
#define TARGET(n)  " " #n ":29-16,13-0"
#define CLEAR(n)   " " #n ":31-6,5,4-0"
static const char *const table[] = {
    "MI_NOOP 2+ 0:22,21-0",
    "MI_SET_PREDICATE 7_5..7_5 0:1-0 8+ 0:3-0 12_5+ 0:5-4",
    "MI_USER_INTERRUPT",
    "MI_WAIT_FOR_EVENT 2..5 0:1,2,3,4,5,6,7,8,12-9,13,14,16,17,18 6..8 0:0,1,2,3,8,9,10,11"
    " 6..7_5 0:5,13,19-16 7..8 0:14,15,20,21 7..7_5 0:22"
    " 9..30 0:0,1,2,3,6,7,8,9,10,11,14,15,16,17,18,19,20,21",
    "MI_FLUSH 2..9 0:1,2,3 2..3 0:0,4 4_5..9 0:5 5..9 0:4 5..5 0:6",
    "MI_WAIT_FOR_EVENT_2 11..30 0:5-0,10-8,14-12",
    "MI_ARB_CHECK 12+ 0:15-8,0 35+ 0:1",
    "MI_RS_CONTROL 7_5..30 0:0",
    "MI_REPORT_HEAD",
    "MI_ARB_ON_OFF 3+ 0:0 11+ 0:1",
    "MI_URB_ATOMIC_ALLOC 7_5..9 0:19-12,8-0",
    "MI_MEM_FENCE 20+ 0:1-0 12_6..12_6 0:0",
    "MI_BATCH_BUFFER_END 11+ 0:0 12_5+ 0:15",
    "MI_SUSPEND_FLUSH 5..30 0:0",
    "MI_PREDICATE 7..30 0:7-6,4-3,1-0",
    "MI_TOPOLOGY_FILTER 7+ 0:5-0",
    "MI_SET_APPID 7+ 0:7,6-0",
    "MI_RS_CONTEXT 7_5..30 0:0",
    "MI_OVERLAY_FLIP 2..3 0:22-21 1:31-2",
    "MI_LOAD_SCAN_LINES_INCL 2..30 1:28-16,12-0 2..5 0:20 6..30 0:21-19 8..30 0:18-17",
    "MI_LOAD_SCAN_LINES_EXCL 2..30 1:28-16,12-0 2..5 0:20 6..30 0:21-19",
    "MI_DISPLAY_FLIP 2..3 0:22 2..6 0:21-20 1: 2: 4..6 3: 7..8 0:21-19 1:15-6,0 2:31-12,1-0"
    " 9..30 0:22 1:31,15-6,2-0 2:31-12,1-0 3:31-12 9..9 0:12-8 11..30 0:13-8 2:11",
    "MI_SEMAPHORE_MBOX 6..7_5 0:22,21,20,18,17-16 1: 2:31-2 7_5..7_5 0:13-8",
    "MI_VERTEX_BUFFER 2..2 1:",
    "MI_SET_CONTEXT 4..30 1:31-12,8,4,3,2,1,0 6..6 1:9",
    "MI_URB_CLEAR 6..7 1:28-16,13-0 7_5..8 1:29-16,14-0",
    "MI_MATH 12_5+ 0:15,14-8",
    "MI_SEMAPHORE_SIGNAL 8..30 0:21 1: 8..9 0:17-15 11..30 0:18-15",
    "MI_SEMAPHORE_WAIT 8+ 0:22,15,14-12 1: 2:31-2 3: 9+ 0:16 12_5+ 0:18,17 12..12_5 4:9-5 12_6+ 4:9-2"
    " 12_6..12_6 0:9-8 4:31-22 35+ 0:19,11",
    "MI_FORCE_WAKEUP 9+ 1:31-16,1,0 11+ 1:4,3,2 12+ 1:9,8",
    "MI_STORE_DATA_IMM 2+ 0:22 2..3 1:31-2 2: 4..4_5 0:21 4..5 1:3-0 4..7_5 2:31-2 3: 4: 6..7_5 2:0"
    " 8+ 0:21 1:31-2,0 2: 3: 12..12_5 0:20,19-13 12+ 0:10 12_5+ 0:11",
    "MI_STORE_DATA_INDEX 2..30 1:11-2 2: 3: 8..30 0:21",
    "MI_LOAD_REGISTER_IMM 3+ 0:11-8 8+ 0:12 11+ 0:19 12+ 0:17",
    "MI_UPDATE_GTT 4_5..7_5 0:22 4_5..9 1:31-12",
    "MI_STORE_REGISTER_MEM 3+ 0:22 1:22-2 2:31-2 4..4_5 1:31-28 7_5+ 0:21 8+ 3: 11+ 0:19 12+ 0:17"
    " 12_5+ 0:16 12_5..12_5 0:15,14-8",
    "MI_FLUSH_DW 6+ 0:22,21,18,15-14,8,7 1:31-3,2 2: 3: 6..7_5 0:17 8+ 4: 9+ 0:9 12+ 0:16 20+ 0:19",
    "MI_CLFLUSH 6..30 0:22 1:31-12,11-6 7..7_5 2:15-0 8..30 2:",
    "MI_REPORT_PERF_COUNT 5+ 1:31-6,4,0 2: 8+ 3:",
    "MI_LOAD_REGISTER_MEM 7+ 0:22,21 1:22-2 2:31-2 8+ 3: 11+ 0:20,19 12+ 0:17 12_5+ 0:16"
    " 12..12_5 0:15,14-8",
    "MI_LOAD_REGISTER_REG 7_5+ 1:22-2 2:22-2 11+ 0:19,18 12+ 0:17,16",
    "MI_RS_STORE_DATA_IMM 7_5..30 3: 7_5..7_5 2:31-2,0 8..30 1:31-2,0 2:",
    "MI_LOAD_URB_MEM 7_5..9 1:14-2 2:31-6 8..9 3:",
    "MI_STORE_URB_MEM 7_5..9 1:14-2 2:31-6 8..9 3:",
    "MI_COPY_MEM_MEM 8+ 0:22,21 1:31-2 2: 3:31-2 4: 12..12_5 0:20-15,14,13-8",
    "MI_ATOMIC 8+ 0:22,21,20-19,18,17,16,15-8 1:31-2 2-10: 12_5+ 1:0",
    "MI_BATCH_BUFFER 2..3 1:31-3,0 2:31-3",
    "MI_BATCH_BUFFER_START 2+ 1:31-2 2..3 0:7-6 1:0 4..5 0:8,7 6+ 0:8 6..7_5 0:11 7_5..7_5 0:13"
    " 7_5+ 0:22,15,10 7_5..9 0:16 12_5..12_7 0:16 12+ 0:21,20,19 8+ 2:"
    " 12_6..12_6 0:18 20+ 0:18",
    "MI_CONDITIONAL_BATCH_BUFFER_END 6+ 0:22,21 1: 2:31-3 8+ 3: 9+ 0:19 12+ 0:18,14-12 12_5+ 0:15 20+ 0:20",
    "MI_SEMAPHORE_WAIT_64 35+ 0:22,21,20,19,18,17,16,15,14-12,11,10-8 1-2: 3:31-2 4-6:",
    "GSC_HECI_CMD_PKT 12_7+ 1-6:",
    "GSC_FW_LOAD 12_7+ 1-2: 3:31,30-0",
    "XY_SETUP_BLT" RGBA OLD " 5-7:" LAST " 6-9:" TILED,
    "XY_SETUP_CLIP_BLT 2..12_5" XY(1) XY(2) TILED,
    "XY_SETUP_MONO_PATTERN_SL_BLT" RGBA OLD " 5-8:" LAST " 6-9:" TILED,
    "XY_PIXEL_BLT 2..12_5" XY(1) TILED,
    "XY_SCANLINES_BLT 2..12_5" XY(1) XY(2) PATTERN,
    "XY_TEXT_BLT 2..12_5 0:16" XY(1) XY(2) " 3: 8..12_5 4:" TILED,
    "XY_TEXT_IMMEDIATE_BLT 2..12_5 0:16" XY(1) XY(2) " 4..5 0:21,20" TILED,
    "COLOR_BLT 2..12_5 0:21,20 1:25-24,23-16,15-0" XY(2) " 3-4: 8..12_5 5:",
    "XY_BLOCK_COPY_BLT 12+ 0:21-19 1:31-30,17-0" XY(2)
        XY(3) " 4-5:" TARGET(6) " 6:31" XY(7) " 8:31-30,17-0 9-10:" TARGET(
            11) " 11:31 12..12_7 1:27-21 8:27-21 12_5..12_7 1:29,28,20-18"
                " 8:29,28,20-18 18:18 21:18 20+ 1:27-24,21 8:27-24,21 12_5+ 0:13-12,11-9" CLEAR(
                    12) " 13:" CLEAR(14) " 15:" SURFACE(16)
                    LEVELS(17) " 18:31-21,11-8,4-3,1-0" SURFACE(19)
                        LEVELS(20) " 21:31-21,11-8,4-3,1-0",
    "XY_FAST_COPY_BLT 9..30 0:21-20,14-13 1:26-24,15-0" XY(2) XY(3) " 4-5:" XY(
        6) " 7:15-0 8-9:"
           " 9..12 0:19-17,16-15,12-10,9-8 9..12_7 1:29,28 12_5..30 1:31,30 20..30 1:23-20,17 7:23-20,17",
    "SRC_COPY_BLT 2..12_5 0:21,20 1:30,25-24,23-16,15-0" XY(2) " 3:" OLD
                                                               " 4:15-0 5: 8..12_5 4: 5:15-0 6-7:",
    "XY_FAST_COLOR_BLT 12+ 0:21-19 1:31-30,17-0" XY(2)
        XY(3) " 4-5:" TARGET(6) " 6:31 7-10: 12..12_7 1:27-21 12_5+ 0:13-12" SURFACE(13)
            LEVELS(14) " 15:31-21,18,11-8,4-3,1-0 12_5..12_7 1:29,28,20-18" CLEAR(
                11) " 12:"
                    " 20+ 0:11-9 1:27-24,21 11:3-0 12:31-29,8-0",
    "XY_CTRL_SURF_COPY_BLT 12_5+ 0:21,20 1: 2:24-0 3: 4:24-0 12_5..12_7 0:17-8 2:31-25 4:31-25"
    " 20+ 0:18-9 2:31-28,27-25 4:31-28,27-25",
    "XY_COLOR_BLT" RGBA OLD " 5:" LAST " 6:" TILED,
    "XY_PAT_BLT" RGBA OLD " 5:" LAST " 6-7:" PATTERN,
    "XY_MONO_PAT_BLT" RGBA OLD " 5-8:" LAST " 6-9:" PATTERN,
    "XY_SRC_COPY_BLT" RGBA " 4..12_5 0:15" OLD XY(5) " 6:15-0 7:" LAST XY(6) " 7:15-0 8-9:" TILED,
    "XY_MONO_SRC_COPY_BLT" RGBA " 0:19-17" OLD " 5-7:" LAST " 6-9:" TILED,
    "XY_FULL_BLT" RGBA " 4..12_5 0:15" OLD " 5:15-0" XY(6) " 7-8:" LAST
                                                           " 6:15-0" XY(7) " 8-11:" PATTERN,
    "XY_FULL_MONO_SRC_BLT" RGBA " 0:19-17" OLD " 5-8:" LAST " 6-11:" PATTERN,
    "XY_FULL_MONO_PATTERN_BLT" RGBA " 4..12_5 0:15" OLD
    " 5:15-0" XY(6) " 7-11:" LAST " 6:15-0" XY(7) " 8-13:" PATTERN,
    "XY_FULL_MONO_PATTERN_MONO_SRC_BLT" RGBA " 0:19-17" OLD " 5-11:" LAST " 6-13:" PATTERN,
    "XY_MONO_PAT_FIXED_BLT" RGBA " 0:18-15" OLD " 5-6:" LAST " 6-7:" PATTERN,
    "MEM_COPY 12_6+ 0:18-17 2:17-0 3:17-0 4:17-0 5-8: 12_6..12_6 0:16,15,13,12-8 1:17-0 9:31-25,6-0"
    " 20+ 0:19,12-9 1:23-0 9:31-28,25,6-3,0",
    "MEM_SET 12_6+ 0:18-17 2:17-0 3:17-0 4-5: 6:31-24 12_6..12_6 0:15,13,12-8 1:17-0 6:6-0"
    " 20+ 0:20-19,12-9 1:23-0 6:6-3,0",
    "XY_MONO_SRC_COPY_IMMEDIATE_BLT" RGBA " 0:19-17" OLD " 5-6:" LAST " 6-7:" TILED,
    "XY_PAT_BLT_IMMEDIATE" RGBA LAST PATTERN,
    "XY_SRC_COPY_CHROMA_BLT" RGBA
    " 0:19-17 4..12_5 0:15" OLD XY(5) " 6:15-0 7-9:" LAST XY(6) " 7:15-0 8-11:" TILED,
    "XY_FULL_IMMEDIATE_PATTERN_BLT" RGBA " 4..12_5 0:15" OLD
    " 5:15-0" XY(6) " 7:" LAST " 6:15-0" XY(7) " 8-9:" PATTERN,
    "XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT" RGBA " 0:19-17" OLD " 5-7:" LAST " 6-9:" PATTERN,
    "XY_PAT_CHROMA_BLT" RGBA " 0:19-17" OLD " 5-7:" LAST " 6-9:" PATTERN,
    "XY_PAT_CHROMA_BLT_IMMEDIATE" RGBA " 0:19-17" OLD " 5-6:" LAST " 6-7:" PATTERN,
    "PIPE_CONTROL 4..5 0:15-14,13,12,11,8 1:31-3,2 2: 3: 4_5..5 0:10,9 5..5 1:1,0"
    " 6+ 1:0,1,2,3,4,5,8,9,10,11,12,13,15-14,16,18,19,20,21 6..6 1:17 2:31-3,2 7+ 1:7,23,24 2:31-2"
    " 6..7_5 3-4: 8+ 1:27 3-5: 9..30 1:26 11+ 1:17,28,29 12+ 0:9,10 1:22,25 12..30 1:30"
    " 12..12_5 0:12 12_5+ 0:8,11,13,14 1:6,31 35+ 0:12,15",
};

enum { WORDS_MAX = 32, GENS_MAX = 18 };

#define GEN(name, number, ...) {#name, number},
static const struct {
    char name[5];
    int number;
} gens[] = {GPUCMD_I915_GENS(GEN)};

#define COMMAND(x, name, ...) {#name, GPUCMD_I915_OP_##name},
static const struct {
    const char *name;
    uint32_t op;
} commands[] = {GPUCMD_I915_COMMANDS(COMMAND, )};

#define FIELD(x, name, dw, hi, lo, since, until)                                                   \
    {GPUCMD_I915_OP##x, dw, hi, lo, GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until},
static const struct {
    uint32_t op, dw, hi, lo;
    int since, until;
} fields[] = {GPUCMD_I915_FIELDS(FIELD)};

/* The bits of each word that a field has, and the lowest bit of each field. */
typedef struct bits {
    uint32_t legal, lowest;
} bits;
static bits want[GENS_MAX][WORDS_MAX], got[GENS_MAX][WORDS_MAX];

static uint32_t number(const char **at)
{
    uint32_t n = 0;
    while (**at >= '0' && **at <= '9') {
        n = n * 10 + (uint32_t)(*(*at)++ - '0');
    }
    return n;
}

static size_t generation(const char **at)
{
    for (size_t g = 0; g < GENS_MAX; g++) {
        const size_t len = strlen(gens[g].name);
        if (strncmp(*at, gens[g].name, len) == 0 && strchr("+. ", (*at)[len]) != NULL) {
            *at += len;
            return g;
        }
    }
    CHECK(*at == NULL); /* not a generation */
    return 0;
}

static void add(bits words[GENS_MAX][WORDS_MAX], size_t since, size_t until, uint32_t dw,
                uint32_t hi, uint32_t lo)
{
    for (size_t g = since; g <= until; g++) {
        const uint32_t mask = (0xffffffffu >> (31 - hi + lo)) << lo;
        CHECK((words[g][dw].legal & mask) == 0);
        words[g][dw].legal |= mask;
        words[g][dw].lowest |= 1u << lo;
    }
}

/* Read one group: generations, or a word with its fields. */
static void group(const char **at, size_t *since, size_t *until)
{
    const char *colon = *at;
    uint32_t dw, last;
    while (*colon != ':' && *colon != ' ' && *colon != '\0') {
        colon++;
    }
    if (*colon != ':') {
        *since = generation(at);
        *until = GENS_MAX - 1;
        if (**at == '+') {
            ++*at;
        } else {
            *at += 2;
            *until = generation(at);
        }
        return;
    }
    dw = last = number(at);
    if (**at == '-') {
        ++*at;
        last = number(at);
    }
    ++*at;
    if (**at == ' ' || **at == '\0') {
        for (; dw <= last; dw++) {
            add(want, *since, *until, dw, 31, 0);
        }
        return;
    }
    for (;; ++*at) {
        const uint32_t hi = number(at);
        uint32_t lo = hi;
        if (**at == '-') {
            ++*at;
            lo = number(at);
        }
        add(want, *since, *until, dw, hi, lo);
        if (**at != ',') {
            return;
        }
    }
}

static void command(const char *row, const char *name, uint32_t op)
{
    const size_t len = strlen(name);
    size_t since = 0, until = 0;
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    CHECK(strncmp(row, name, len) == 0 && (row[len] == ' ' || row[len] == '\0'));
    for (row += len; *row == ' ';) {
        row++;
        group(&row, &since, &until);
    }
    CHECK(*row == '\0');
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        for (size_t g = 0; g < GENS_MAX && fields[i].op == op; g++) {
            if (fields[i].since <= gens[g].number && gens[g].number <= fields[i].until) {
                add(got, g, g, fields[i].dw, fields[i].hi, fields[i].lo);
            }
        }
    }
    for (size_t g = 0; g < GENS_MAX; g++) {
        for (size_t dw = 0; dw < WORDS_MAX; dw++) {
            const bits *a = &got[g][dw], *b = &want[g][dw];
            if (!CHECK(a->legal == b->legal && a->lowest == b->lowest)) {
                printf(
                    "    %s gen %s word %u: bits 0x%08x from 0x%08x, expected 0x%08x from 0x%08x\n",
                    name, gens[g].name, (unsigned)dw, a->legal, a->lowest, b->legal, b->lowest);
            }
        }
    }
}

int main(void)
{
    EQUAL(sizeof commands / sizeof commands[0], sizeof table / sizeof table[0]);
    EQUAL(sizeof gens / sizeof gens[0], GENS_MAX);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        command(table[i], commands[i].name, commands[i].op);
    }
    return test_report("i915_fields");
}
