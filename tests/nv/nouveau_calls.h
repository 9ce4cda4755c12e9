/* nv/nouveau_calls.h - ioctls of nouveau as words, for the suites of the model kernel. Include it after
 * nv/nouveau.h. Each case starts from the state of setup: TU102 with GSP, a VM whose kernel area is
 * 2^39..2^40, three objects, a channel 3, three sync objects. A refused ioctl changes nothing. */
#ifndef GPUCMD_TEST_NV_NOUVEAU_CALLS_H
#define GPUCMD_TEST_NV_NOUVEAU_CALLS_H

#define ARG    0x7f0000001000u
#define OUT    0x7f0000002000u
#define OPS    0x7f0000003000u
#define WAITS  0x7f0000004000u
#define SIGS   0x7f0000005000u
#define PUSHES 0x7f0000006000u

static int line_;

/* Do an ioctl with these words, and expect an errno. A refused ioctl must not change the state, but for
 * what GEM_NEW and CHANNEL_ALLOC do to a fresh file. */
static void call(uint32_t request, const uint32_t *dw, size_t count, int err)
{
    const uint64_t before = nouveau_state();
    memset(nouveau_at(ARG), 0, 256);
    nouveau_put(ARG, dw, count);
    test_dirty();
    const int got = gpucmd_nouveau_kernel_ioctl(&k, request, ARG);
    test_equal((uint64_t)(int64_t)-got, (uint64_t)(int64_t)err, __FILE__, line_, "errno");
    if (got != 0) {
        test_equal(nouveau_state(), before, __FILE__, line_, "state after a refusal");
    }
}

#define W(...)                                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define CALL(request, err, ...)                                                                    \
    do {                                                                                           \
        static const uint32_t dw_[] = __VA_ARGS__;                                                 \
        line_ = __LINE__;                                                                          \
        call((request), dw_, sizeof dw_ / 4, (err));                                               \
    } while (0)
#define PUT(va, ...)                                                                               \
    do {                                                                                           \
        static const uint32_t put_[] = __VA_ARGS__;                                                \
        nouveau_put((va), put_, sizeof put_ / 4);                                                  \
    } while (0)
/* Expect the words of the argument. */
#define GIVES(...)                                                                                 \
    do {                                                                                           \
        static const uint32_t want_[] = __VA_ARGS__;                                               \
        for (size_t i_ = 0; i_ < sizeof want_ / 4; i_++) {                                         \
            uint32_t got_;                                                                         \
            memcpy(&got_, nouveau_at(ARG) + 4 * i_, 4);                                            \
            test_equal(got_, want_[i_], __FILE__, __LINE__, "word out");                           \
        }                                                                                          \
    } while (0)

/* Sync object 1: binary, signalled; 2: no fence; 3: timeline with points up to 4. */
static void syncs(void)
{
    uint32_t s;
    EQUAL(gpucmd_syncobj_create(&k.syncobjs, 1, &s), 0);
    EQUAL(gpucmd_syncobj_create(&k.syncobjs, 0, &s), 0);
    EQUAL(gpucmd_syncobj_create(&k.syncobjs, 0, &s), 0);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 3, 4), 0);
}

static inline void setup_chip(gpucmd_nv_chip chip)
{
    CHECK(nouveau_open(chip));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
    CALL(0xc0306480, 0, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000));
    CALL(0xc0306480, 0, W(0, 2, 0x200000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0306480, 0, W(0, 1, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0586442, 0,
         W(0xffffffff, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    syncs();
}

static inline void setup(void)
{
    setup_chip(GPUCMD_NV_CHIP_TU102);
}

/* A case from the state of setup. */
#define CASE(request, err, ...)                                                                    \
    do {                                                                                           \
        setup();                                                                                   \
        CALL(request, err, __VA_ARGS__);                                                           \
    } while (0)

#define MAP1     W(0, 0, 1, 0, 0x1000000, 0, 0, 0, 0x10000, 0)
#define ONE_OP   W(1, 0, 0, 0, 0, 0, 0, 0, 0x3000, 0x7f00)
#define ONE_PUSH W(3, 1, 0, 0, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00)
#define TWO_OPS  W(2, 0, 0, 0, 0, 0, 0, 0, 0x3000, 0x7f00)

/* One operation from the state of setup. */
#define OP(err, ...)                                                                               \
    do {                                                                                           \
        setup();                                                                                   \
        PUT(OPS, __VA_ARGS__);                                                                     \
        CALL(0xc0286451, err, ONE_OP);                                                             \
    } while (0)
/* One more operation. */
#define MORE(err, ...)                                                                             \
    do {                                                                                           \
        PUT(OPS, __VA_ARGS__);                                                                     \
        CALL(0xc0286451, err, ONE_OP);                                                             \
    } while (0)

#define SPARSE   W(0, 0x100, 0, 0, 0x2000000, 0, 0, 0, 0x200000, 0)
#define UNSPARSE W(1, 0x100, 0, 0, 0x2000000, 0, 0, 0, 0x200000, 0)

/* Two operations in one call. */
#define TWO(err, a, b)                                                                             \
    do {                                                                                           \
        PUT(OPS, a);                                                                               \
        PUT(OPS + 40, b);                                                                          \
        CALL(0xc0286451, err, TWO_OPS);                                                            \
    } while (0)

#define NEW_DEVICE                                                                                 \
    W(0x200, 0xff0000, 0, 0, 0, 0, 0, 0, 0x1234, 0, 0x1234, 0, 0, 0x80, ~0u, ~0u, 0, 0)
#define INFO(method)                                                                               \
    W(0x400, 0xff0000, 0, 0, 0x1234, 0, method, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define SCLASS(token, count)                                                                       \
    W(0x100, 0xff000000, token, 0, 0, 0, (count) << 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define NEW_OBJECT(token, name, handle, oclass)                                                    \
    W(0x200, 0xff000000, token, 0, 0, 0, 0, 0, 0, 0, name, 0, handle, oclass)

/* File of the old interface: channel 2, object 1 the notifier, object 2 of 4 KiB. */
static inline void setup_old(gpucmd_nv_chip chip)
{
    CHECK(nouveau_open(chip));
    CALL(0xc0586442, 0, W(0xbeef0201, 0xbeef0202));
    CALL(0xc0306480, 0, W(0, 4, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

#define BUFFER(handle, read, write, valid) W(0, 0, handle, read, write, valid, 0, 0, 0, 0)
#define PUSHED                             W(2, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 7, 7, 0, 0, 0, 0)

#endif /* GPUCMD_TEST_NV_NOUVEAU_CALLS_H */
