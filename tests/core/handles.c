/* core/handles.c - tables of handles: single cases, then random operations compared with an array
 * that is searched for the lowest free number. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd.h"
#include "test.h"

enum { ROWS = 200 };

static gpucmd_handle rows[ROWS];
static gpucmd_handles handles;

static void start(uint32_t cap)
{
    memset(rows, 0xa5, sizeof rows);
    memset(&handles, 0xa5, sizeof handles);
    gpucmd_handles_init(&handles, rows, cap);
}

static uint32_t add(uint32_t object)
{
    uint32_t handle = 99999;
    return gpucmd_handles_add(&handles, object, &handle) == GPUCMD_OK ? handle : 0;
}

static void cases(void)
{
    uint32_t handle = 77;
    start(0);
    EQUAL(gpucmd_handles_add(&handles, 5, &handle), GPUCMD_FULL);
    EQUAL(handle, 77);
    EQUAL(gpucmd_handles_find(&handles, 1), 0);
    start(3);
    EQUAL(gpucmd_handles_find(&handles, 0), 0);
    EQUAL(gpucmd_handles_find(&handles, 1), 0);
    EQUAL(gpucmd_handles_find(&handles, 0xffffffffu), 0);
    EQUAL(add(5), 1);
    EQUAL(add(6), 2);
    EQUAL(add(5), 3); /* two handles of one object */
    EQUAL(gpucmd_handles_add(&handles, 8, &handle), GPUCMD_FULL);
    EQUAL(handle, 77);
    EQUAL(gpucmd_handles_find(&handles, 1), 5);
    EQUAL(gpucmd_handles_find(&handles, 2), 6);
    EQUAL(gpucmd_handles_find(&handles, 3), 5);
    EQUAL(gpucmd_handles_find(&handles, 4), 0);
    EQUAL(handles.count, 3);
    EQUAL(gpucmd_handles_remove(&handles, 0), 0);
    EQUAL(gpucmd_handles_remove(&handles, 4), 0);
    EQUAL(gpucmd_handles_remove(&handles, 2), 6);
    EQUAL(gpucmd_handles_remove(&handles, 2), 0);
    EQUAL(gpucmd_handles_find(&handles, 2), 0);
    EQUAL(handles.count, 2);
    /* the lowest free number comes first, whatever the order of removals */
    EQUAL(gpucmd_handles_remove(&handles, 3), 5);
    EQUAL(gpucmd_handles_remove(&handles, 1), 5);
    EQUAL(add(9), 1);
    EQUAL(add(9), 2);
    EQUAL(add(9), 3);
    EQUAL(add(9), 0);
}

static void random_ops(uint32_t seed)
{
    uint32_t want[ROWS + 1] = {0};
    start(ROWS);
    for (uint32_t n = 0; n < 4000; n++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t at = (seed >> 8) % (ROWS + 2), grow = n / 500 % 2 == 0 ? 3 : 1;
        if ((seed >> 28) % 4 < grow) {
            uint32_t lowest = 1;
            while (lowest <= ROWS && want[lowest] != 0) {
                lowest++;
            }
            EQUAL(add(n + 1), lowest <= ROWS ? lowest : 0);
            if (lowest <= ROWS) {
                want[lowest] = n + 1;
            }
        } else {
            EQUAL(gpucmd_handles_remove(&handles, at), at <= ROWS ? want[at] : 0);
            want[at <= ROWS ? at : 0] = 0;
        }
        EQUAL(gpucmd_handles_find(&handles, at), at <= ROWS ? want[at] : 0);
    }
    uint32_t count = 0;
    for (uint32_t i = 1; i <= ROWS; i++) {
        count += want[i] != 0;
    }
    EQUAL(handles.count, count);
}

int main(void)
{
    cases();
    for (uint32_t seed = 0; seed < 10; seed++) {
        random_ops(seed);
    }
    return test_report("core_handles");
}
