/* Answers of the i915 driver about mappings, memory of the client, dma-bufs, synchronisation
 * objects, tiling, contexts and madvise, by raw ioctls. Every answer is that of Linux 6.1 for the
 * generation. With --async, also fences of sw_sync. */
#include <libdrm/drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <sys/resource.h>

#include "client_i915.h"

static bool discrete;

/* The expected answer on cards without an aperture is discrete_err. */
static void answer(const char *name, int err, int expected, int discrete_err)
{
    const int right = discrete ? discrete_err : expected;
    if (err != right) {
        printf("%s %d, not %d\n", name, err, right);
    }
    show(name, err == right);
}

static int mmap_offset(uint32_t handle, uint64_t flags, uint64_t extensions)
{
    struct drm_i915_gem_mmap_offset a = {.handle = handle, .flags = flags};
    a.extensions = extensions;
    return call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a);
}

static int mmap_cpu(uint32_t handle, uint64_t offset, uint64_t size, uint64_t flags)
{
    struct drm_i915_gem_mmap a = {.handle = handle, .offset = offset, .size = size, .flags = flags};
    return call(DRM_IOCTL_I915_GEM_MMAP, &a);
}

static void check_mmap(void)
{
    const uint32_t handle = create();
    struct drm_i915_gem_mmap a = {.handle = handle, .size = PAGE};
    struct drm_i915_gem_mmap_gtt bad = {.handle = 999};
    struct drm_gem_close gone = {.handle = handle};
    const uint32_t word = 0x12345678;
    struct drm_i915_gem_pwrite w = {.handle = handle, .size = 4, .data_ptr = (uintptr_t)&word};
    answer("MMAP_FLAGS", mmap_cpu(handle, 0, PAGE, 2), -EINVAL, -EOPNOTSUPP);
    answer("MMAP_HANDLE", mmap_cpu(999, 0, PAGE, 0), -ENOENT, -EOPNOTSUPP);
    answer("MMAP_END", mmap_cpu(handle, PAGE, PAGE, 0), -EINVAL, -EOPNOTSUPP);
    answer("MMAP_NONE", mmap_cpu(handle, 0, 0, 0), -EINVAL, -EOPNOTSUPP);
    answer("OFFSET_HANDLE", call(DRM_IOCTL_I915_GEM_MMAP_GTT, &bad), -ENOENT, -ENODEV);
    answer("OFFSET_FLAGS", mmap_offset(handle, 5, 0), -EINVAL, -EINVAL);
    answer("OFFSET_WC", mmap_offset(handle, I915_MMAP_OFFSET_WC, 0), 0, -ENODEV);
    answer("OFFSET_FIXED", mmap_offset(handle, I915_MMAP_OFFSET_FIXED, 0), -ENODEV, 0);
    answer("OFFSET_EXTENSION", mmap_offset(handle, 1, 8), -EFAULT, -EFAULT);
    if (!discrete && call(DRM_IOCTL_I915_GEM_MMAP, &a) == 0) {
        const volatile uint32_t *at = (const volatile uint32_t *)(uintptr_t)a.addr_ptr;
        const int err = call(DRM_IOCTL_I915_GEM_PWRITE, &w);
        client_need(call(DRM_IOCTL_GEM_CLOSE, &gone) == 0, "close");
        show("KEPT", err == -EOPNOTSUPP || *at == word); /* a mapping outlives the handle */
        munmap((void *)(uintptr_t)a.addr_ptr, PAGE);
    }
}

static int userptr(uint64_t at, uint64_t bytes, uint32_t flags, uint32_t *handle)
{
    struct drm_i915_gem_userptr a = {.user_ptr = at, .user_size = bytes, .flags = flags};
    const int err = call(DRM_IOCTL_I915_GEM_USERPTR, &a);
    *handle = a.handle;
    return err;
}

