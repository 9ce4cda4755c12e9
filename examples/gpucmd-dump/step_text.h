/* step_text.h - the commands of --step and what they print, for step.h. */
#ifndef DUMP_STEP_TEXT_H
#define DUMP_STEP_TEXT_H

#include "base.h"
#include "options.h"
#include "output.h"
#include "step.h"

static const char step_help[] =
    "step [N]             execute N commands of the unit. Default: 1\n"
    "word [N]             execute N words of the unit\n"
    "back [N]             undo N commands of the unit; undo [N]: words of all units\n"
    "run [N]              run all units in turn to a break, an end, or for N steps\n"
    "restart              undo everything except the values that were set at the start\n"
    "break ADDRESS        stop before the word at ADDRESS, and after a store to it\n"
    "break method M       stop before method M, such as 0x5c; break name NAME: before a command or\n"
    "                     method with this name\n"
    "break semaphore      stop when a unit waits, continues or releases\n"
    "break finding        stop before a word with a finding of --check\n"
    "delete               remove all breaks\n"
    "unit N               choose the channel or engine that step, word and back move\n"
    "print                print the state of all units\n"
    "memory ADDRESS [N]   print N words. Default: 8\n"
    "set ADDRESS VALUE    write a word, such as the value of a semaphore\n"
    "waits                print what waits for what\n"
    "quit                 end\n"
    "Words can be cut to a beginning: s, w, b, u, r. An empty line repeats the last step.\n";

/* What puts a register: standard output as text or JSON. */
typedef struct step_put {
    bool json;
    size_t count;
    size_t column;
} step_put;

static void step_put_register(void *user, const char *name, uint64_t value)
{
    step_put *to = user;
    if (to->json) {
        printf("%s[\"%s\",\"0x%" PRIx64 "\"]", to->count != 0 ? "," : "", name, value);
    } else {
        if (to->column > 72) {
            printf("\n   ");
            to->column = 0;
        }
        to->column += (size_t)printf(" %s=0x%" PRIx64, name, value);
    }
    to->count++;
}

static void step_put_place(stepper *s, uint32_t unit)
{
    step_place p;
    memset(&p, 0, sizeof p);
    s->m->place(s, unit, &p);
    if (s->json) {
        printf("\"va\":\"0x%" PRIx64 "\",\"stream\":%d,\"offset\":%" PRIu64 ",\"name\":", p.va,
               p.stream, p.offset);
        put_string(stdout, p.name);
        return;
    }
    printf("0x%" PRIx64, p.va);
    if (p.stream >= 0) {
        printf("  stream %d offset 0x%" PRIx64 "  %08" PRIx32, p.stream, p.offset,
               step_read(s, p.va));
    }
    printf("  %s\n", p.name);
}

/* Print a text of lines as an array of JSON, or as it is. */
static void step_put_lines(const stepper *s, const char *text)
{
    if (!s->json) {
        fputs(text, stdout);
        return;
    }
    size_t n = 0;
    putchar('[');
    while (*text != '\0') {
        char line[320];
        const size_t len = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)len, text);
        fputs(n++ != 0 ? "," : "", stdout);
        put_string(stdout, line);
        text += len + (text[len] == '\n');
    }
    putchar(']');
}

static void step_put_waits(stepper *s)
{
    char lines[4096] = "";
    gpucmd_text t;
    gpucmd_text_init(&t, lines, sizeof lines);
    s->m->waits(s, &t);
    step_put_lines(s, lines);
}

