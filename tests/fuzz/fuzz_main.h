/* fuzz_main.h - the function that libFuzzer calls: the harness, with a limit of time. If
 * GPUCMD_FUZZ_MAIN is defined, also a main that replays all files of the directories given as
 * arguments. The harness must define FUZZ_NAME and include this header last. */
#ifndef GPUCMD_FUZZ_MAIN_H
#define GPUCMD_FUZZ_MAIN_H

#include <stdio.h>
#include <time.h>

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

/* An input may take this much time of the processor: 100 ms, and four times as much with a
 * sanitizer, which makes the first use of memory slow. Three tries: the machine may be busy. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) ||                           \
    __has_feature(memory_sanitizer)
enum { FUZZ_MAX_MS = 400 };
#else
enum { FUZZ_MAX_MS = 100 };
#endif

#undef LLVMFuzzerTestOneInput

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int result = 0;
    for (int tries = 0; tries < 3; tries++) {
        const clock_t begin = clock();
        flips_arm(0); /* memory changes only where the harness wants it */
        (void)flips_disarm();
        result = fuzz_one(data, size);
        if (clock() - begin <= (clock_t)FUZZ_MAX_MS * (CLOCKS_PER_SEC / 1000)) {
            return result;
        }
    }
    fprintf(stderr, FUZZ_NAME ": an input of %zu bytes takes over %d ms\n", size, FUZZ_MAX_MS);
    abort();
}

#ifdef GPUCMD_FUZZ_MAIN

#include <dirent.h>

enum { FUZZ_MAX_BYTES = 1 << 20 };

/* Run the harness with the contents of a file. Return false if the file cannot be read. */
static bool fuzz_replay(const char *dir, const char *file)
{
    char path[1024];
    uint8_t *data = (uint8_t *)malloc(FUZZ_MAX_BYTES);
    size_t size = 0;
    FILE *f = NULL;
    bool good = false;
    if (data != NULL && snprintf(path, sizeof path, "%s/%s", dir, file) < (int)sizeof path) {
        f = fopen(path, "rb");
    }
    if (f != NULL) {
        uint8_t *exact;
        size = fread(data, 1, FUZZ_MAX_BYTES, f);
        (void)fclose(f);
        exact = (uint8_t *)malloc(size != 0 ? size : 1); /* to detect reads after the end */
        if (exact != NULL) {
            memcpy(exact, data, size);
            good = LLVMFuzzerTestOneInput(exact, size) == 0;
            free(exact);
        }
    }
    free(data);
    return good;
}

int main(int argc, char **argv)
{
    unsigned passed = 0;
    unsigned failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        const struct dirent *entry;
        while (dir != NULL && (entry = readdir(dir)) != NULL) {
            if (entry->d_name[0] != '.') {
                const bool good = fuzz_replay(argv[i], entry->d_name);
                passed += good;
                failed += !good;
            }
        }
        if (dir == NULL) {
            printf("%s: cannot open\n", argv[i]);
            failed++;
        } else {
            (void)closedir(dir);
        }
    }
    printf(FUZZ_NAME ": %u passed, %u failed\n", passed, failed);
    return failed != 0;
}

#endif
#endif /* GPUCMD_FUZZ_MAIN_H */
