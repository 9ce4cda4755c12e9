/* nv/golden.c - streams of drivers, word by word in tests/golden/nv_*.txt. The emitters must write
 * the words, and the printer must print the text after "#". With a file name as argument, the
 * program prints the present output for that file, for `make golden`. */
#include "gpucmd_nv.h"
#include "test.h"

#define LINES_MAX 64

static void ampere_copy(void)
{
    gpucmd_nv_emit_inc5(&w, 0, 0x005c, 0x12345670, 0x7f, 0x2b, 0, 0x01000003);
    gpucmd_nv_emit_inc4(&w, 4, 0x0400, 0x10, 0, 0x11, 0x20000000);
    gpucmd_nv_emit_inc1(&w, 4, 0x0418, 0x1000);
    gpucmd_nv_emit_inc1(&w, 4, 0x0300, 0x182);
    gpucmd_nv_emit_inc3(&w, 4, 0x0240, 0x12, 0x40, 7);
    gpucmd_nv_emit_inc1(&w, 4, 0x0300, 0x14);
    gpucmd_nv_emit_inc5(&w, 0, 0x005c, 0x12345670, 0x7f, 0x2a, 0, 0x03100001);
    gpucmd_nv_emit_inc1(&w, 0, 0x0020, 0);
}

static void fermi_forms(void)
{
    static const uint32_t upload[] = {0x11111111, 0x22222222};
    static const uint32_t exec[] = {0x00100111, 0x33333333, 0x44444444};
    gpucmd_nv_emit_inc5(&w, 0, 0x0010, 1, 0x100, 5, 2, 0);
    gpucmd_nv_emit_non_inc(&w, 2, 0x0304, upload, 2);
    gpucmd_nv_emit_immd(&w, 0, 0x0110, 0);
    gpucmd_nv_emit_immd(&w, 0, 0x1518, 1);
    gpucmd_nv_emit_immd(&w, 0, 0x0100, 0x1000);
    gpucmd_nv_emit_one_inc(&w, 2, 0x01b0, exec, 3);
    gpucmd_nv_emit_sli_cond(&w, 2);
    gpucmd_nv_emit_sli_store(&w, 3);
    gpucmd_nv_emit_sli_use(&w);
    gpucmd_nv_emit_non_inc(&w, 0, 0x0008, NULL, 0);
    gpucmd_nv_emit_nop(&w);
    gpucmd_nv_emit_end_segment(&w);
}

static void nv1a_ring(void)
{
    static const uint32_t pixels[] = {0x00000000, 0x01000000, 0x02000000};
    gpucmd_nv_emit_old_inc1(&w, 0, 0x0000, 0xbeef0201);
    gpucmd_nv_emit_old_inc1(&w, 0, 0x0050, 9);
    gpucmd_nv_emit_old_inc4(&w, 0, 0x0060, 0xbeef0301, 0x10, 1, 2);
    gpucmd_nv_emit_old_non_inc(&w, 3, 0x0400, pixels, 3);
    gpucmd_nv_emit_call(&w, 0x20000);
    gpucmd_nv_emit_return(&w);
    gpucmd_nv_emit_jump_old(&w, 0x12000);
    gpucmd_nv_emit_jump(&w, 0x12000);
    gpucmd_nv_emit_nop(&w);
}

static const struct golden {
    const char *name;
    gpucmd_nv_chip chip;
    void (*emit)(void);
} files[] = {
    {"nv_ampere_copy", GPUCMD_NV_CHIP_GA102, ampere_copy},
    {"nv_fermi_forms", GPUCMD_NV_CHIP_GF100, fermi_forms},
    {"nv_nv1a_ring",   GPUCMD_NV_CHIP_NV1A,  nv1a_ring  },
};

static char lines[LINES_MAX][100]; /* the present output for a file, without its first line */
static size_t line_count;

/* A printed line, "0x000004  00000007  s0 0x0100", in the spelling of a golden file. */
static void add_line(const char *text, size_t n)
{
    char *line = lines[line_count++];
    size_t len = 0;
    size_t i = 2;
    while (i < n && text[i] != ' ') { /* the address is not kept */
        i++;
    }
    for (; i < n && text[i] == ' '; i++) {
    }
    for (; i < n && text[i] != ' '; i++) {
        line[len++] = text[i];
    }
    memcpy(line + len, "  #", 3);
    len += 3;
    for (; i < n; i++) {
        if (text[i] != ' ' || (i + 1 < n && text[i + 1] != ' ')) {
            line[len++] = text[i];
        }
    }
    line[len] = '\0';
}

static bool make_lines(const struct golden *g)
{
    static char text[8192];
    uint32_t words[LINES_MAX];
    size_t len_dw = 0;
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_text t;
    line_count = 0;
    memset(&cmd, 0, sizeof cmd); /* gcc -O1 does not see that every walk fills it */
    gpucmd_writer_init(&w, words, LINES_MAX);
    g->emit();
    if (!EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK) ||
        !EQUAL(gpucmd_nv_gate_init(&gate, g->chip, g->chip >= GPUCMD_NV_CHIP_GF100, false,
                                   GPUCMD_NV_FMT_NEW),
               GPUCMD_OK)) {
        return false;
    }
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_walk_init(&walk, &gate, words, len_dw);
    while (gpucmd_nv_walk_next(&walk, &cmd)) {
        gpucmd_nv_print(&t, &gate, &cmd, 4 * (uint64_t)(cmd.data - cmd.head_dw - words));
    }
    CHECK(!gpucmd_nv_walk_pending(&walk));
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        add_line(at, strcspn(at, "\n"));
    }
    return EQUAL(line_count, len_dw);
}

static void compare(const struct golden *g)
{
    char path[64];
    char line[128];
    size_t i = 0;
    FILE *f;
    (void)snprintf(path, sizeof path, "tests/golden/%s.txt", g->name);
    f = fopen(path, "r");
    if (!test_check(f != NULL, path, 1, "cannot be read")) {
        return;
    }
    test_check(fgets(line, sizeof line, f) != NULL && line[0] == '#', path, 1, "origin");
    while (fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (!test_check(i < line_count && strcmp(line, lines[i]) == 0, path, (int)i + 2, line)) {
            printf("    the code says: %s\n", i < line_count ? lines[i] : "(end)");
        }
        i++;
    }
    test_equal(line_count, i, path, (int)i + 1, "lines");
    (void)fclose(f);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (argc < 2 && make_lines(&files[i])) {
            compare(&files[i]);
        } else if (argc == 2 && strcmp(argv[1], files[i].name) == 0 && make_lines(&files[i])) {
            for (size_t k = 0; k < line_count; k++) {
                printf("%s\n", lines[k]);
            }
            return 0;
        }
    }
    return test_report("nv_golden");
}