static void check_userptr(void)
{
    uint8_t *page =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t at = (uintptr_t)page;
    const int read_only = gen == 8 || gen == 9 ? 0 : -ENODEV;
    struct drm_i915_gem_set_tiling tiling = {.tiling_mode = I915_TILING_X, .stride = 512};
    struct drm_i915_gem_pread r = {.size = 1};
    struct drm_prime_handle prime = {0};
    uint32_t handle;
    submission s = {0};
    answer("USER_SIZE", userptr(at, 0, 0, &handle), -EINVAL, -EINVAL);
    answer("USER_ALIGN", userptr(at + 1, PAGE, 0, &handle), -EINVAL, -EINVAL);
    answer("USER_FLAGS", userptr(at, PAGE, 8, &handle), -EINVAL, -EINVAL);
    answer("USER_UNSYNC", userptr(at, PAGE, I915_USERPTR_UNSYNCHRONIZED, &handle), -ENODEV,
           -ENODEV);
    answer("USER_KERNEL", userptr(1ull << 47, PAGE, 0, &handle), -EFAULT, -EFAULT);
    answer("USER_READ_ONLY", userptr(at, PAGE, I915_USERPTR_READ_ONLY, &handle), read_only,
           read_only);
    client_need(userptr(at, PAGE, 0, &handle) == 0, "userptr");
    answer("USER_MMAP", mmap_cpu(handle, 0, PAGE, 0), -ENXIO, -EOPNOTSUPP);
    answer("USER_OFFSET", mmap_offset(handle, I915_MMAP_OFFSET_WB, 0), -ENODEV, -ENODEV);
    tiling.handle = handle;
    answer("USER_TILING", call(DRM_IOCTL_I915_GEM_SET_TILING, &tiling), -ENXIO, -EOPNOTSUPP);
    memset(page, 0, PAGE);
    *(uint32_t *)(void *)page = END;
    s.batch = handle;
    show("USER_BATCH", submit(&s) == 0 && wait_ns(handle, -1) == 0);
    prime.handle = handle;
    show("USER_EXPORT", call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != 0);
    munmap(page, 2 * PAGE);
    answer("USER_GONE", submit(&s), -EFAULT, -EFAULT);
    r.handle = create();
    r.data_ptr = at;
    if (gen < 12) {
        answer("PREAD_FAULT", call(DRM_IOCTL_I915_GEM_PREAD, &r), -EFAULT, -EFAULT);
    }
}

static void check_prime(void)
{
    struct drm_prime_handle a = {.handle = 999}, b = {.fd = 0};
    struct dma_buf_sync sync = {.flags = 0};
    int fd;
    answer("PRIME_HANDLE", call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), -ENOENT, -ENOENT);
    show("PRIME_FD", call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &b) == -EINVAL);
    a.handle = create();
    a.flags = DRM_CLOEXEC | DRM_RDWR;
    client_need(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a) == 0, "export");
    fd = a.fd;
    b.fd = fd;
    show("PRIME_SAME", call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &b) == 0 && b.handle == a.handle);
    show("PRIME_SIZE", lseek(fd, 0, SEEK_END) == PAGE && lseek(fd, 0, SEEK_SET) == 0);
    show("PRIME_SEEK", lseek(fd, 1, SEEK_END) == -1 && errno == EINVAL);
    show("SYNC_FLAGS", ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync) == -1 && errno == EINVAL);
    sync.flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW;
    show("SYNC", ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync) == 0);
    show("PRIME_IDLE", is_readable(fd, 0));
    close(fd);
    a.flags = DRM_CLOEXEC - 1;
    a.fd = -7;
    answer("PRIME_FLAGS", call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), -EINVAL, -EINVAL);
    show("PRIME_NO_FD", a.fd == -7);
}

/* Sync files of a dma-buf that no work uses. */
static void check_dmabuf_fences(void)
{
    struct drm_prime_handle prime = {.handle = create(), .flags = DRM_CLOEXEC | DRM_RDWR};
    struct dma_buf_export_sync_file out = {.flags = 0};
    struct dma_buf_import_sync_file in = {.flags = DMA_BUF_SYNC_RW, .fd = -1};
    client_need(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) == 0, "export");
    show("EXPORT_FLAGS",
         ioctl(prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out) == -1 && errno == EINVAL);
    out.flags = DMA_BUF_SYNC_READ | 8;
    show("EXPORT_OTHER",
         ioctl(prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out) == -1 && errno == EINVAL);
    out.flags = DMA_BUF_SYNC_RW;
    show("EXPORT_IDLE",
         ioctl(prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out) == 0 && is_readable(out.fd, 0));
    show("IMPORT_FD",
         ioctl(prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in) == -1 && errno == EINVAL);
    in.fd = out.fd;
    show("IMPORT_IDLE",
         ioctl(prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in) == 0 && is_readable(prime.fd, 0));
    in.flags = 0;
    show("IMPORT_FLAGS",
         ioctl(prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in) == -1 && errno == EINVAL);
    close(out.fd);
    close(prime.fd);
}

/* Pointers of the client that it cannot read or write. */
static void check_pointers(void)
{
    struct drm_i915_query_item item = {.query_id = DRM_I915_QUERY_ENGINE_INFO};
    struct drm_i915_query q = {.num_items = 1, .items_ptr = (uint64_t)1 << 40};
    struct drm_i915_gem_vm_control vm = {.extensions = (uint64_t)1 << 40};
    struct i915_user_extension unknown = {.name = 77};
    answer("QUERY_ITEMS", call(DRM_IOCTL_I915_QUERY, &q), -EFAULT, -EFAULT);
    q.items_ptr = (uintptr_t)&item;
    answer("QUERY_LENGTH", call(DRM_IOCTL_I915_QUERY, &q), 0, 0);
    item.data_ptr = (uint64_t)1 << 40;
    answer("QUERY_CALL", call(DRM_IOCTL_I915_QUERY, &q), 0, 0);
    show("QUERY_DATA", item.length == -EFAULT);
    if (gen >= 8) {
        answer("VM_POINTER", call(DRM_IOCTL_I915_GEM_VM_CREATE, &vm), -EFAULT, -EFAULT);
        vm.extensions = (uintptr_t)&unknown;
        answer("VM_EXTENSION", call(DRM_IOCTL_I915_GEM_VM_CREATE, &vm), -EINVAL, -EINVAL);
    }
}

