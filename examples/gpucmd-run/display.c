/* A display, with --display: one connector, one controller (CRTC) and its primary plane, by the legacy
 * ioctls and by atomic commits; buffers that the CPU draws (dumb buffers). What is shown can be written as
 * pictures. Each process has its own display. A flip is complete when its ioctl returns; its event
 * can then be read from the node. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/drm_mode.h>

enum {
    PLANE = 31,
    CRTC = 41,
    ENCODER = 51,
    CONNECTOR = 61,
    FORMATS_BLOB = 71,
    MODE_BLOB = 72,   /* the mode that is set */
    FIRST_BLOB = 100, /* numbers of blobs and framebuffers of clients */
    FIRST_FB = 1000,
    BLOBS = 64,
    FBS = 256,
    MOST_PIXELS = 16384,
    MODE_BYTES = sizeof(struct drm_mode_modeinfo)
};

/* Properties: enum name, object, name, flags, and its largest value. Those of atomic commits are only
 * shown to clients that use them. */
/* clang-format off */
#define DISPLAY_PROPERTIES(P)                                                                      \
    P( PLANE_TYPE, PLANE,     "type",          DRM_MODE_PROP_IMMUTABLE | DRM_MODE_PROP_ENUM, 2 )   \
    P( FB,         PLANE,     "FB_ID",         ATOMIC | DRM_MODE_PROP_OBJECT, DRM_MODE_OBJECT_FB ) \
    P( IN_FENCE,   PLANE,     "IN_FENCE_FD",   ATOMIC | DRM_MODE_PROP_SIGNED_RANGE, INT32_MAX )    \
    P( PLANE_CRTC, PLANE,     "CRTC_ID",       ATOMIC | DRM_MODE_PROP_OBJECT, DRM_MODE_OBJECT_CRTC ) \
    P( CRTC_X,     PLANE,     "CRTC_X",        ATOMIC | DRM_MODE_PROP_SIGNED_RANGE, INT32_MAX )    \
    P( CRTC_Y,     PLANE,     "CRTC_Y",        ATOMIC | DRM_MODE_PROP_SIGNED_RANGE, INT32_MAX )    \
    P( CRTC_W,     PLANE,     "CRTC_W",        ATOMIC | DRM_MODE_PROP_RANGE, INT32_MAX )           \
    P( CRTC_H,     PLANE,     "CRTC_H",        ATOMIC | DRM_MODE_PROP_RANGE, INT32_MAX )           \
    P( SRC_X,      PLANE,     "SRC_X",         ATOMIC | DRM_MODE_PROP_RANGE, UINT32_MAX )          \
    P( SRC_Y,      PLANE,     "SRC_Y",         ATOMIC | DRM_MODE_PROP_RANGE, UINT32_MAX )          \
    P( SRC_W,      PLANE,     "SRC_W",         ATOMIC | DRM_MODE_PROP_RANGE, UINT32_MAX )          \
    P( SRC_H,      PLANE,     "SRC_H",         ATOMIC | DRM_MODE_PROP_RANGE, UINT32_MAX )          \
    P( IN_FORMATS, PLANE,     "IN_FORMATS",    DRM_MODE_PROP_IMMUTABLE | DRM_MODE_PROP_BLOB, 0 )   \
    P( ACTIVE,     CRTC,      "ACTIVE",        ATOMIC | DRM_MODE_PROP_RANGE, 1 )                   \
    P( MODE,       CRTC,      "MODE_ID",       ATOMIC | DRM_MODE_PROP_BLOB, 0 )                    \
    P( OUT_FENCE,  CRTC,      "OUT_FENCE_PTR", ATOMIC | DRM_MODE_PROP_RANGE, UINT64_MAX )          \
    P( EDID,       CONNECTOR, "EDID",          DRM_MODE_PROP_IMMUTABLE | DRM_MODE_PROP_BLOB, 0 )   \
    P( DPMS,       CONNECTOR, "DPMS",          DRM_MODE_PROP_ENUM, 3 )                             \
    P( CONN_CRTC,  CONNECTOR, "CRTC_ID",       ATOMIC | DRM_MODE_PROP_OBJECT, DRM_MODE_OBJECT_CRTC )
/* clang-format on */

#define ATOMIC                                 DRM_MODE_PROP_ATOMIC
#define PROPERTY(tag, object, name, flags, at) tag,
enum { DISPLAY_PROPERTIES(PROPERTY) PROPERTIES };
#undef PROPERTY

typedef struct property {
    uint32_t object;
    char name[DRM_PROP_NAME_LEN];
    uint32_t flags;
    uint64_t most; /* largest value; OBJECT: the kind of the object; ENUM: the last value */
} property;

#define PROPERTY(tag, object, name, flags, at) {object, name, flags, at},
static const property properties[PROPERTIES] = {DISPLAY_PROPERTIES(PROPERTY)};
#undef PROPERTY

static const char *const plane_types[] = {"Overlay", "Primary", "Cursor"};
static const char *const power_states[] = {"On", "Standby", "Suspend", "Off"};

/* What the objects are set to. */
typedef struct state {
    uint64_t values[PROPERTIES];
    struct drm_mode_modeinfo mode; /* if values[MODE] is not 0 */
} state;

static state shown;

/* A picture in memory: fourcc, and the linear layout of its bytes. */
typedef struct framebuffer {
    const shim_file *file; /* NULL: the row is free */
    shim_storage *storage;
    uint32_t handle;
    uint32_t width, height, fourcc, pitch, offset;
} framebuffer;

static framebuffer fbs[FBS];

static struct blob {
    const shim_file *file; /* NULL: the row is free */
    void *data;
    uint32_t bytes;
} blobs[BLOBS];

