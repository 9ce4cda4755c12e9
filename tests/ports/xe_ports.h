/* A job or a command of the xe driver: what both sides of the comparison share. */
#ifndef XE_PORTS_H
#define XE_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XE_MAX_DW = 256, XE_REFUSED = -1 };

/* The platforms that the driver of 7.3 knows. X(name, graphics version times 100, flags) */
enum { XE_FLAT_CCS = 1, XE_NO_RENDER = 2, XE_LINK_COPY = 4, XE_MEM_COPY = 8, XE_BIG_VA = 16 };
#define XE_PORT_PLATFORMS(X)                                                                       \
    X(TGL, 1200, 0)                                                                                \
    X(DG1, 1210, 0)                                                                                \
    X(DG2, 1255, XE_FLAT_CCS)                                                                      \
    X(PVC, 1260, XE_NO_RENDER | XE_LINK_COPY | XE_BIG_VA)                                          \
    X(MTL, 1270, 0)                                                                                \
    X(ARL, 1274, 0)                                                                                \
    X(BMG, 2001, XE_FLAT_CCS | XE_LINK_COPY | XE_MEM_COPY)                                         \
    X(LNL, 2004, XE_FLAT_CCS | XE_LINK_COPY | XE_MEM_COPY)                                         \
    X(PTL, 3000, XE_FLAT_CCS | XE_LINK_COPY | XE_MEM_COPY)                                         \
    X(WCL, 3003, XE_FLAT_CCS | XE_LINK_COPY | XE_MEM_COPY)                                         \
    X(NVL_P, 3510, XE_FLAT_CCS | XE_LINK_COPY | XE_MEM_COPY)                                       \
    X(CRI, 3511, XE_NO_RENDER | XE_LINK_COPY | XE_MEM_COPY | XE_BIG_VA)

enum { XE_RCS, XE_BCS, XE_VCS, XE_VECS, XE_GSC, XE_CCS, XE_ENGINES }; /* classes of the driver */

typedef struct xe_case {
    const char *platform;
    unsigned version, flags, engine;
    bool tlb, fence, ggtt, vf, hang, ccs, multi, vram;
    uint32_t seqno, seqno_va, start_va, time_va, vf_time_va, context_va;
    uint64_t batch_va, after_va, fence_va, fence_value, dst_va, src_va;
    uint32_t pages, mocs;
} xe_case;

/* X(name, lowest version, bits of engines): what the driver writes, and the headers write. A version
 * of 2000 means also PVC, whose recipes are those of xe. */
#define XE_PORTS(X)                                                                                \
    X(job, 1200, 0x3f)                                                                             \
    X(migration, 1200, 1u << XE_BCS)                                                               \
    X(copy, 2000, 1u << XE_BCS)                                                                    \
    X(cache_flush, 2000, 1u << XE_RCS | 1u << XE_CCS)                                              \
    X(invalidate, 2000, 1u << XE_RCS | 1u << XE_CCS)                                               \
    X(breadcrumb, 2000, 1u << XE_RCS | 1u << XE_CCS)

#define XE_DECLARE(name, since, engines)                                                           \
    int upstream_##name(const xe_case *c, uint32_t *out);                                          \
    int port_##name(const xe_case *c, uint32_t *out);
XE_PORTS(XE_DECLARE)
#undef XE_DECLARE

#endif