/* A node without a display; and the link of its descriptor. */
static void check_node(void)
{
    struct drm_mode_card_res card = {.count_crtcs = 7, .count_connectors = 7};
    struct drm_mode_get_plane_res planes = {.count_planes = 7};
    char name[32] = "";
    char link[64];
    char path[64] = "";
    struct drm_unique unique = {.unique_len = 4, .unique = name};
    struct rlimit files;
    int many;
    show("UNIQUE_SHORT",
         call(DRM_IOCTL_GET_UNIQUE, &unique) == 0 && unique.unique_len == 16 && name[0] == 0);
    show("UNIQUE", call(DRM_IOCTL_GET_UNIQUE, &unique) == 0 && unique.unique_len == 16 &&
                       strcmp(name, "pci:0000:00:02.0") == 0);
    show("RESOURCES", call(DRM_IOCTL_MODE_GETRESOURCES, &card) == 0 && card.count_crtcs == 0 &&
                          card.count_connectors == 0);
    show("PLANES",
         call(DRM_IOCTL_MODE_GETPLANERESOURCES, &planes) == 0 && planes.count_planes == 0);
    snprintf(link, sizeof link, "/proc/self/fd/%d", node);
    show("LINK",
         readlink(link, path, sizeof path - 1) > 0 && strcmp(path, "/dev/dri/renderD128") == 0);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max > 5000) {
        files.rlim_cur = files.rlim_max;
        client_need(setrlimit(RLIMIT_NOFILE, &files) == 0, "limit");
        many = fcntl(node, F_DUPFD, 5000);
        show("MANY_FILES", many >= 5000 && ioctl(many, DRM_IOCTL_GET_UNIQUE, &unique) == 0);
        close(many);
    }
}

static int timeline_wait(uint32_t handle, uint64_t point, uint32_t flags)
{
    struct drm_syncobj_timeline_wait w = {0};
    w.handles = (uintptr_t)&handle;
    w.points = (uintptr_t)&point;
    w.count_handles = 1;
    w.flags = flags;
    return call(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w);
}

static void check_syncobj(void)
{
    struct drm_syncobj_create c = {.flags = 2};
    struct drm_syncobj_destroy d = {.handle = 999};
    struct drm_syncobj_handle h = {.handle = 999};
    struct drm_syncobj_array array = {.count_handles = 0};
    struct drm_syncobj_timeline_array signal = {.count_handles = 1};
    uint64_t point = 5;
    answer("SYNCOBJ_FLAGS", call(DRM_IOCTL_SYNCOBJ_CREATE, &c), -EINVAL, -EINVAL);
    c.flags = 0;
    client_need(call(DRM_IOCTL_SYNCOBJ_CREATE, &c) == 0, "syncobj");
    answer("SYNCOBJ_HANDLE", call(DRM_IOCTL_SYNCOBJ_DESTROY, &d), -EINVAL, -EINVAL);
    answer("SYNCOBJ_EXPORT", call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), -EINVAL, -EINVAL);
    h.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    answer("SYNCOBJ_FILE", call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), -ENOENT, -ENOENT);
    h.handle = c.handle;
    answer("SYNCOBJ_EMPTY", call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), -EINVAL, -EINVAL);
    h.pad = 1;
    answer("SYNCOBJ_PAD", call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), -EINVAL, -EINVAL);
    answer("SYNCOBJ_NONE", call(DRM_IOCTL_SYNCOBJ_RESET, &array), -EINVAL, -EINVAL);
    answer("WAIT_EMPTY", timeline_wait(c.handle, 5, 0), -EINVAL, -EINVAL);
    answer("WAIT_SUBMIT", timeline_wait(c.handle, 5, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT),
           -ETIME, -ETIME);
    answer("WAIT_FLAGS", timeline_wait(c.handle, 5, 8), -EINVAL, -EINVAL);
    signal.handles = (uintptr_t)&c.handle;
    signal.points = (uintptr_t)&point;
    answer("SIGNAL", call(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal), 0, 0);
    answer("WAIT_DONE", timeline_wait(c.handle, 5, 0), 0, 0);
    answer("WAIT_LATER", timeline_wait(c.handle, 6, 0), -EINVAL, -EINVAL);
    point = 0;
    show("QUERY", call(DRM_IOCTL_SYNCOBJ_QUERY, &signal) == 0 && point == 5);
}