static const uint32_t formats[] = {DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888, DRM_FORMAT_XBGR8888,
                                   DRM_FORMAT_ABGR8888, DRM_FORMAT_RGB565};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static uint32_t pixel_bytes(uint32_t fourcc)
{
    return fourcc == DRM_FORMAT_RGB565 ? 2 : 4;
}

static bool is_format(uint32_t fourcc)
{
    bool is = false;
    for (uint32_t i = 0; i < FORMATS; i++) {
        is = is || formats[i] == fourcc;
    }
    return is;
}

/* ---- memory of the client ---- */

/* Copy bytes to the client. 0 or -EFAULT. */
static int give(uint64_t to, const void *from, size_t bytes)
{
    const uint64_t page = 4096;
    if (bytes == 0) {
        return 0;
    }
    for (uint64_t at = to & ~(page - 1); at < to + bytes; at += page) {
        if (!shim_is_writable(at)) {
            return -EFAULT;
        }
    }
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}

static int take(void *to, uint64_t from, size_t bytes)
{
    if (!shim_is_readable(from, bytes)) {
        return -EFAULT;
    }
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return 0;
}

/* Give the client as many of count numbers as have room, and write count to *room. */
static int give_ids(uint64_t to, uint32_t *room, const uint32_t *ids, uint32_t count)
{
    const uint32_t most = *room;
    *room = count;
    return give(to, ids, 4 * (size_t)(most < count ? most : count));
}

/* As give_ids, but without room for all of them none is copied. */
static int give_all(uint64_t to, uint32_t *room, const void *from, uint32_t count, size_t bytes)
{
    const uint32_t most = *room;
    *room = count;
    return most < count ? 0 : give(to, from, count * bytes);
}

/* ---- objects ---- */

static framebuffer *fb_of(uint64_t id)
{
    if (id < FIRST_FB || id >= FIRST_FB + FBS || fbs[id - FIRST_FB].file == NULL) {
        return NULL;
    }
    return &fbs[id - FIRST_FB];
}

static struct blob *blob_of(uint64_t id)
{
    if (id < FIRST_BLOB || id >= FIRST_BLOB + BLOBS || blobs[id - FIRST_BLOB].file == NULL) {
        return NULL;
    }
    return &blobs[id - FIRST_BLOB];
}

/* The mode of the display, with 60 pictures per second. */
static struct drm_mode_modeinfo own_mode(void)
{
    struct drm_mode_modeinfo m;
    memset(&m, 0, sizeof m);
    m.hdisplay = (uint16_t)shim.display_width;
    m.vdisplay = (uint16_t)shim.display_height;
    m.hsync_start = (uint16_t)(m.hdisplay + 48);
    m.hsync_end = (uint16_t)(m.hsync_start + 32);
    m.htotal = (uint16_t)(m.hdisplay + 160);
    m.vsync_start = (uint16_t)(m.vdisplay + 3);
    m.vsync_end = (uint16_t)(m.vsync_start + 5);
    m.vtotal = (uint16_t)(m.vdisplay + 31);
    m.vrefresh = 60;
    m.clock = (uint32_t)m.htotal * m.vtotal * 60 / 1000;
    m.flags = DRM_MODE_FLAG_PHSYNC | DRM_MODE_FLAG_NVSYNC;
    m.type = DRM_MODE_TYPE_PREFERRED | DRM_MODE_TYPE_DRIVER;
    snprintf(m.name, sizeof m.name, "%ux%u", (unsigned)m.hdisplay, (unsigned)m.vdisplay);
    return m;
}

static bool is_mode(const struct drm_mode_modeinfo *m)
{
    return m->clock != 0 && m->hdisplay != 0 && m->vdisplay != 0 && m->hdisplay <= m->hsync_start &&
           m->hsync_start <= m->hsync_end && m->hsync_end <= m->htotal &&
           m->vdisplay <= m->vsync_start && m->vsync_start <= m->vsync_end &&
           m->vsync_end <= m->vtotal;
}

static void start(void)
{
    static bool started;
    if (!started) {
        started = true;
        shown.values[PLANE_TYPE] = 1; /* of plane_types */
        shown.values[IN_FORMATS] = FORMATS_BLOB;
        shown.values[IN_FENCE] = UINT64_MAX;
    }
}

static int resources(struct drm_mode_card_res *a)
{
    static const uint32_t crtc = CRTC, encoder = ENCODER, connector = CONNECTOR;
    uint32_t ids[FBS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < FBS; i++) {
        if (fbs[i].file != NULL) {
            ids[count++] = FIRST_FB + i;
        }
    }
    a->min_width = a->min_height = 0;
    a->max_width = a->max_height = MOST_PIXELS;
    if (give_ids(a->fb_id_ptr, &a->count_fbs, ids, count) != 0 ||
        give_ids(a->crtc_id_ptr, &a->count_crtcs, &crtc, 1) != 0 ||
        give_ids(a->encoder_id_ptr, &a->count_encoders, &encoder, 1) != 0 ||
        give_ids(a->connector_id_ptr, &a->count_connectors, &connector, 1) != 0) {
        return -EFAULT;
    }
    return 0;
}

/* Without the capability UNIVERSAL_PLANES a client sees overlay planes only. */
static int planes(const shim_file *f, struct drm_mode_get_plane_res *a)
{
    static const uint32_t plane = PLANE;
    return give_ids(a->plane_id_ptr, &a->count_planes, &plane, f->universal_planes ? 1 : 0);
}

static int get_plane(struct drm_mode_get_plane *a)
{
    if (a->plane_id != PLANE) {
        return -ENOENT;
    }
    a->crtc_id = (uint32_t)shown.values[PLANE_CRTC];
    a->fb_id = (uint32_t)shown.values[FB];
    a->possible_crtcs = 1;
    a->gamma_size = 0;
    return give_all(a->format_type_ptr, &a->count_format_types, formats, FORMATS, 4);
}

