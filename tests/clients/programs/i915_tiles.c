/* GTT mappings of tiled objects, by raw ioctls: what two processes see of each other's stores, what
 * the GPU stores, mappings that are older than the tiling. The tiles are X: 8 rows of 128 words. The
 * objects have 8 rows of 256 words, that is two tiles. */
#include <sys/wait.h>

#include "client_i915.h"

enum { SIZE = 2 * PAGE, STRIDE = 1024, WORD = 3 * 256 + 130 };

/* Return the place among the tiled words of a word of the rows. */
static uint32_t place(uint32_t word)
{
    return word % 256 / 128 * 1024 + word / 256 * 128 + word % 128;
}

static uint32_t new_object(uint64_t bytes)
{
    struct drm_i915_gem_create a = {.size = bytes};
    client_need(call(DRM_IOCTL_I915_GEM_CREATE, &a) == 0, "create");
    return a.handle;
}

static uint32_t tile(uint32_t handle, uint32_t mode)
{
    struct drm_i915_gem_set_tiling a = {.handle = handle, .tiling_mode = mode, .stride = STRIDE};
    client_need(call(DRM_IOCTL_I915_GEM_SET_TILING, &a) == 0, "tiling");
    return handle;
}

/* Map an object through the aperture. */
static volatile uint32_t *map_rows(uint32_t handle, uint64_t bytes)
{
    struct drm_i915_gem_mmap_gtt a = {.handle = handle};
    void *at;
    client_need(call(DRM_IOCTL_I915_GEM_MMAP_GTT, &a) == 0, "mmap offset");
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.offset);
    client_need(at != MAP_FAILED, "mmap");
    return at;
}

/* Map the bytes of an object as they are in memory. */
static volatile uint32_t *map_bytes(uint32_t handle)
{
    struct drm_i915_gem_mmap a = {.handle = handle, .size = SIZE};
    client_need(call(DRM_IOCTL_I915_GEM_MMAP, &a) == 0, "mmap");
    return (volatile uint32_t *)(uintptr_t)a.addr_ptr;
}

static void set_domain(uint32_t handle, uint32_t d)
{
    struct drm_i915_gem_set_domain a = {.handle = handle, .read_domains = d, .write_domain = d};
    client_need(call(DRM_IOCTL_I915_GEM_SET_DOMAIN, &a) == 0, "domain");
}

static uint32_t read_word(uint32_t handle, uint32_t word)
{
    uint32_t v = 0;
    struct drm_i915_gem_pread a = {.handle = handle,
                                   .offset = 4 * word,
                                   .size = 4,
                                   .data_ptr = (uintptr_t)&v};
    client_need(call(DRM_IOCTL_I915_GEM_PREAD, &a) == 0, "pread");
    return v;
}

/* The second process imports two objects. The tiling of both changes after it has mapped them. */
static int second(int fd, int older_fd, int in, int out)
{
    struct drm_prime_handle a = {.fd = fd}, b = {.fd = older_fd};
    volatile uint32_t *rows, *older;
    char byte;
    node = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    client_need(call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &a) == 0, "import");
    client_need(call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &b) == 0, "import");
    rows = map_rows(a.handle, SIZE);
    older = map_rows(b.handle, SIZE);
    client_need(write(out, "", 1) == 1 && read(in, &byte, 1) == 1, "turn");
    show("AT_ONCE", rows[WORD] == 0x11111111);
    show("READER", read_word(a.handle, place(WORD)) == 0x11111111);
    rows[WORD + 1] = 0x22222222;
    rows[WORD + 300] = 0x33333333;
    client_need(write(out, "", 1) == 1 && read(in, &byte, 1) == 1, "turn");
    read_word(a.handle, 0); /* an ioctl that names it */
    read_word(b.handle, 0);
    show("FOREIGN", rows[place(WORD)] == 0x11111111 && older[WORD] == 0x55555555);
    return wrong;
}

/* The stores of one process are at once in the mapping of another one. An ioctl of the reader only
 * brings them to the tiled bytes. */