static int set_tiling(uint32_t handle, uint32_t mode, uint32_t stride)
{
    struct drm_i915_gem_set_tiling a = {.handle = handle, .tiling_mode = mode, .stride = stride};
    return call(DRM_IOCTL_I915_GEM_SET_TILING, &a);
}

/* Memory that can only be written is the source of a PWRITE. */
static void check_pwrite(void)
{
    uint32_t *source = mmap(NULL, PAGE, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t value = 0;
    const uint32_t handle = create();
    struct drm_i915_gem_pwrite w = {.handle = handle, .size = 4, .data_ptr = (uintptr_t)source};
    struct drm_i915_gem_pread r = {.handle = handle, .size = 4, .data_ptr = (uintptr_t)&value};
    source[0] = 0x600df00d;
    show("PWRITE", call(DRM_IOCTL_I915_GEM_PWRITE, &w) == 0 &&
                       call(DRM_IOCTL_I915_GEM_PREAD, &r) == 0 && value == 0x600df00d);
    munmap(source, PAGE);
}

/* Each use of a name gives a new handle. */
static void check_names(void)
{
    struct drm_gem_flink flink = {.handle = create()};
    struct drm_gem_open one = {0}, two = {0};
    struct drm_gem_close gone = {0};
    client_need(call(DRM_IOCTL_GEM_FLINK, &flink) == 0, "flink");
    one.name = two.name = flink.name;
    show("NAME_HANDLES", call(DRM_IOCTL_GEM_OPEN, &one) == 0 &&
                             call(DRM_IOCTL_GEM_OPEN, &two) == 0 && one.handle != two.handle);
    gone.handle = one.handle;
    client_need(call(DRM_IOCTL_GEM_CLOSE, &gone) == 0, "close");
    show("NAME_CLOSED", busy(two.handle) == 0);
}

/* On gen8 and later an address space begins at 0; an object may be there. */
static void check_first_address(void)
{
    const int render_node = node;
    struct drm_i915_gem_exec_object2 object = {.offset = 0};
    struct drm_i915_gem_execbuffer2 a = {.buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    object.handle = create();
    map(object.handle)[0] = END;
    show("FIRST", call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &a) == 0 &&
                      wait_ns(object.handle, -1) == 0 && (object.offset == 0) == (gen >= 8));
    close(node);
    node = render_node;
}

/* Only gen5 and earlier have batches with all rights, and only for root with the card itself. */
static void check_secure(void)
{
    const bool root = geteuid() == 0;
    const int render_node = node, refused = gen >= 11 ? -ENODEV : -EPERM;
    struct drm_gem_close gone = {0};
    drm_i915_getparam_t param = {.param = I915_PARAM_HAS_SECURE_BATCHES};
    submission s = {.flags = I915_EXEC_RENDER | I915_EXEC_SECURE};
    int value = -1;
    param.value = &value;
    show("SECURE_PARAM", call(DRM_IOCTL_I915_GETPARAM, &param) == 0 && value == (gen < 6 && root));
    for (int card = 0; card < 2; card++) {
        const int expected = card != 0 && gen < 6 && root ? 0 : refused;
        s.batch = create();
        map(s.batch)[0] = END;
        answer(card != 0 ? "SECURE_CARD" : "SECURE_RENDER", submit(&s), expected, expected);
        gone.handle = s.batch;
        client_need(call(DRM_IOCTL_GEM_CLOSE, &gone) == 0, "close");
        node = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
        client_need(node >= 0, "card");
    }
    close(node);
    node = render_node;
}

/* Relocations that the client cannot write are done, but not updated. */
static void check_read_only_relocs(void)
{
    struct drm_i915_gem_relocation_entry *relocs =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint32_t target = create();
    uint32_t *value = map(target);
    submission s;
    store(&s, relocs, target, 0x12345678);
    client_need(mprotect(relocs, PAGE, PROT_READ) == 0, "mprotect");
    show("RELOCS", submit(&s) == 0 && wait_ns(target, -1) == 0 && value[0] == 0x12345678 &&
                       relocs->presumed_offset == ~0ull);
    munmap(relocs, PAGE);
    answer("RELOCS_GONE", submit(&s), -EFAULT, -EFAULT);
}

/* A tiled object: the CPU writes rows through the aperture and reads tiles. */
static void check_tiling(void)
{
    const uint32_t handle = create();
    const int most = gen >= 7 ? 128 * 0x800 : gen >= 4 ? 128 * 0x400 : 8192;
    struct drm_i915_gem_mmap a = {.handle = handle, .size = PAGE};
    struct drm_i915_gem_set_domain domain = {.handle = handle,
                                             .read_domains = I915_GEM_DOMAIN_GTT,
                                             .write_domain = I915_GEM_DOMAIN_GTT};
    const volatile uint32_t *tiles;
    volatile uint32_t *rows;
    answer("TILING_MODE", set_tiling(handle, 3, 512), -EINVAL, -EOPNOTSUPP);
    answer("TILING_STRIDE", set_tiling(handle, I915_TILING_X, 256), -EINVAL, -EOPNOTSUPP);
    answer("TILING_ZERO", set_tiling(handle, I915_TILING_X, 0), -EINVAL, -EOPNOTSUPP);
    answer("TILING_MOST", set_tiling(handle, I915_TILING_X, (uint32_t)most), 0, -EOPNOTSUPP);
    answer("TILING_OVER", set_tiling(handle, I915_TILING_X, (uint32_t)most + 512), -EINVAL,
           -EOPNOTSUPP);
    answer("TILING_HANDLE", set_tiling(999, I915_TILING_X, 512), -ENOENT, -EOPNOTSUPP);
    if (discrete || gen < 4 || call(DRM_IOCTL_I915_GEM_MMAP, &a) != 0) {
        return;
    }
    answer("TILING_Y", set_tiling(handle, I915_TILING_Y, 128), 0, 0);
    tiles = (const volatile uint32_t *)(uintptr_t)a.addr_ptr;
    rows = map(handle);
    client_need(call(DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain) == 0, "domain");
    for (uint32_t i = 0; i < PAGE / 4; i++) {
        rows[i] = i; /* 32 rows of 32 words */
    }
    domain.read_domains = domain.write_domain = I915_GEM_DOMAIN_CPU;
    client_need(call(DRM_IOCTL_I915_GEM_SET_DOMAIN, &domain) == 0, "domain");
    /* A tile has 8 columns of 32 rows of 4 words: row 3, word 9 is in column 2. */
    show("DETILED", tiles[2 * 128 + 3 * 4 + 1] == 3 * 32 + 9 && tiles[4] == 32);
    rows[9] = 77;
    a.addr_ptr = 0;
    client_need(call(DRM_IOCTL_I915_GEM_MMAP, &a) == 0, "mmap");
    show("DETILED_MMAP", tiles[2 * 128 + 1] == 77);
    client_need(set_tiling(handle, I915_TILING_NONE, 0) == 0, "linear");
    show("LINEAR", rows[4] == 32 && rows[2 * 128 + 1] == 77);
}

static void check_madvise(void)
{
    struct drm_i915_gem_madvise a = {.handle = 999};
    uint32_t word = 0;
    struct drm_i915_gem_pwrite w = {.size = 4, .data_ptr = (uintptr_t)&word};
    answer("MADVISE_HANDLE", call(DRM_IOCTL_I915_GEM_MADVISE, &a), -ENOENT, -ENOENT);
    a.madv = 2;
    answer("MADVISE_VALUE", call(DRM_IOCTL_I915_GEM_MADVISE, &a), -EINVAL, -EINVAL);
    a.handle = w.handle = create();
    a.madv = I915_MADV_DONTNEED;
    show("PURGED", call(DRM_IOCTL_I915_GEM_MADVISE, &a) == 0 && a.retained == 0);
    if (gen < 12) {
        answer("PURGED_PWRITE", call(DRM_IOCTL_I915_GEM_PWRITE, &w), -EFAULT, -EFAULT);
    }
}

static int context_get(uint32_t id, uint64_t param, uint64_t *value)
{
    struct drm_i915_gem_context_param p = {.ctx_id = id, .param = param};
    const int err = call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &p);
    *value = p.value;
    return err;
}