static int get_crtc(struct drm_mode_crtc *a)
{
    if (a->crtc_id != CRTC) {
        return -ENOENT;
    }
    a->fb_id = (uint32_t)shown.values[FB];
    a->x = (uint32_t)(shown.values[SRC_X] >> 16);
    a->y = (uint32_t)(shown.values[SRC_Y] >> 16);
    a->gamma_size = 0;
    a->mode_valid = shown.values[MODE] != 0;
    memset(&a->mode, 0, sizeof a->mode);
    if (a->mode_valid != 0) {
        a->mode = shown.mode;
    }
    return 0;
}

static int get_encoder(struct drm_mode_get_encoder *a)
{
    if (a->encoder_id != ENCODER) {
        return -ENOENT;
    }
    a->encoder_type = DRM_MODE_ENCODER_VIRTUAL;
    a->crtc_id = (uint32_t)shown.values[CONN_CRTC];
    a->possible_crtcs = 1;
    a->possible_clones = 1;
    return 0;
}

/* ---- properties ---- */

static bool sees(const shim_file *f, uint32_t i)
{
    return (properties[i].flags & ATOMIC) == 0 || f->atomic;
}

/* List the properties of an object with their values. */
static int list(const shim_file *f, uint32_t object, uint64_t ids, uint64_t values, uint32_t *room)
{
    const uint32_t most = *room;
    uint32_t n = 0;
    int err = 0;
    for (uint32_t i = 0; i < PROPERTIES; i++) {
        const uint32_t id = i + 1;
        if (properties[i].object != object || !sees(f, i)) {
            continue;
        }
        if (n < most) {
            err |= give(ids + 4 * (uint64_t)n, &id, 4);
            err |= give(values + 8 * (uint64_t)n, &shown.values[i], 8);
        }
        n++;
    }
    *room = n;
    return err;
}

static int get_connector(const shim_file *f, struct drm_mode_get_connector *a)
{
    static const uint32_t encoder = ENCODER;
    const struct drm_mode_modeinfo m = own_mode();
    int err;
    if (a->connector_id != CONNECTOR) {
        return -ENOENT;
    }
    a->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
    a->connector_type_id = 1;
    a->connection = 1; /* something is connected */
    a->mm_width = shim.display_width * 254 / 960;
    a->mm_height = shim.display_height * 254 / 960;
    a->subpixel = 1; /* unknown */
    a->encoder_id = shown.values[CONN_CRTC] != 0 ? ENCODER : 0;
    err = give_all(a->modes_ptr, &a->count_modes, &m, 1, sizeof m);
    err |= give_all(a->encoders_ptr, &a->count_encoders, &encoder, 1, 4);
    return err | list(f, CONNECTOR, a->props_ptr, a->prop_values_ptr, &a->count_props);
}

static int get_properties(const shim_file *f, struct drm_mode_obj_get_properties *a)
{
    if (a->obj_id != PLANE && a->obj_id != CRTC && a->obj_id != CONNECTOR) {
        return -ENOENT;
    }
    return list(f, a->obj_id, a->props_ptr, a->prop_values_ptr, &a->count_props);
}

static int get_enum(struct drm_mode_get_property *a, const char *const *names, uint32_t count)
{
    struct drm_mode_property_enum items[4];
    uint64_t values[4];
    memset(items, 0, sizeof items);
    for (uint32_t i = 0; i < count; i++) {
        items[i].value = values[i] = i;
        snprintf(items[i].name, sizeof items[i].name, "%s", names[i]);
    }
    return give_all(a->values_ptr, &a->count_values, values, count, 8) |
           give_all(a->enum_blob_ptr, &a->count_enum_blobs, items, count, sizeof items[0]);
}

static int get_property(struct drm_mode_get_property *a)
{
    const property *p;
    uint64_t range[2] = {0, 0};
    if (a->prop_id - 1 >= PROPERTIES) {
        return -ENOENT;
    }
    p = &properties[a->prop_id - 1];
    a->flags = p->flags;
    memcpy(a->name, p->name, sizeof a->name);
    switch (p->flags & (DRM_MODE_PROP_LEGACY_TYPE | DRM_MODE_PROP_EXTENDED_TYPE)) {
    case DRM_MODE_PROP_ENUM:
        return p->object == PLANE ? get_enum(a, plane_types, 3) : get_enum(a, power_states, 4);
    case DRM_MODE_PROP_OBJECT:
        a->count_enum_blobs = 0;
        return give_all(a->values_ptr, &a->count_values, &p->most, 1, 8);
    case DRM_MODE_PROP_BLOB: a->count_values = a->count_enum_blobs = 0; return 0;
    case DRM_MODE_PROP_SIGNED_RANGE:
        range[0] = a->prop_id - 1 == IN_FENCE ? UINT64_MAX : (uint64_t)(int64_t)INT32_MIN;
        break;
    default: break;
    }
    range[1] = p->most;
    a->count_enum_blobs = 0;
    return give_all(a->values_ptr, &a->count_values, range, 2, 8);
}

/* The blob IN_FORMATS: all formats, linear. */
static int formats_blob(struct drm_mode_get_blob *a)
{
    struct {
        struct drm_format_modifier_blob head;
        uint32_t formats[(FORMATS + 1) & ~1];
        struct drm_format_modifier modifier;
    } data;
    memset(&data, 0, sizeof data);
    data.head.version = FORMAT_BLOB_CURRENT;
    data.head.count_formats = FORMATS;
    data.head.formats_offset = sizeof data.head;
    data.head.count_modifiers = 1;
    data.head.modifiers_offset = sizeof data.head + sizeof data.formats;
    memcpy(data.formats, formats, sizeof formats);
    data.modifier.formats = (1u << FORMATS) - 1;
    data.modifier.modifier = DRM_FORMAT_MOD_LINEAR;
    if (a->length == sizeof data && give(a->data, &data, sizeof data) != 0) {
        return -EFAULT;
    }
    a->length = sizeof data;
    return 0;
}

