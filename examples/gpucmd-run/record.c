/* Recordings of submissions, and their replay without the driver. A file holds the records of one
 * process: each change of the memory before a submission, the submission, and each change of the
 * memory that it made. Memory is compared by pages with a copy of its last recorded state. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Header of a record; bytes of payload follow. */
typedef struct head {
    uint32_t type;
    uint32_t bytes;
} head;

static FILE *file;
static uint8_t *copy;    /* last recorded state of the memory, by place */
static uint8_t *replays; /* memory of the replay, by place */

static uint8_t *map_places(void)
{
    void *at = mmap(NULL, SHIM_PLACES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at != MAP_FAILED ? at : NULL;
}

/* ---- recording ---- */

static void put(uint32_t type, const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const head h = {type, (uint32_t)(a_bytes + b_bytes)};
    if (fwrite(&h, sizeof h, 1, file) != 1 || fwrite(a, 1, a_bytes, file) != a_bytes ||
        fwrite(b, 1, b_bytes, file) != b_bytes || fflush(file) != 0) {
        shim_log("recording failed: %s", strerror(errno));
        fclose(file);
        file = NULL;
        shim.record = NULL;
    }
}

bool shim_recording(void)
{
    char path[PATH_MAX];
    if (file != NULL || shim.record == NULL) {
        return file != NULL;
    }
    copy = map_places();
    snprintf(path, sizeof path, "%s/%06u.rec", shim.record, (unsigned)shim_report_record());
    if (copy != NULL) {
        file = fopen(path, "wbex");
    } else {
        file = NULL;
    }
    if (file == NULL) {
        shim_log("no recording in %s", path);
        shim.record = NULL;
        return false;
    }
    put(SHIM_RECORD_GPU, shim.gpu->name, strlen(shim.gpu->name), "", 1);
    return file != NULL;
}

void shim_record_forked(void)
{
    file = NULL; /* a child is not recorded until it executes a program */
    shim.record = NULL;
}

void shim_record(uint32_t type, const void *data, size_t bytes)
{
    if (shim_recording()) {
        put(type, data, bytes, NULL, 0);
    }
}

/* Write a record of each page of the spans that has changed. */
static void put_pages(uint32_t type, const shim_span *spans, size_t count)
{
    for (size_t i = 0; i < count && file != NULL; i++) {
        const uint64_t end = spans[i].place + spans[i].bytes;
        uint64_t at = spans[i].place;
        while (file != NULL && (at = shim_memory_next_data(at, end)) < end) {
            const uint8_t *page = shim_memory_host(at);
            if (page == NULL) {
                break;
            }
            if (memcmp(page, copy + at, PAGE) != 0) {
                memcpy(copy + at, page, PAGE);
                put(type, &at, sizeof at, copy + at, PAGE);
            }
            at += PAGE;
        }
    }
}

void shim_record_before(const shim_span *spans, size_t count)
{
    if (shim_recording()) {
        put_pages(SHIM_RECORD_PAGE, spans, count);
    }
}

void shim_record_after(const shim_span *spans, size_t count)
{
    if (file != NULL) {
        put_pages(SHIM_RECORD_RESULT, spans, count);
    }
    if (file != NULL) {
        put(SHIM_RECORD_END, NULL, 0, spans, count * sizeof *spans);
    }
}

/* ---- replay ---- */

void *shim_replay_host(uint64_t place, uint64_t bytes)
{
    if (place <= SHIM_PLACES && bytes <= SHIM_PLACES - place) {
        return replays + place;
    }
    return NULL;
}

/* Compare a page of the replay with the data of the recording, which it becomes. */
static void compare(uint64_t at, const uint8_t *want)
{
    uint8_t *have = replays + at;
    uint32_t i = 0;
    while (i < PAGE && have[i] == want[i]) {
        i++;
    }
    if (i < PAGE) {
        shim_error(SHIM_DIFFERENT, "byte 0x%llx is %02x, %02x in the recording",
                   (unsigned long long)at + i, have[i], want[i]);
        memcpy(have, want, PAGE);
    }
}

/* After the results: no other page may have changed. */
static void compare_rest(const shim_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool inside = shim_replay_host(spans[i].place, spans[i].bytes) != NULL;
        for (uint64_t at = 0; inside && at < spans[i].bytes; at += PAGE) {
            compare(spans[i].place + at, copy + spans[i].place + at);
        }
    }
}

/* Perform a record. false: it is invalid. */
static bool perform(const head *h, const uint8_t *data)
{
    uint64_t at = 0;
    switch (h->type) {
    case SHIM_RECORD_GPU: return h->bytes > 0 && strcmp((const char *)data, shim.gpu->name) == 0;
    case SHIM_RECORD_PAGE:
    case SHIM_RECORD_RESULT:
        if (h->bytes != sizeof at + PAGE) {
            return false;
        }
        memcpy(&at, data, sizeof at);
        if (at % PAGE != 0 || at > SHIM_PLACES - PAGE) {
            return false;
        }
        if (h->type == SHIM_RECORD_RESULT) {
            compare(at, data + sizeof at);
        }
        memcpy(replays + at, data + sizeof at, PAGE);
        memcpy(copy + at, data + sizeof at, PAGE);
        return true;
    case SHIM_RECORD_END: {
        const size_t count = h->bytes / sizeof(shim_span);
        shim_span *spans = malloc(h->bytes);
        if (spans == NULL) {
            return false;
        }
        memcpy(spans, data, h->bytes);
        compare_rest(spans, count);
        free(spans);
        return true;
    }
    default: return shim_driver_current()->replay(h->type, data, h->bytes);
    }
}

/* Replay the recording at path. Return 0; 1: the file is invalid. The runner calls it. */
int shim_replay(const char *path)
{
    FILE *in = fopen(path, "rbe");
    uint8_t *data = NULL;
    bool good = in != NULL && shim.root != NULL;
    head h;
    copy = map_places();
    replays = map_places();
    good = good && copy != NULL && replays != NULL;
    if (good) {
        shim_driver_current()->start();
        shim_count(SHIM_OPENS, 1);
    }
    while (good && fread(&h, sizeof h, 1, in) == 1) {
        uint8_t *more = NULL;
        if (h.bytes <= (1u << 30)) {
            more = realloc(data, h.bytes + 1u);
        }
        good = more != NULL && fread(more, 1, h.bytes, in) == h.bytes;
        if (more != NULL) {
            data = more;
        }
        good = good && perform(&h, data);
    }
    if (in != NULL) {
        fclose(in);
    }
    free(data);
    if (!good) {
        shim_error(SHIM_DIFFERENT, "%s is not a recording", path);
    }
    return good ? 0 : 1;
}