static int context_set(uint32_t id, uint64_t param, uint64_t value, uint32_t size)
{
    struct drm_i915_gem_context_param p = {.ctx_id = id, .param = param, .value = value};
    p.size = size;
    return call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p);
}

static void check_context(void)
{
    struct drm_i915_gem_context_create c = {0};
    struct drm_i915_gem_context_destroy d = {.pad = 1};
    const int priority = gen >= 8 ? 0 : -ENODEV;
    uint64_t value;
    answer("CONTEXT_GET", context_get(999, I915_CONTEXT_PARAM_BANNABLE, &value), -ENOENT, -ENOENT);
    answer("CONTEXT_ZEROMAP", context_get(0, I915_CONTEXT_PARAM_NO_ZEROMAP, &value), -EINVAL,
           -EINVAL);
    answer("CONTEXT_ENGINES", context_get(0, I915_CONTEXT_PARAM_ENGINES, &value), -EINVAL, -EINVAL);
    answer("CONTEXT_SIZE", context_set(0, I915_CONTEXT_PARAM_BANNABLE, 1, 4), -EINVAL, -EINVAL);
    answer("CONTEXT_PRIORITY", context_set(0, I915_CONTEXT_PARAM_PRIORITY, (uint64_t)-5, 0),
           priority, priority);
    show("CONTEXT_VALUE", context_get(0, I915_CONTEXT_PARAM_PRIORITY, &value) == 0 &&
                              (int64_t)value == (gen >= 8 ? -5 : 0));
    show("CONTEXT_FLAGS",
         context_get(0, I915_CONTEXT_PARAM_RECOVERABLE, &value) == 0 && value == 1);
    answer("CONTEXT_CREATE", call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c), gen >= 6 ? 0 : -ENODEV,
           0);
    answer("CONTEXT_PAD", call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d), -EINVAL, -EINVAL);
    if (gen >= 8) { /* once it is used, the address space is final */
        answer("CONTEXT_FRESH", context_set(c.ctx_id, I915_CONTEXT_PARAM_VM, 999, 0), -ENOENT,
               -ENOENT);
        client_need(context_get(c.ctx_id, I915_CONTEXT_PARAM_VM, &value) == 0, "vm");
        answer("CONTEXT_USED", context_set(c.ctx_id, I915_CONTEXT_PARAM_VM, value, 0), -EINVAL,
               -EINVAL);
    }
}