static int get_blob(struct drm_mode_get_blob *a)
{
    const struct blob *b = blob_of(a->blob_id);
    const struct blob mode = {NULL, &shown.mode, MODE_BYTES};
    if (a->blob_id == FORMATS_BLOB) {
        return formats_blob(a);
    }
    if (a->blob_id == MODE_BLOB && shown.values[MODE] != 0) {
        b = &mode;
    }
    if (b == NULL) {
        return -ENOENT;
    }
    if (a->length == b->bytes && give(a->data, b->data, b->bytes) != 0) {
        return -EFAULT;
    }
    a->length = b->bytes;
    return 0;
}

static int create_blob(const shim_file *f, struct drm_mode_create_blob *a)
{
    uint32_t i = 0;
    while (i < BLOBS && blobs[i].file != NULL) {
        i++;
    }
    if (a->length == 0 || a->length > 65536) {
        return -EINVAL;
    }
    if (i == BLOBS || (blobs[i].data = malloc(a->length)) == NULL) {
        return -ENOMEM;
    }
    if (take(blobs[i].data, a->data, a->length) != 0) {
        free(blobs[i].data);
        return -EFAULT;
    }
    blobs[i].file = f;
    blobs[i].bytes = a->length;
    a->blob_id = FIRST_BLOB + i;
    return 0;
}

/* The mode that a blob has set remains. */
static void drop_blob(struct blob *b)
{
    free(b->data);
    b->data = NULL;
    b->file = NULL;
}

static int destroy_blob(const shim_file *f, const struct drm_mode_destroy_blob *a)
{
    struct blob *b = blob_of(a->blob_id);
    if (b == NULL) {
        return -ENOENT;
    }
    if (b->file != f) {
        return -EPERM;
    }
    drop_blob(b);
    return 0;
}

/* ---- framebuffers ---- */

static int create_dumb(shim_file *f, struct drm_mode_create_dumb *a)
{
    uint64_t pitch, bytes;
    shim_object *o;
    int err;
    if (a->width == 0 || a->height == 0 || a->bpp == 0 || a->bpp > 64 ||
        a->width > 4 * MOST_PIXELS || a->height > 4 * MOST_PIXELS) {
        return -EINVAL;
    }
    pitch = ((uint64_t)a->width * ((a->bpp + 7) / 8) + 63) & ~(uint64_t)63;
    bytes = (pitch * a->height + 0xffff) & ~(uint64_t)0xffff;
    o = shim_object_new(f, bytes, 0x10000);
    if (o == NULL) {
        return -ENOMEM;
    }
    err = shim_driver_current()->object_import(f, o);
    if (err != 0) {
        shim_object_close(f, o->handle);
        return err;
    }
    a->handle = o->handle;
    a->pitch = (uint32_t)pitch;
    a->size = bytes;
    return 0;
}

static int map_dumb(const shim_file *f, struct drm_mode_map_dumb *a)
{
    const shim_object *o = shim_object_of(f, a->handle);
    if (o == NULL || o->storage->is_user) {
        return -ENOENT;
    }
    a->offset = o->storage->off_bytes;
    return 0;
}

static int add_fb(const shim_file *f, struct drm_mode_fb_cmd2 *a)
{
    const bool has_modifier = (a->flags & DRM_MODE_FB_MODIFIERS) != 0;
    const shim_object *o = shim_object_of(f, a->handles[0]);
    uint32_t i = 0;
    if ((a->flags & ~(uint32_t)(DRM_MODE_FB_INTERLACED | DRM_MODE_FB_MODIFIERS)) != 0 ||
        a->width == 0 || a->width > MOST_PIXELS || a->height == 0 || a->height > MOST_PIXELS ||
        !is_format(a->pixel_format) || a->handles[0] == 0 || a->handles[1] != 0 ||
        (has_modifier && a->modifier[0] != DRM_FORMAT_MOD_LINEAR) ||
        a->pitches[0] < a->width * pixel_bytes(a->pixel_format)) {
        return -EINVAL;
    }
    if (o == NULL) {
        return -ENOENT;
    }
    if ((uint64_t)a->pitches[0] * (a->height - 1) + a->offsets[0] +
            a->width * pixel_bytes(a->pixel_format) >
        o->bytes) {
        return -EINVAL;
    }
    while (i < FBS && fbs[i].file != NULL) {
        i++;
    }
    if (i == FBS) {
        return -ENOMEM;
    }
    fbs[i] = (framebuffer){f,         o->storage,      o->handle,     a->width,
                           a->height, a->pixel_format, a->pitches[0], a->offsets[0]};
    o->storage->refs++;
    a->fb_id = FIRST_FB + i;
    return 0;
}

/* ADDFB names the format by bits and depth. */
static int add_fb_old(const shim_file *f, struct drm_mode_fb_cmd *a)
{
    struct drm_mode_fb_cmd2 both;
    int err;
    memset(&both, 0, sizeof both);
    both.width = a->width;
    both.height = a->height;
    both.pitches[0] = a->pitch;
    both.handles[0] = a->handle;
    if (a->bpp == 16 && a->depth == 16) {
        both.pixel_format = DRM_FORMAT_RGB565;
    } else if (a->bpp == 32 && (a->depth == 24 || a->depth == 32)) {
        both.pixel_format = a->depth == 24 ? DRM_FORMAT_XRGB8888 : DRM_FORMAT_ARGB8888;
    }
    err = add_fb(f, &both);
    a->fb_id = err == 0 ? both.fb_id : a->fb_id;
    return err;
}