/* Print the state of a unit. */
static void step_put_unit(stepper *s, uint32_t unit)
{
    step_put to = {s->json, 0, 0};
    if (s->json) {
        char why[160];
        gpucmd_text t;
        gpucmd_text_init(&t, why, sizeof why);
        s->m->why(s, unit, &t);
        why[strcspn(why, "\n")] = '\0';
        printf("{\"name\":");
        put_string(stdout, s->unit_name[unit]);
        printf(",\"result\":\"%s\",\"why\":", gpucmd_run_name(s->result[unit]));
        put_string(stdout, why);
        printf(",\"place\":{");
        step_put_place(s, unit);
        printf("},\"registers\":[");
        s->m->registers(s, unit, step_put_register, &to);
        printf("]}");
        return;
    }
    printf("%s%s, %s: ", unit == s->unit && s->units > 1 ? "* " : "", s->unit_name[unit],
           gpucmd_run_name(s->result[unit]));
    step_put_place(s, unit);
    printf("   ");
    s->m->registers(s, unit, step_put_register, &to);
    putchar('\n');
}

static void step_put_event(const stepper *s, const step_event *e)
{
    if (s->json) {
        printf("{\"kind\":\"%s\",\"unit\":%" PRIu32 ",\"va\":\"0x%" PRIx64
               "\",\"value\":\"0x%" PRIx64 "\",\"old\":\"0x%" PRIx64 "\",\"memory\":%s,\"text\":",
               e->kind, e->unit, e->va, e->value, e->old, e->is_memory ? "true" : "false");
        put_string(stdout, e->text);
        putchar('}');
        return;
    }
    printf("  %s", e->kind);
    if (s->units > 1) {
        printf(" (%s)", s->unit_name[e->unit]);
    }
    if (e->is_memory) {
        printf(" 0x%" PRIx64 ": %08" PRIx64 " -> %08" PRIx64, e->va, e->old, e->value);
    } else if (e->text[0] == '\0') {
        printf(" 0x%" PRIx64 " = 0x%" PRIx64, e->va, e->value);
    }
    printf("%s%s\n", e->text[0] != '\0' ? " " : "", e->text);
}

/* Print the state after a command, as one object. */
static void step_put_json(stepper *s)
{
    printf("{\"steps\":%zu,\"unit\":%" PRIu32 ",\"stop\":", s->steps, s->unit);
    put_string(stdout, s->stop);
    fputs(",\"units\":[", stdout);
    for (uint32_t i = 0; i < s->units; i++) {
        fputs(i != 0 ? "," : "", stdout);
        step_put_unit(s, i);
    }
    printf("],\"lost\":%zu,\"events\":[", s->event_lost);
    for (size_t i = 0; i < s->event_count; i++) {
        fputs(i != 0 ? "," : "", stdout);
        step_put_event(s, &s->events[i]);
    }
    fputs("],\"spans\":[", stdout);
    for (size_t i = 0; i < s->span_count; i++) {
        printf("%s[%" PRIu32 ",%d,%zu,%zu]", i != 0 ? "," : "", s->spans[i].unit, s->spans[i].waits,
               s->spans[i].first, s->spans[i].end);
    }
    fputs("],\"waits\":", stdout);
    step_put_waits(s);
    fputs(",\"breaks\":[", stdout);
    static const char *const kinds[] = {"address", "method", "name", "semaphore", "finding"};
    for (size_t i = 0; i < s->break_count; i++) {
        printf("%s[\"%s\",\"0x%" PRIx64 "\",", i != 0 ? "," : "", kinds[s->breaks[i].kind],
               s->breaks[i].value);
        put_string(stdout, s->breaks[i].name);
        putchar(']');
    }
    fputs("]}\n", stdout);
}

/* Print what a motion did: events, why it stopped, and where the unit is. */
static void step_report(stepper *s)
{
    for (size_t i = 0; i < s->event_count; i++) {
        step_put_event(s, &s->events[i]);
    }
    if (s->event_lost != 0) {
        printf("  %zu more\n", s->event_lost);
    }
    if (s->stop[0] != '\0') {
        printf("%s\n", s->stop);
    }
    printf("%zu: ", s->steps);
    if (s->units > 1) {
        printf("%s ", s->unit_name[s->unit]);
    }
    step_put_place(s, s->unit);
}

/* ---- commands ---- */

/* The words of a command line. */
typedef struct step_words {
    char text[256];
    const char *word[4]; /* "" if there are fewer */
} step_words;