/* Fences of the CPU: a submission waits for one; a merged fence ends with its last part. */
static void check_sw_sync(void)
{
    struct {
        uint32_t value;
        char name[32];
        int32_t fence;
    } a = {.value = 1}, b = {.value = 2}, c = {.value = 3};
    struct sync_merge_data merge = {0};
    struct drm_prime_handle prime = {.handle = create(), .flags = DRM_CLOEXEC | DRM_RDWR};
    struct dma_buf_import_sync_file in = {.flags = DMA_BUF_SYNC_WRITE};
    struct dma_buf_export_sync_file out = {.flags = DMA_BUF_SYNC_READ};
    uint32_t one = 1;
    submission s = {0};
    const int timeline = open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);
    if (timeline < 0) {
        return; /* without --async */
    }
    client_need(ioctl(timeline, _IOC(_IOC_READ | _IOC_WRITE, 'W', 0, sizeof a), &a) == 0, "fence");
    client_need(ioctl(timeline, _IOC(_IOC_READ | _IOC_WRITE, 'W', 0, sizeof b), &b) == 0, "fence");
    merge.fd2 = b.fence;
    client_need(ioctl(a.fence, SYNC_IOC_MERGE, &merge) == 0, "merge");
    s.batch = create();
    map(s.batch)[0] = END;
    s.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_IN;
    s.in = merge.fence;
    client_need(submit(&s) == 0, "submit");
    show("CPU_FENCE", wait_ns(s.batch, 1000000) == -ETIME && !is_readable(a.fence, 0));
    client_need(ioctl(timeline, _IOW('W', 1, uint32_t), &one) == 0, "step");
    show("CPU_PART", is_readable(a.fence, 2000) && wait_ns(s.batch, 1000000) == -ETIME);
    client_need(ioctl(timeline, _IOW('W', 1, uint32_t), &one) == 0, "step");
    show("CPU_MERGED", wait_ns(s.batch, -1) == 0 && is_readable(merge.fence, 2000));
    client_need(ioctl(timeline, _IOC(_IOC_READ | _IOC_WRITE, 'W', 0, sizeof c), &c) == 0, "fence");
    client_need(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) == 0, "export");
    in.fd = c.fence;
    client_need(ioctl(prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &in) == 0, "import");
    client_need(ioctl(prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &out) == 0, "sync file");
    show("IMPORT_BUSY", !is_readable(prime.fd, 0) && !is_readable(out.fd, 0));
    client_need(ioctl(timeline, _IOW('W', 1, uint32_t), &one) == 0, "step");
    show("IMPORT_DONE", is_readable(prime.fd, 2000) && is_readable(out.fd, 2000));
    close(timeline);
}