/* Remove a framebuffer; if it is shown, the plane is off. */
static void drop_fb(framebuffer *fb)
{
    if (shown.values[FB] == FIRST_FB + (uint64_t)(fb - fbs)) {
        shown.values[FB] = shown.values[PLANE_CRTC] = 0;
    }
    shim_storage_put(fb->storage);
    fb->file = NULL;
}

static int remove_fb(const shim_file *f, uint32_t id)
{
    framebuffer *fb = fb_of(id);
    if (fb == NULL || fb->file != f) {
        return -ENOENT;
    }
    drop_fb(fb);
    return 0;
}

/* Handles are for the master alone. */
static int get_fb(const shim_file *f, struct drm_mode_fb_cmd *a)
{
    const framebuffer *fb = fb_of(a->fb_id);
    if (fb == NULL) {
        return -ENOENT;
    }
    a->width = fb->width;
    a->height = fb->height;
    a->pitch = fb->pitch;
    a->bpp = 8 * pixel_bytes(fb->fourcc);
    a->depth = fb->fourcc == DRM_FORMAT_RGB565 ? 16 : 24;
    a->handle = f->master && fb->file == f ? fb->handle : 0;
    return 0;
}

static int get_fb2(const shim_file *f, struct drm_mode_fb_cmd2 *a)
{
    const framebuffer *fb = fb_of(a->fb_id);
    if (fb == NULL) {
        return -ENOENT;
    }
    memset(a->handles, 0, sizeof a->handles);
    memset(a->pitches, 0, sizeof a->pitches);
    memset(a->offsets, 0, sizeof a->offsets);
    memset(a->modifier, 0, sizeof a->modifier);
    a->width = fb->width;
    a->height = fb->height;
    a->pixel_format = fb->fourcc;
    a->flags = 0;
    a->pitches[0] = fb->pitch;
    a->offsets[0] = fb->offset;
    a->handles[0] = f->master && fb->file == f ? fb->handle : 0;
    return 0;
}

/* ---- pictures ---- */

static void rgb_of(uint8_t rgb[3], const uint8_t *at, uint32_t fourcc)
{
    const uint32_t v = (uint32_t)at[0] | (uint32_t)at[1] << 8;
    switch (fourcc) {
    case DRM_FORMAT_RGB565:
        rgb[0] = (uint8_t)((v >> 11) * 255 / 31);
        rgb[1] = (uint8_t)((v >> 5 & 63) * 255 / 63);
        rgb[2] = (uint8_t)((v & 31) * 255 / 31);
        return;
    case DRM_FORMAT_XBGR8888:
    case DRM_FORMAT_ABGR8888: memcpy(rgb, at, 3); return;
    default:
        rgb[0] = at[2];
        rgb[1] = at[1];
        rgb[2] = at[0];
        return;
    }
}

/* Write what the display shows as the next picture of --frames. What the plane does not cover is
 * black. */
static void write_frame(void)
{
    const framebuffer *fb = fb_of(shown.values[FB]);
    const uint8_t *bytes = NULL;
    char path[PATH_MAX];
    uint64_t number;
    FILE *file;
    if (fb == NULL || shown.values[ACTIVE] == 0) {
        return;
    }
    shim_count(SHIM_FRAMES, 1);
    if (shim.frames == NULL) {
        return;
    }
    number = shim_report_frame();
    bytes = shim_driver_current()->linear != NULL ? shim_driver_current()->linear(fb->storage)
                                                  : fb->storage->host;
    if (bytes == NULL) {
        shim_log("picture %llu is not written: its layout is not known",
                 (unsigned long long)number);
        return;
    }
    snprintf(path, sizeof path, "%s/%06llu.ppm", shim.frames, (unsigned long long)number);
    file = fopen(path, "wb");
    if (file == NULL) {
        shim_log("%s: %s", path, strerror(errno));
        return;
    }
    fprintf(file, "P6\n%u %u\n255\n", (unsigned)shown.mode.hdisplay, (unsigned)shown.mode.vdisplay);
    for (uint32_t y = 0; y < shown.mode.vdisplay; y++) {
        const int64_t down = (int64_t)y - (int32_t)shown.values[CRTC_Y];
        for (uint32_t x = 0; x < shown.mode.hdisplay; x++) {
            const int64_t right = (int64_t)x - (int32_t)shown.values[CRTC_X];
            uint8_t rgb[3] = {0, 0, 0};
            if (right >= 0 && down >= 0 && (uint64_t)right < shown.values[CRTC_W] &&
                (uint64_t)down < shown.values[CRTC_H]) {
                const uint64_t from_x = (uint64_t)right + (shown.values[SRC_X] >> 16);
                const uint64_t from_y = (uint64_t)down + (shown.values[SRC_Y] >> 16);
                rgb_of(rgb,
                       bytes + fb->offset + from_y * fb->pitch + from_x * pixel_bytes(fb->fourcc),
                       fb->fourcc);
            }
            fwrite(rgb, 1, 3, file);
        }
    }
    if (fclose(file) != 0) {
        shim_log("%s: not written", path);
    }
}

/* ---- events ---- */

static uint32_t sequence; /* pictures so far */

static bool has_room(const shim_file *f)
{
    return f->event_count < SHIM_EVENTS;
}

static void add_event(shim_file *f, uint32_t type, uint64_t user)
{
    const uint64_t now_ns = shim_now_ns();
    struct drm_event_vblank e;
    memset(&e, 0, sizeof e);
    e.base.type = type;
    e.base.length = sizeof e;
    e.user_data = user;
    e.tv_sec = (uint32_t)(now_ns / 1000000000);
    e.tv_usec = (uint32_t)(now_ns % 1000000000 / 1000);
    e.sequence = sequence;
    e.crtc_id = CRTC;
    memcpy(f->events[(f->event_first + f->event_count++) % SHIM_EVENTS], &e, sizeof e);
}