static void step_split(step_words *w, const char *line)
{
    char *at = w->text;
    snprintf(w->text, sizeof w->text, "%s", line);
    w->text[strcspn(w->text, "\r\n")] = '\0';
    for (size_t i = 0; i < 4; i++) {
        at += strspn(at, " \t");
        w->word[i] = at;
        at += strcspn(at, " \t");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
}

/* Read a number that may be absent. Return false after a message. */
static bool step_number(stepper *s, const char *text, uint64_t absent, uint64_t *v)
{
    *v = absent;
    if (text[0] == '\0' || parse_number(text, UINT64_MAX, v)) {
        return true;
    }
    snprintf(s->stop, sizeof s->stop, "'%.40s': expected a number, decimal or hex with 0x", text);
    return false;
}

/* Return true if word is a beginning of name. */
static bool step_is(const char *word, const char *name)
{
    return word[0] != '\0' && strncmp(word, name, strlen(word)) == 0;
}

static void step_add_break(stepper *s, const step_words *w)
{
    step_break b;
    memset(&b, 0, sizeof b);
    if (step_is(w->word[1], "semaphore")) {
        b.kind = BREAK_SEMAPHORE;
    } else if (step_is(w->word[1], "finding")) {
        b.kind = BREAK_FINDING;
        if (!s->checked) {
            s->checked = true;
            s->check(s);
        }
    } else if (step_is(w->word[1], "name") && w->word[2][0] != '\0') {
        b.kind = BREAK_NAME;
        snprintf(b.name, sizeof b.name, "%s", w->word[2]);
    } else if (step_is(w->word[1], "method") && w->word[2][0] != '\0') {
        b.kind = BREAK_METHOD;
        if (!step_number(s, w->word[2], 0, &b.value)) {
            return;
        }
    } else if (w->word[1][0] != '0' || !step_number(s, w->word[1], 0, &b.value)) {
        snprintf(s->stop, sizeof s->stop,
                 "break: expected an address, method, name, semaphore or finding");
        return;
    }
    if (s->break_count == STEP_BREAKS) {
        snprintf(s->stop, sizeof s->stop, "break: at most %d", STEP_BREAKS);
        return;
    }
    s->breaks[s->break_count++] = b;
}

static void step_set_memory(stepper *s, const step_words *w)
{
    step_set set = {s->steps, 0, 0};
    uint64_t value;
    if (w->word[2][0] == '\0' || !step_number(s, w->word[1], 0, &set.va) ||
        !step_number(s, w->word[2], 0, &value) || value > UINT32_MAX || set.va % 4 != 0) {
        snprintf(s->stop, sizeof s->stop, "set: expected an address, a multiple of 4, and a word");
        return;
    }
    if (s->set_count == STEP_SETS) {
        snprintf(s->stop, sizeof s->stop, "set: at most %d values", STEP_SETS);
        return;
    }
    set.value = (uint32_t)value;
    step_note_store(s, s->unit, set.va, 1);
    (void)!gpucmd_mem_write32(&s->mem, set.va, s->endian, set.value);
    step_read_stores(s, s->event_count != 0 ? s->event_count - 1 : 0);
    s->sets[s->set_count++] = set;
}

static void step_put_memory(stepper *s, const step_words *w)
{
    uint64_t va;
    uint64_t n;
    if (w->word[1][0] == '\0' || !step_number(s, w->word[1], 0, &va) ||
        !step_number(s, w->word[2], 8, &n)) {
        return;
    }
    for (uint64_t i = 0; i < lesser(n, 4096); i++) {
        if (i % 4 == 0) {
            printf("%s0x%" PRIx64 ":", i != 0 ? "\n" : "", va + 4 * i);
        }
        printf(" %08" PRIx32, step_read(s, va + 4 * i));
    }
    putchar('\n');
}

/* Execute a motion: step, word, back, undo, run or restart. Return false if the word is none. */
static bool step_motion(stepper *s, const step_words *w)
{
    const char *word = w->word[0];
    uint64_t n = 1;
    const bool run = step_is(word, "run");
    if (step_is(word, "restart") && strlen(word) > 1 && !run) {
        (void)step_restart(s, 0);
        return true;
    }
    if (!run && !step_is(word, "step") && !step_is(word, "word") && !step_is(word, "back") &&
        !(step_is(word, "undo"))) {
        return false;
    }
    if (!step_number(s, w->word[1], run ? 1 << 20 : 1, &n)) {
        return true;
    }
    if (run) {
        step_run(s, n);
    } else if (step_is(word, "step")) {
        step_move(s, n, true);
    } else if (step_is(word, "word")) {
        step_move(s, n, false);
    } else {
        (void)step_back(s, n, step_is(word, "back"));
    }
    return true;
}

/* Execute a line of a person. Return false for quit. */
static bool step_command(stepper *s, const char *line)
{
    step_words w = {"", {NULL}};
    uint64_t unit;
    step_split(&w, line);
    s->stop[0] = '\0';
    s->finding = NULL;
    s->event_count = s->event_lost = 0;
    const char *word = w.word[0];
    bool report = false;
    if (step_is(word, "quit")) {
        return false;
    }
    if (step_is(word, "break") && strlen(word) > 1 && word[1] == 'r') {
        step_add_break(s, &w);
    } else if (step_motion(s, &w)) {
        report = true;
    } else if (step_is(word, "delete")) {
        s->break_count = 0;
    } else if (step_is(word, "set") && strlen(word) > 1) {
        step_set_memory(s, &w);
        report = true;
    } else if (step_is(word, "unit") && w.word[1][0] != '\0') {
        if (step_number(s, w.word[1], 0, &unit) && unit < s->units) {
            s->unit = (uint32_t)unit;
            report = true;
        } else {
            snprintf(s->stop, sizeof s->stop, "unit: expected 0 to %" PRIu32, s->units - 1);
        }
    } else if (step_is(word, "memory")) {
        if (!s->json) {
            step_put_memory(s, &w);
        }
    } else if (step_is(word, "print") || step_is(word, "waits")) {
        for (uint32_t i = 0; i < s->units && !s->json && word[0] == 'p'; i++) {
            step_put_unit(s, i);
        }
        if (!s->json) {
            step_put_waits(s);
        }
    } else if (step_is(word, "help") && !s->json) {
        fputs(step_help, stdout);
    } else {
        snprintf(s->stop, sizeof s->stop, "'%.40s': expected a command of help", word);
    }
    if (s->json) {
        step_put_json(s);
    } else if (report) {
        step_report(s);
    } else if (s->stop[0] != '\0') {
        printf("%s\n", s->stop);
    }
    return true;
}

/* Read commands from standard input until its end. An empty line repeats the last one if it moved. */
static void step_prompt(stepper *s)
{
    char line[256];
    char last[256] = "";
    const bool terminal = isatty(STDIN_FILENO) != 0;
    if (!s->json) {
        step_report(s);
    } else {
        step_put_json(s);
    }
    for (;;) {
        if (terminal && !s->json) {
            fputs("(step) ", stdout);
        }
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) {
            break;
        }
        if (line[0] == '\n') {
            memcpy(line, last, sizeof line);
        }
        if (line[0] != '\0' && !step_command(s, line)) {
            break;
        }
        snprintf(last, sizeof last, "%s", strchr("swbur", line[0]) != NULL ? line : "");
    }
    if (terminal && !s->json) {
        putchar('\n');
    }
}

/* Step through prepared units. */
static int step_begin(stepper *s)
{
    const int status = step_restart(s, 0);
    if (status == EXIT_FINE && s->units == 0) {
        fprintf(stderr, "gpucmd-dump: --step: nothing to run; expected a stream\n");
        return EXIT_STREAM;
    }
    return status;
}

#endif