/* An address that no object has: reads give 0, writes have no effect, the batch continues. */
static void check_scratch(void)
{
    enum { NOWHERE = 0x0e000000, COPY = 0x54f00006, COPY_MEM_MEM = 0x17000003 };
    const uint32_t blits[18] = {COPY, 0x03cc0040, 0,    1 << 16 | 1, NOWHERE, 0,
                                64,   0,          COPY, 0x03cc0040,  0,       1 << 16 | 1,
                                0,    0,          64,   NOWHERE,     END,     0};
    const uint32_t moves[10] = {STORE | 2, NOWHERE, 0, 7, COPY_MEM_MEM, 0, 0, NOWHERE, 0, END};
    struct drm_i915_gem_relocation_entry reloc[2] = {{0}, {0}};
    submission s = {0};
    uint32_t *value;
    s.batch = create();
    s.target = create();
    value = map(s.target);
    value[0] = 0x55555555;
    if (gen >= 8) {
        memcpy(map(s.batch), moves, sizeof moves);
    } else {
        memcpy(map(s.batch), blits, sizeof blits);
    }
    reloc[0].offset = gen >= 8 ? 20 : 48;
    reloc[1].offset = 28; /* the source of the first copy */
    for (int i = 0; i < 2; i++) {
        reloc[i].target_handle = s.target;
        reloc[i].presumed_offset = ~0ull;
        reloc[i].read_domains = I915_GEM_DOMAIN_RENDER;
        reloc[i].write_domain = i == 0 ? I915_GEM_DOMAIN_RENDER : 0;
    }
    s.relocs = reloc;
    s.reloc_count = gen >= 8 ? 1 : 2;
    s.flags = gen >= 6 && gen < 8 ? I915_EXEC_BLT : I915_EXEC_RENDER;
    client_need(submit(&s) == 0, "submit");
    show("SCRATCH", wait_ns(s.batch, -1) == 0 && *(volatile uint32_t *)value == 0);
}

/* An object that is pinned at address 0, and a batch that stores to its second word. */
static void check_zero(void)
{
    struct drm_i915_gem_exec_object2 list[2] = {{0}, {0}};
    struct drm_i915_gem_execbuffer2 a = {.buffers_ptr = (uintptr_t)list, .buffer_count = 2};
    const uint32_t words[6] = {STORE | 2, 4, 0, 0x99999999, END, 0};
    volatile uint32_t *value;
    list[0].handle = create();
    list[0].flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE;
    list[1].handle = create();
    list[1].flags = EXEC_OBJECT_PINNED;
    list[1].offset = 0x100000;
    value = map(list[0].handle);
    memcpy(map(list[1].handle), words, sizeof words);
    show("ZERO", call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &a) == 0 && list[0].offset == 0 &&
                     wait_ns(list[0].handle, -1) == 0 && value[0] == 0 && value[1] == 0x99999999);
}

static int param(int number)
{
    int value = -1;
    struct drm_i915_getparam a = {.param = number, .value = &value};
    const int err = call(DRM_IOCTL_I915_GETPARAM, &a);
    return err != 0 ? err : value;
}

/* Query an item into bytes. Return its length or a negative errno. */
static int query(uint64_t id, void *bytes, int32_t room)
{
    struct drm_i915_query_item item = {.query_id = id};
    struct drm_i915_query a = {.num_items = 1, .items_ptr = (uintptr_t)&item};
    int32_t need;
    client_need(call(DRM_IOCTL_I915_QUERY, &a) == 0, "query");
    need = item.length;
    if (need <= 0 || need > room) {
        return need;
    }
    memset(bytes, 0, (size_t)need);
    item.data_ptr = (uintptr_t)bytes;
    client_need(call(DRM_IOCTL_I915_QUERY, &a) == 0 && item.length == need, "query");
    return need;
}

/* The engines that GETPARAM names, with HEVC and a scaler on gen9 and later. */
static void check_engines(void)
{
    union {
        struct drm_i915_query_engine_info head;
        uint8_t bytes[1024];
    } u;
    uint32_t count = 1;
    bool right = query(DRM_I915_QUERY_ENGINE_INFO, &u, sizeof u) > 0;
    for (uint32_t i = 0; right && i < u.head.num_engines; i++) {
        const struct drm_i915_engine_info *e = &u.head.engines[i];
        const uint64_t want = gen < 9                                                     ? 0
                              : e->engine.engine_class == I915_ENGINE_CLASS_VIDEO         ? 3
                              : e->engine.engine_class == I915_ENGINE_CLASS_VIDEO_ENHANCE ? 2
                                                                                          : 0;
        right = e->capabilities == want && e->engine.engine_instance == 0;
        count += e->engine.engine_class == 4; /* compute */
    }
    count += (uint32_t)(param(I915_PARAM_HAS_BSD) + param(I915_PARAM_HAS_BLT) +
                        param(I915_PARAM_HAS_VEBOX));
    show("ENGINES", right && u.head.num_engines == count);
}

