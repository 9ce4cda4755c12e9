/* memory.h - memory for inputs of any size, for gpucmd-dump.c: large blocks are mapped files. Where
 * there are no files, DUMP_NO_FILES, all blocks are on the heap. */
#ifndef DUMP_MEMORY_H
#define DUMP_MEMORY_H

#include "base.h"

enum {
    BLOCK_BYTES = 8 << 20, /* a longer block is in a file */
    HEAP_BYTES = 32 << 20, /* of all blocks on the heap; more blocks are in files */
    REST_BYTES = 4 << 20,  /* of a mapped file, after which its pages are given back */
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

/* Give the pages of a mapped file back that are whole in n bytes at p: they are read from the file when
 * they are used again. Changes of a private mapping would be lost. */
static void rest(const void *p, size_t n)
{
#ifdef MADV_DONTNEED
    enum { PAGE = 1 << 16 };
    const uintptr_t from = ((uintptr_t)p + PAGE - 1) / PAGE * PAGE;
    const uintptr_t to = ((uintptr_t)p + n) / PAGE * PAGE;
    if (from < to) {
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
    }
#else
    (void)p;
    (void)n;
#endif
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

static void rest(const void *p, size_t n)
{
    (void)p;
    (void)n;
}

static void unmap(void *p, size_t n)
{
    (void)p;
    (void)n;
}
#endif

/* Return true if a block of resize is in a file. */
static bool is_in_file(const void *p)
{
    return ((const block *)(const void *)((const char *)p - BLOCK_HEADER))->in_file;
}

/* Give pages back of n bytes from byte from of a block of resize, if the block is in a file. */
static void rest_block(const void *p, size_t from, size_t n)
{
    if (is_in_file(p)) {
        rest((const char *)p + from, n);
    }
}

/* Copy n bytes from a block to a new one. Pages of both are given back if they are in files. */
static void copy_block(block *to, bool to_file, const block *from, size_t n)
{
    for (size_t at = 0; at < n; at += REST_BYTES) {
        const size_t some = (size_t)lesser(n - at, REST_BYTES);
        memcpy((char *)to + at, (const char *)from + at, some);
        if (from->in_file) {
            rest((const char *)from + at, some);
        }
        if (to_file) {
            rest((char *)to + at, some);
        }
    }
}

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
            copy_block(b, !heap, old, (size_t)lesser(kept, n));
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