size_t shim_display_read(shim_file *f, void *to, size_t bytes)
{
    size_t n = 0;
    while (f->event_count != 0 && bytes - n >= SHIM_EVENT_BYTES) {
        memcpy((uint8_t *)to + n, f->events[f->event_first], SHIM_EVENT_BYTES);
        f->event_first = (f->event_first + 1) % SHIM_EVENTS;
        f->event_count--;
        n += SHIM_EVENT_BYTES;
    }
    return n;
}

/* Each call ends at once, in the next vertical blank. */
static int wait_vblank(shim_file *f, union drm_wait_vblank *a)
{
    const uint32_t type = a->request.type;
    if ((type & ~(uint32_t)(_DRM_VBLANK_TYPES_MASK | _DRM_VBLANK_FLAGS_MASK |
                            _DRM_VBLANK_HIGH_CRTC_MASK)) != 0 ||
        (type & _DRM_VBLANK_HIGH_CRTC_MASK) != 0 || (type & _DRM_VBLANK_SECONDARY) != 0) {
        return -EINVAL;
    }
    if ((type & _DRM_VBLANK_EVENT) != 0 && !has_room(f)) {
        return -EBUSY;
    }
    if ((type & _DRM_VBLANK_TYPES_MASK) == _DRM_VBLANK_RELATIVE) {
        sequence += a->request.sequence;
    } else if ((int32_t)(a->request.sequence - sequence) > 0) {
        sequence = a->request.sequence;
    }
    if ((type & _DRM_VBLANK_EVENT) != 0) {
        add_event(f, DRM_EVENT_VBLANK, a->request.signal);
    }
    a->reply.sequence = sequence;
    a->reply.tval_sec = (long)(shim_now_ns() / 1000000000);
    a->reply.tval_usec = (long)(shim_now_ns() % 1000000000 / 1000);
    return 0;
}

/* ---- commits ---- */

/* Check a state, which is to replace the shown one. */
static int check(const state *s)
{
    const uint64_t *v = s->values;
    const framebuffer *fb = fb_of(v[FB]);
    if ((v[FB] == 0) != (v[PLANE_CRTC] == 0) || (v[ACTIVE] != 0 && v[MODE] == 0) ||
        (v[MODE] == 0) != (v[CONN_CRTC] == 0)) {
        return -EINVAL;
    }
    if (fb == NULL) {
        return 0;
    }
    if ((v[SRC_X] & 0xffff) != 0 || (v[SRC_Y] & 0xffff) != 0 || v[SRC_W] != v[CRTC_W] << 16 ||
        v[SRC_H] != v[CRTC_H] << 16) {
        return -ERANGE; /* it cannot scale */
    }
    if ((v[SRC_X] >> 16) + v[CRTC_W] > fb->width || (v[SRC_Y] >> 16) + v[CRTC_H] > fb->height) {
        return -ENOSPC;
    }
    return 0;
}

/* Return whether work still writes what a state shows. */
static bool is_pending(const state *s)
{
    const framebuffer *fb = fb_of(s->values[FB]);
    const int fence = (int)(int64_t)s->values[IN_FENCE];
    if (fb != NULL && shim_storage_busy(fb->storage) >> 31 != 0) {
        return true;
    }
    return fence >= 0 && shim_fence_state(shim_sync_file_fence(fence)) == 1;
}

/* Show a state that check accepts. */
static void commit(const state *s)
{
    shown = *s;
    shown.values[IN_FENCE] = UINT64_MAX;
    shown.values[OUT_FENCE] = 0;
    shown.values[MODE] = shown.values[MODE] != 0 ? MODE_BLOB : 0;
    sequence++;
    write_frame();
}

/* The legacy ioctls show a part of the framebuffer on the whole controller. */
static void show(state *s, uint32_t fb, uint32_t x, uint32_t y)
{
    s->values[FB] = fb;
    s->values[PLANE_CRTC] = fb != 0 ? CRTC : 0;
    s->values[CRTC_X] = s->values[CRTC_Y] = 0;
    s->values[CRTC_W] = s->mode.hdisplay;
    s->values[CRTC_H] = s->mode.vdisplay;
    s->values[SRC_X] = (uint64_t)x << 16;
    s->values[SRC_Y] = (uint64_t)y << 16;
    s->values[SRC_W] = s->values[CRTC_W] << 16;
    s->values[SRC_H] = s->values[CRTC_H] << 16;
}

static int set_crtc(const struct drm_mode_crtc *a)
{
    state s = shown;
    uint32_t connector = 0, fb = a->fb_id;
    int err;
    if (a->crtc_id != CRTC) {
        return -ENOENT;
    }
    if (a->mode_valid != 0) {
        if (fb == UINT32_MAX) { /* the framebuffer that is shown */
            fb = (uint32_t)shown.values[FB];
            if (fb == 0) {
                return -EINVAL;
            }
        }
        if (fb_of(fb) == NULL) {
            return -ENOENT;
        }
        if (!is_mode(&a->mode)) {
            return -EINVAL;
        }
    }
    if ((a->mode_valid != 0) != (a->count_connectors != 0) || a->count_connectors > 1) {
        return -EINVAL;
    }
    if (a->count_connectors != 0) {
        if (take(&connector, a->set_connectors_ptr, 4) != 0) {
            return -EFAULT;
        }
        if (connector != CONNECTOR) {
            return -ENOENT;
        }
    }
    s.mode = a->mode;
    s.values[ACTIVE] = a->mode_valid != 0;
    s.values[MODE] = a->mode_valid != 0 ? MODE_BLOB : 0;
    s.values[CONN_CRTC] = a->mode_valid != 0 ? CRTC : 0;
    show(&s, a->mode_valid != 0 ? fb : 0, a->x, a->y);
    err = check(&s);
    if (err == 0 && is_pending(&s)) {
        return SHIM_LATER;
    }
    if (err == 0) {
        commit(&s);
    }
    return err;
}