/* Memory regions: a discrete card has 8 GiB of its own, and no object there is larger. */
static void check_regions(void)
{
    union {
        struct drm_i915_query_memory_regions head;
        uint8_t bytes[1024];
    } u;
    struct drm_i915_gem_memory_class_instance local = {.memory_class = I915_MEMORY_CLASS_DEVICE};
    struct drm_i915_gem_create_ext_memory_regions list = {.base.name =
                                                              I915_GEM_CREATE_EXT_MEMORY_REGIONS,
                                                          .num_regions = 1,
                                                          .regions = (uintptr_t)&local};
    struct drm_i915_gem_create_ext a = {.size = (8ull << 30) + PAGE,
                                        .extensions = (uintptr_t)&list};
    const bool asked = query(DRM_I915_QUERY_MEMORY_REGIONS, &u, sizeof u) > 0;
    show("REGIONS", asked && u.head.num_regions == (discrete ? 2u : 1u) &&
                        u.head.regions[0].region.memory_class == I915_MEMORY_CLASS_SYSTEM &&
                        (!discrete || (u.head.regions[1].region.memory_class == 1 &&
                                       u.head.regions[1].probed_size == 8ull << 30)));
    answer("REGION_LIMIT", call(DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -EINVAL, -E2BIG);
    a.size = PAGE;
    answer("REGION", call(DRM_IOCTL_I915_GEM_CREATE_EXT, &a), -EINVAL, 0);
}

/* Parameters by generation; the topology agrees with them. */
static void check_params(void)
{
    union {
        struct drm_i915_query_topology_info head;
        uint8_t bytes[1024];
    } u;
    const int length = query(DRM_I915_QUERY_TOPOLOGY_INFO, &u, sizeof u);
    show("PARAMS", param(I915_PARAM_HAS_ALIASING_PPGTT) == (gen < 6   ? 0
                                                            : gen < 8 ? 1
                                                                      : 2) &&
                       param(I915_PARAM_MMAP_GTT_VERSION) == 4 &&
                       param(I915_PARAM_HAS_EXEC_SOFTPIN) == 1 &&
                       param(I915_PARAM_IRQ_ACTIVE) == -ENODEV && param(1000) == -EINVAL &&
                       param(I915_PARAM_HAS_BLT) == (gen >= 6) &&
                       param(I915_PARAM_HAS_GPU_RESET) == (gen < 7 ? 1 : 2));
    if (length < 0) { /* Haswell is the first that has one */
        show("TOPOLOGY",
             gen < 8 && length == -ENODEV && param(I915_PARAM_SUBSLICE_TOTAL) == -ENODEV);
    } else {
        show("TOPOLOGY",
             length > 0 && u.head.max_slices == 1 && u.head.data[0] == 1 &&
                 u.head.max_subslices == param(I915_PARAM_SUBSLICE_TOTAL) &&
                 u.head.max_subslices * u.head.max_eus_per_subslice == param(I915_PARAM_EU_TOTAL));
    }
}

/* Registers and counters: all but the time stamp are errors. ENOTSUPP of the kernel is 524. */
static void check_registers(void)
{
    struct drm_i915_reg_read time = {.offset = 0x2358}, other = {.offset = 0x2360};
    struct drm_i915_perf_open_param open_perf = {0};
    struct drm_i915_perf_oa_config config = {0};
    uint64_t id = 1;
    show("TIME", call(DRM_IOCTL_I915_REG_READ, &time) == (gen < 4 ? -EINVAL : 0));
    answer("REGISTER", call(DRM_IOCTL_I915_REG_READ, &other), -EINVAL, -EINVAL);
    answer("PERF_OPEN", call(DRM_IOCTL_I915_PERF_OPEN, &open_perf), -524, -524);
    answer("PERF_ADD", call(DRM_IOCTL_I915_PERF_ADD_CONFIG, &config), -524, -524);
    answer("PERF_REMOVE", call(DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id), -524, -524);
}

/* EXECBUFFER2 does not write its structure, whatever it returns there in the other form. */
static void check_unwritten(void)
{
    struct drm_i915_gem_exec_object2 list = {.handle = create()};
    struct drm_i915_gem_execbuffer2 a = {.buffers_ptr = (uintptr_t)&list,
                                         .buffer_count = 1,
                                         .rsvd2 = 0x1234567800000000};
    struct drm_i915_gem_execbuffer2 before;
    *(volatile uint32_t *)map(list.handle) = END;
    a.flags = I915_EXEC_FENCE_OUT;
    before = a;
    show("UNWRITTEN",
         call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &a) == 0 && memcmp(&a, &before, sizeof a) == 0 &&
             call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &a) == 0 && a.rsvd2 != before.rsvd2);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(argc == 3 || argc == 4, "name of the GPU, its generation, and discrete or nothing");
    gen = atoi(argv[2]);
    discrete = argc == 4;
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    check_mmap();
    check_userptr();
    check_prime();
    check_dmabuf_fences();
    check_pointers();
    check_node();
    check_syncobj();
    check_tiling();
    check_madvise();
    check_context();
    check_engines();
    check_regions();
    check_params();
    check_registers();
    check_names();
    if (!discrete && gen >= 8) {
        check_zero();
    }
    if (!discrete) {
        check_secure();
        check_first_address();
        check_pwrite();
        check_unwritten();
        check_scratch();
        check_sw_sync();
        if (gen >= 4) {
            check_read_only_relocs();
        }
    }
    printf("DONE\n");
    return wrong != 0;
}
