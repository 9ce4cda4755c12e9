/* memory.h - memory for inputs of any size, for gpucmd-dump.c: large blocks are mapped files. Where
 * there are no files, DUMP_NO_FILES, all blocks are on the heap. */
#ifndef DUMP_MEMORY_H
#define DUMP_MEMORY_H

#include "base.h"

enum {
    BLOCK_BYTES = 8 << 20, /* a longer block is in a file */
    HEAP_BYTES = 32 << 20, /* of all blocks on the heap; more blocks are in files */
};

#ifdef DUMP_NO_FILES
#define MAY_MAP false
#else
#define MAY_MAP true
#endif

/* What precedes a block. */
typedef struct block {
    size_t bytes; /* with this header */
    bool in_file;
} block;

enum { BLOCK_HEADER = 32 }; /* keeps the alignment of malloc */

static size_t heap_bytes; /* of all blocks on the heap */

#ifndef DUMP_NO_FILES
/* Open a new file that disappears when it is closed. Return -1 on failure. */
static int temporary_file(void)
{
    const char *dirs[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        char path[1024];
        if (dirs[i] == NULL || strlen(dirs[i]) > sizeof path - 24) {
            continue;
        }
        snprintf(path, sizeof path, "%s/gpucmd-dump-XXXXXX", dirs[i]);
        const int file = mkstemp(path);
        if (file >= 0) {
            (void)unlink(path);
            return file;
        }
    }
    return -1;
}

/* Map a new file of n bytes. Return NULL on failure. */
static block *map_block(size_t n)
{
    int file = -1;
    if ((uint64_t)n <= INT64_MAX) {
        file = temporary_file();
    }
    void *p = MAP_FAILED;
    if (file >= 0 && posix_fallocate(file, 0, (off_t)n) == 0) {
        p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) {
        close(file);
    }
    if (p != MAP_FAILED) {
        return p;
    }
    return NULL;
}

/* Unmap n bytes of a file. */
static void unmap(void *p, size_t n)
{
    (void)munmap(p, n);
}
#else
static block *map_block(size_t n)
{
    (void)n;
    return NULL;
}

static void unmap(void *p, size_t n)
{
    (void)p;
    (void)n;
}
#endif

/* Free a block of resize; NULL is ignored. */
static void release(void *p)
{
    block *b = NULL;
    if (p != NULL) {
        b = (block *)(void *)((char *)p - BLOCK_HEADER);
    }
    if (b == NULL) {
        return;
    }
    if (b->in_file) {
        unmap(b, b->bytes);
        return;
    }
    heap_bytes -= b->bytes;
    free(b);
}

/* Return p with room for count elements of size bytes and one byte more. p is a block of this
 * function or NULL; it never shrinks, and grows by half at least. Without memory, end the program. */
static void *resize(void *p, size_t count, size_t size)
{
    block *old = NULL;
    if (p != NULL) {
        old = (block *)(void *)((char *)p - BLOCK_HEADER);
    }
    size_t kept = 0;
    if (old != NULL) {
        kept = old->bytes;
    }
    size_t n = 0;
    if (count <= (SIZE_MAX / 4) / size) {
        n = count * size + 1 + BLOCK_HEADER;
    }
    if (n != 0 && n <= kept) {
        return p;
    }
    if (n != 0 && n < kept + kept / 2) {
        n = kept + kept / 2;
    }
    const bool heap = !MAY_MAP || (n <= BLOCK_BYTES && heap_bytes + n <= HEAP_BYTES);
    block *b = NULL;
    if (n != 0 && heap && (old == NULL || !old->in_file)) {
        b = realloc(old, n);
        heap_bytes += b != NULL ? n - kept : 0;
    } else if (n != 0) {
        if (heap) {
            b = malloc(n);
        } else {
            b = map_block(n);
        }
        heap_bytes += b != NULL && heap ? n : 0;
        if (b != NULL && old != NULL) {
            memcpy(b, old, (size_t)lesser(kept, n));
            release(p);
        }
    }
    if (b == NULL) {
        fprintf(stderr,
                "gpucmd-dump: no memory for %zu times %zu bytes; expected room in TMPDIR or "
                "/var/tmp\n",
                count, size);
        exit(EXIT_USAGE);
    }
    b->bytes = n;
    b->in_file = !heap;
    return (char *)b + BLOCK_HEADER;
}

#endif