static int page_flip(shim_file *f, const struct drm_mode_crtc_page_flip *a)
{
    const framebuffer *old = fb_of(shown.values[FB]);
    const framebuffer *fb = fb_of(a->fb_id);
    state s = shown;
    int err;
    if ((a->flags & ~(uint32_t)DRM_MODE_PAGE_FLIP_EVENT) != 0 || a->reserved != 0) {
        return -EINVAL;
    }
    if (a->crtc_id != CRTC) {
        return -ENOENT;
    }
    if (old == NULL) {
        return -EBUSY;
    }
    if (fb == NULL) {
        return -ENOENT;
    }
    s.values[FB] = a->fb_id;
    err = check(&s);
    if (err == 0 && fb->fourcc != old->fourcc) {
        return -EINVAL;
    }
    if (err == 0 && (a->flags & DRM_MODE_PAGE_FLIP_EVENT) != 0 && !has_room(f)) {
        return -ENOMEM;
    }
    if (err == 0 && is_pending(&s)) {
        return SHIM_LATER;
    }
    if (err == 0) {
        commit(&s);
        if ((a->flags & DRM_MODE_PAGE_FLIP_EVENT) != 0) {
            add_event(f, DRM_EVENT_FLIP_COMPLETE, a->user_data);
        }
    }
    return err;
}

/* Set one property of a state. */
static int set_property(state *s, uint32_t object, uint32_t id, uint64_t value)
{
    const struct blob *b = blob_of(value);
    const property *p;
    const uint32_t i = id - 1;
    bool fits;
    if (i >= PROPERTIES || properties[i].object != object) {
        return -ENOENT;
    }
    p = &properties[i];
    switch (p->flags & (DRM_MODE_PROP_LEGACY_TYPE | DRM_MODE_PROP_EXTENDED_TYPE)) {
    case DRM_MODE_PROP_OBJECT:
        fits = value == 0 || (i == FB ? fb_of(value) != NULL : value == CRTC);
        break;
    case DRM_MODE_PROP_BLOB:
        fits = value == 0 || value == s->values[MODE] ||
               (b != NULL && b->bytes == MODE_BYTES && is_mode(b->data));
        break;
    case DRM_MODE_PROP_SIGNED_RANGE:
        fits = (int64_t)value >= (i == IN_FENCE ? -1 : INT32_MIN) && (int64_t)value <= INT32_MAX;
        break;
    default: fits = value <= p->most; break;
    }
    if ((p->flags & DRM_MODE_PROP_IMMUTABLE) != 0 || !fits) {
        return -EINVAL;
    }
    if (i == IN_FENCE && (int64_t)value >= 0 && shim_fd_adopt((int)value) != SHIM_SYNC_FILE) {
        return -EINVAL;
    }
    if (i == MODE && b != NULL) {
        memcpy(&s->mode, b->data, MODE_BYTES);
    }
    s->values[i] = value;
    return 0;
}

/* Apply the properties of an atomic commit to *s. *crtc: it names the controller. */
static int set_properties(const struct drm_mode_atomic *a, state *s, bool *crtc)
{
    uint64_t at = 0;
    int err = 0;
    *crtc = false;
    for (uint32_t i = 0; i < a->count_objs && err == 0; i++) {
        uint32_t object = 0, count = 0;
        if (take(&object, a->objs_ptr + 4 * (uint64_t)i, 4) != 0 ||
            take(&count, a->count_props_ptr + 4 * (uint64_t)i, 4) != 0) {
            return -EFAULT;
        }
        if (object != PLANE && object != CRTC && object != CONNECTOR) {
            return -ENOENT;
        }
        *crtc = *crtc || object == CRTC || s->values[PLANE_CRTC] != 0;
        for (uint32_t n = 0; n < count && err == 0; n++, at++) {
            uint32_t id = 0;
            uint64_t value = 0;
            if (take(&id, a->props_ptr + 4 * at, 4) != 0 ||
                take(&value, a->prop_values_ptr + 8 * at, 8) != 0) {
                return -EFAULT;
            }
            err = set_property(s, object, id, value);
        }
    }
    *crtc = *crtc || s->values[PLANE_CRTC] != 0;
    return err;
}

static int atomic(shim_file *f, const struct drm_mode_atomic *a)
{
    const bool test = (a->flags & DRM_MODE_ATOMIC_TEST_ONLY) != 0;
    const bool event = (a->flags & DRM_MODE_PAGE_FLIP_EVENT) != 0;
    state s = shown;
    bool crtc;
    int err;
    if (!f->atomic ||
        (a->flags & ~(uint32_t)(DRM_MODE_ATOMIC_FLAGS & ~DRM_MODE_PAGE_FLIP_ASYNC)) != 0 ||
        a->reserved != 0 || (test && event)) {
        return -EINVAL;
    }
    err = set_properties(a, &s, &crtc);
    if (err == 0) {
        err = check(&s);
    }
    if (err == 0 && (a->flags & DRM_MODE_ATOMIC_ALLOW_MODESET) == 0 &&
        (s.values[ACTIVE] != shown.values[ACTIVE] ||
         s.values[CONN_CRTC] != shown.values[CONN_CRTC] ||
         memcmp(&s.mode, &shown.mode, MODE_BYTES) != 0)) {
        return -EINVAL;
    }
    if (err == 0 && event && !crtc) {
        return -EINVAL;
    }
    if (err == 0 && event && !has_room(f)) {
        return -ENOMEM;
    }
    if (err != 0 || test) {
        return err;
    }
    if (is_pending(&s)) {
        return SHIM_LATER;
    }
    if (s.values[OUT_FENCE] != 0) {
        const int32_t none = -1, fd = shim_sync_file_new(0);
        if (fd < 0 || give(s.values[OUT_FENCE], &none, 4) != 0) {
            if (fd >= 0) {
                close(fd);
            }
            return fd < 0 ? fd : -EFAULT;
        }
        (void)give(s.values[OUT_FENCE], &fd, 4);
    }
    commit(&s);
    if (event) {
        add_event(f, DRM_EVENT_FLIP_COMPLETE, a->user_data);
    }
    return 0;
}