static void check_processes(void)
{
    const uint32_t handle = tile(new_object(SIZE), I915_TILING_X);
    struct drm_prime_handle a = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    struct drm_prime_handle b = {.handle = new_object(SIZE), .flags = DRM_CLOEXEC | DRM_RDWR};
    volatile uint32_t *rows = map_rows(handle, SIZE);
    int in[2], out[2], status = 1;
    char byte;
    pid_t child;
    client_need(pipe(in) == 0 && pipe(out) == 0, "pipe");
    client_need(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a) == 0, "export");
    client_need(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &b) == 0, "export");
    map_bytes(b.handle)[place(WORD)] = 0x55555555;
    child = fork();
    if (child == 0) {
        _exit(second(a.fd, b.fd, in[0], out[1]));
    }
    client_need(read(out[0], &byte, 1) == 1, "turn");
    rows[WORD] = 0x11111111;
    client_need(write(in[1], "", 1) == 1 && read(out[0], &byte, 1) == 1, "turn");
    show("BACK", rows[WORD + 1] == 0x22222222 && rows[WORD + 300] == 0x33333333);
    show("BYTES", read_word(handle, place(WORD + 1)) == 0x22222222 &&
                      read_word(handle, place(WORD + 300)) == 0x33333333 &&
                      read_word(handle, place(WORD)) == 0x11111111);
    tile(handle, I915_TILING_NONE); /* the other process has mapped both */
    tile(b.handle, I915_TILING_X);
    client_need(write(in[1], "", 1) == 1, "turn");
    client_need(waitpid(child, &status, 0) == child && status == 0, "child");
}

/* A mapping that is older than the tiling shows the tiling, and its end. The bytes remain. */
static void check_older(void)
{
    const uint32_t handle = new_object(SIZE);
    volatile uint32_t *rows = map_rows(handle, SIZE), *bytes = map_bytes(handle);
    for (uint32_t i = 0; i < SIZE / 4; i++) {
        bytes[i] = i;
    }
    show("LINEAR", rows[WORD] == WORD);
    tile(handle, I915_TILING_X);
    show("SAME_BYTES", bytes[WORD] == WORD && bytes[5] == 5);
    show("TILED", rows[WORD] == place(WORD) && rows[261] == 133 && rows[2046] == place(2046));
    rows[WORD] = 0x44444444;
    set_domain(handle, I915_GEM_DOMAIN_CPU);
    show("STORED", bytes[place(WORD)] == 0x44444444);
    tile(handle, I915_TILING_NONE);
    show("UNTILED", rows[place(WORD)] == 0x44444444 && rows[7] == 7 && rows[2046] == 2046);
}

/* An object that does not end with a row of tiles. */
static void check_end(void)
{
    const uint32_t handle = tile(new_object(5 * PAGE), I915_TILING_X);
    volatile uint32_t *rows = map_rows(handle, 5 * PAGE);
    rows[256 * 9 + 130] = 0x55555555; /* row 9, tile 3 */
    rows[256 * 17 + 2] = 0x66666666;  /* row 17, tile 4, the last */
    show("TILE_3", read_word(handle, 3 * 1024 + 128 + 2) == 0x55555555);
    show("TILE_4", read_word(handle, 4 * 1024 + 128 + 2) == 0x66666666);
}

/* The GPU stores to byte 512. Before gen4 this is in row 0, tile 1; later it is in row 1 of tile 0. */
static void check_gpu(void)
{
    const uint32_t handle = tile(new_object(SIZE), I915_TILING_X);
    volatile uint32_t *rows = map_rows(handle, SIZE);
    struct drm_i915_gem_relocation_entry reloc;
    submission s;
    store(&s, &reloc, handle, 0x77777777);
    reloc.delta = 512;
    if (gen < 4) { /* three words */
        uint32_t *dw = map(s.batch);
        dw[0] = STORE | 1u << 22 | 1;
        dw[2] = dw[3];
        dw[3] = END;
        reloc.offset = 4;
    }
    s.flags = I915_EXEC_RENDER;
    client_need(submit(&s) == 0 && wait_ns(handle, -1) == 0, "submit");
    show("GPU", rows[gen < 4 ? 128 : 256] == 0x77777777 &&
                    read_word(handle, gen < 4 ? 1024 : 128) == 0x77777777);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(argc > 2, "name of the GPU and its generation");
    gen = atoi(argv[2]);
    node = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    check_processes();
    check_older();
    check_end();
    check_gpu();
    printf("DONE\n");
    return wrong != 0;
}