/* A legacy client sets properties that need no commit. */
static int set_legacy(uint32_t object, uint32_t id, uint64_t value)
{
    if (id - 1 < PROPERTIES && (properties[id - 1].flags & ATOMIC) != 0) {
        return -EINVAL;
    }
    return set_property(&shown, object, id, value);
}

/* ---- ioctls ---- */

int shim_display_cap(uint64_t capability, uint64_t *value)
{
    switch (capability) {
    case DRM_CAP_DUMB_BUFFER:
    case DRM_CAP_VBLANK_HIGH_CRTC:
    case DRM_CAP_ADDFB2_MODIFIERS:
    case DRM_CAP_CRTC_IN_VBLANK_EVENT:
    case DRM_CAP_TIMESTAMP_MONOTONIC: *value = 1; return 0;
    case DRM_CAP_DUMB_PREFERRED_DEPTH: *value = 24; return 0;
    case DRM_CAP_CURSOR_WIDTH:
    case DRM_CAP_CURSOR_HEIGHT: *value = 64; return 0;
    default: return -EINVAL;
    }
}

int shim_display_client_cap(shim_file *f, const struct drm_set_client_cap *a)
{
    switch (a->capability) {
    case DRM_CLIENT_CAP_STEREO_3D:
    case DRM_CLIENT_CAP_ASPECT_RATIO: return a->value > 1 ? -EINVAL : 0;
    case DRM_CLIENT_CAP_UNIVERSAL_PLANES:
        if (a->value > 1) {
            return -EINVAL;
        }
        f->universal_planes = a->value != 0;
        return 0;
    case DRM_CLIENT_CAP_ATOMIC:
        if (a->value > 2) {
            return -EINVAL;
        }
        f->atomic = f->universal_planes = a->value != 0;
        return 0;
    case DRM_CLIENT_CAP_WRITEBACK_CONNECTORS: return f->atomic && a->value <= 1 ? 0 : -EINVAL;
    default: return -EINVAL;
    }
}

void shim_display_close(const shim_file *f)
{
    for (uint32_t i = 0; i < FBS; i++) {
        if (fbs[i].file == f) {
            drop_fb(&fbs[i]);
        }
    }
    for (uint32_t i = 0; i < BLOBS; i++) {
        if (blobs[i].file == f) {
            drop_blob(&blobs[i]);
        }
    }
}

/* What only the master may do. */
static int master_ioctl(shim_file *f, uint32_t nr, void *arg)
{
    const struct drm_mode_connector_set_property *one = arg;
    const struct drm_mode_obj_set_property *of = arg;
    if (!f->master) {
        return -EACCES;
    }
    switch (nr) {
    case _IOC_NR(DRM_IOCTL_MODE_SETCRTC): return set_crtc(arg);
    case _IOC_NR(DRM_IOCTL_MODE_PAGE_FLIP): return page_flip(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_ATOMIC): return atomic(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_SETPROPERTY):
        return set_legacy(one->connector_id, one->prop_id, one->value);
    case _IOC_NR(DRM_IOCTL_MODE_OBJ_SETPROPERTY):
        return set_legacy(of->obj_id, of->prop_id, of->value);
    case _IOC_NR(DRM_IOCTL_MODE_DIRTYFB):
        return fb_of(((const struct drm_mode_fb_dirty_cmd *)arg)->fb_id) != NULL ? 0 : -ENOENT;
    case _IOC_NR(DRM_IOCTL_MODE_CURSOR):
    case _IOC_NR(DRM_IOCTL_MODE_CURSOR2): return -ENXIO; /* no cursor */
    default: return -EOPNOTSUPP;
    }
}

static int answer(shim_file *f, uint32_t nr, void *arg)
{
    switch (nr) {
    case _IOC_NR(DRM_IOCTL_WAIT_VBLANK): return wait_vblank(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES): return resources(arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETPLANERESOURCES): return planes(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETPLANE): return get_plane(arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETCRTC): return get_crtc(arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETENCODER): return get_encoder(arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETCONNECTOR): return get_connector(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_OBJ_GETPROPERTIES): return get_properties(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETPROPERTY): return get_property(arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETPROPBLOB): return get_blob(arg);
    case _IOC_NR(DRM_IOCTL_MODE_CREATEPROPBLOB): return create_blob(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_DESTROYPROPBLOB): return destroy_blob(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_CREATE_DUMB): return create_dumb(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_MAP_DUMB): return map_dumb(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_DESTROY_DUMB):
        return shim_object_close(f, ((struct drm_mode_destroy_dumb *)arg)->handle);
    case _IOC_NR(DRM_IOCTL_MODE_ADDFB): return add_fb_old(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_ADDFB2): return add_fb(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_RMFB): return remove_fb(f, *(const uint32_t *)arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETFB): return get_fb(f, arg);
    case _IOC_NR(DRM_IOCTL_MODE_GETFB2): return get_fb2(f, arg);
    default: return master_ioctl(f, nr, arg);
    }
}

/* A client may use a structure that is shorter or longer than this. */
int shim_display_ioctl(shim_file *f, uint32_t nr, uint32_t bytes, void *arg)
{
    uint64_t copy[32];
    int result;
    start();
    memset(copy, 0, sizeof copy);
    memcpy(copy, arg, bytes < sizeof copy ? bytes : sizeof copy);
    result = answer(f, nr, copy);
    memcpy(arg, copy, bytes < sizeof copy ? bytes : sizeof copy);
    return result;
}
