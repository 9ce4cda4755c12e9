/* display_answers GPU [none]: the answers of a node with a display of 64x48, asked by its ioctls alone:
 * errnos of bad calls, which change nothing; dumb buffers; flips and their events; atomic commits. With
 * the second argument there is no display. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>

static int fd;
static const char *label;

/* Note an answer that is not the expected errno; 0: the call succeeds. */
static bool right = true;

static void ask(int expected, unsigned long request, void *arg)
{
    const int got = ioctl(fd, request, arg) == 0 ? 0 : errno;
    if (got != expected) {
        printf("%s: ioctl 0x%lx: errno %d, not %d\n", label, request & 0xff, got, expected);
        right = false;
    }
}

static void done(void)
{
    printf("%s %s\n", label, right ? "RIGHT" : "WRONG");
    right = true;
}

static struct drm_mode_modeinfo mode;
static uint32_t crtc, connector, plane;

static void resources(void)
{
    struct drm_mode_card_res r = {0};
    struct drm_mode_get_connector c = {0};
    struct drm_mode_get_plane_res p = {0};
    struct drm_set_client_cap cap = {DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1};
    label = "RESOURCES";
    ask(0, DRM_IOCTL_MODE_GETRESOURCES, &r);
    right = right && r.count_crtcs == 1 && r.count_connectors == 1 && r.count_encoders == 1 &&
            r.count_fbs == 0;
    r.crtc_id_ptr = (uintptr_t)&crtc;
    r.connector_id_ptr = (uintptr_t)&connector;
    r.count_encoders = 0;
    ask(0, DRM_IOCTL_MODE_GETRESOURCES, &r);
    c.connector_id = connector + 1000;
    ask(ENOENT, DRM_IOCTL_MODE_GETCONNECTOR, &c);
    c.connector_id = connector;
    c.count_modes = 1;
    c.modes_ptr = (uintptr_t)&mode;
    ask(0, DRM_IOCTL_MODE_GETCONNECTOR, &c);
    right = right && c.connection == 1 && mode.hdisplay == 64 && mode.vdisplay == 48;
    c.modes_ptr = 4096; /* not mapped */
    ask(EFAULT, DRM_IOCTL_MODE_GETCONNECTOR, &c);
    ask(0, DRM_IOCTL_MODE_GETPLANERESOURCES, &p);
    right = right && p.count_planes == 0; /* it does not know primary planes */
    ask(0, DRM_IOCTL_SET_CLIENT_CAP, &cap);
    p.plane_id_ptr = (uintptr_t)&plane;
    p.count_planes = 1;
    ask(0, DRM_IOCTL_MODE_GETPLANERESOURCES, &p);
    right = right && p.count_planes == 1 && plane != 0;
    done();
}

/* Make a dumb buffer in one colour and a framebuffer of it. */
static uint32_t buffer(uint32_t colour, uint32_t *handle)
{
    struct drm_mode_create_dumb dumb = {48, 64, 32, 0, 0, 0, 0};
    struct drm_mode_map_dumb map = {0};
    struct drm_mode_fb_cmd fb = {0};
    struct drm_mode_create_dumb none = {0};
    uint32_t *at;
    ask(EINVAL, DRM_IOCTL_MODE_CREATE_DUMB, &none);
    ask(0, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
    map.handle = dumb.handle + 1000;
    ask(ENOENT, DRM_IOCTL_MODE_MAP_DUMB, &map);
    map.handle = dumb.handle;
    ask(0, DRM_IOCTL_MODE_MAP_DUMB, &map);
    at = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
    client_need(at != MAP_FAILED, "mmap");
    for (uint32_t i = 0; i < dumb.size / 4; i++) {
        at[i] = colour;
    }
    munmap(at, dumb.size);
    fb.width = 64;
    fb.height = 48;
    fb.pitch = dumb.pitch;
    fb.bpp = 32;
    fb.depth = 24;
    ask(EINVAL, DRM_IOCTL_MODE_ADDFB, &fb);
    fb.handle = dumb.handle + 1000;
    ask(ENOENT, DRM_IOCTL_MODE_ADDFB, &fb);
    fb.handle = dumb.handle;
    fb.height = 5000;
    ask(EINVAL, DRM_IOCTL_MODE_ADDFB, &fb);
    fb.height = 48;
    ask(0, DRM_IOCTL_MODE_ADDFB, &fb);
    *handle = dumb.handle;
    return fb.fb_id;
}

/* Return the framebuffer that is shown. */
static uint32_t shown(void)
{
    struct drm_mode_crtc c = {0};
    c.crtc_id = crtc;
    ask(0, DRM_IOCTL_MODE_GETCRTC, &c);
    return c.fb_id;
}

static void flips(const uint32_t fbs[2])
{
    struct drm_mode_crtc c = {0};
    struct drm_mode_crtc_page_flip flip = {0};
    struct drm_event_vblank events[4];
    struct pollfd p = {fd, POLLIN, 0};
    label = "FLIPS";
    flip.crtc_id = crtc;
    flip.fb_id = fbs[0];
    flip.flags = DRM_MODE_PAGE_FLIP_EVENT;
    ask(EBUSY, DRM_IOCTL_MODE_PAGE_FLIP, &flip); /* nothing is shown */
    c.crtc_id = crtc;
    c.fb_id = fbs[0];
    c.mode = mode;
    c.mode_valid = 1;
    ask(EINVAL, DRM_IOCTL_MODE_SETCRTC, &c); /* no connector */
    c.set_connectors_ptr = (uintptr_t)&connector;
    c.count_connectors = 1;
    c.x = 1;
    ask(ENOSPC, DRM_IOCTL_MODE_SETCRTC, &c);
    c.x = 0;
    c.fb_id = 7;
    ask(ENOENT, DRM_IOCTL_MODE_SETCRTC, &c);
    right = right && shown() == 0;
    c.fb_id = fbs[0];
    ask(0, DRM_IOCTL_MODE_SETCRTC, &c);
    right = right && shown() == fbs[0] && poll(&p, 1, 0) == 0;
    flip.fb_id = 7;
    ask(ENOENT, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
    flip.fb_id = fbs[1];
    flip.flags = 0x80;
    ask(EINVAL, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
    right = right && shown() == fbs[0];
    for (uint32_t i = 0; i < 2; i++) {
        flip.fb_id = fbs[1 - i];
        flip.flags = DRM_MODE_PAGE_FLIP_EVENT;
        flip.user_data = 5 + i;
        ask(0, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
    }
    right = right && poll(&p, 1, 0) == 1 && read(fd, events, sizeof events[0]) == 32 &&
            read(fd, events + 1, 3 * sizeof events[0]) == 32 && events[0].user_data == 5 &&
            events[1].user_data == 6 && events[0].base.type == DRM_EVENT_FLIP_COMPLETE &&
            events[1].sequence == events[0].sequence + 1 && poll(&p, 1, 0) == 0;
    done();
}

/* Return the property of an object with that name. */
static uint32_t property(uint32_t object, const char *name)
{
    uint32_t ids[32], found = 0;
    uint64_t values[32];
    struct drm_mode_obj_get_properties all = {(uintptr_t)ids, (uintptr_t)values, 32, object, 0};
    ask(0, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &all);
    for (uint32_t i = 0; i < all.count_props && i < 32; i++) {
        struct drm_mode_get_property p = {0};
        p.prop_id = ids[i];
        ask(0, DRM_IOCTL_MODE_GETPROPERTY, &p);
        if (strcmp(p.name, name) == 0) {
            found = ids[i];
        }
    }
    return found;
}

static void atomic(const uint32_t fbs[2])
{
    struct drm_set_client_cap cap = {DRM_CLIENT_CAP_ATOMIC, 1};
    uint32_t object = plane, count = 1, id;
    uint64_t value = fbs[1];
    struct drm_mode_atomic a = {0};
    label = "ATOMIC";
    right = right && property(plane, "FB_ID") == 0;
    a.count_objs = 1;
    a.objs_ptr = (uintptr_t)&object;
    a.count_props_ptr = (uintptr_t)&count;
    a.props_ptr = (uintptr_t)&id;
    a.prop_values_ptr = (uintptr_t)&value;
    ask(EINVAL, DRM_IOCTL_MODE_ATOMIC, &a); /* the client has not said that it knows them */
    ask(0, DRM_IOCTL_SET_CLIENT_CAP, &cap);
    id = property(plane, "FB_ID");
    a.flags = DRM_MODE_ATOMIC_TEST_ONLY;
    ask(0, DRM_IOCTL_MODE_ATOMIC, &a);
    a.flags |= DRM_MODE_PAGE_FLIP_EVENT;
    ask(EINVAL, DRM_IOCTL_MODE_ATOMIC, &a);
    a.flags = 0;
    value = 7;
    ask(EINVAL, DRM_IOCTL_MODE_ATOMIC, &a);
    value = 0; /* a controller without a framebuffer */
    ask(EINVAL, DRM_IOCTL_MODE_ATOMIC, &a);
    object = 7;
    ask(ENOENT, DRM_IOCTL_MODE_ATOMIC, &a);
    object = plane;
    a.prop_values_ptr = 4096;
    ask(EFAULT, DRM_IOCTL_MODE_ATOMIC, &a);
    a.prop_values_ptr = (uintptr_t)&value;
    id = property(plane, "CRTC_W");
    value = 32;
    ask(ERANGE, DRM_IOCTL_MODE_ATOMIC, &a); /* it cannot scale */
    object = crtc;
    id = property(crtc, "ACTIVE");
    value = 0;
    ask(EINVAL, DRM_IOCTL_MODE_ATOMIC, &a); /* needs ALLOW_MODESET */
    right = right && shown() == fbs[0];
    object = plane;
    id = property(plane, "FB_ID");
    value = fbs[1];
    ask(0, DRM_IOCTL_MODE_ATOMIC, &a);
    right = right && shown() == fbs[1];
    done();
}

static void end(const uint32_t fbs[2], const uint32_t handles[2])
{
    uint32_t fb = fbs[1];
    label = "END";
    ask(0, DRM_IOCTL_DROP_MASTER, NULL);
    {
        struct drm_mode_crtc c = {0};
        c.crtc_id = crtc;
        ask(EACCES, DRM_IOCTL_MODE_SETCRTC, &c);
    }
    right = right && shown() == fbs[1];
    ask(0, DRM_IOCTL_MODE_RMFB, &fb);
    ask(ENOENT, DRM_IOCTL_MODE_RMFB, &fb);
    right = right && shown() == 0;
    for (int i = 0; i < 2; i++) {
        struct drm_mode_destroy_dumb destroy = {handles[i]};
        ask(0, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
        ask(EINVAL, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
    }
    done();
}

int main(int argc, char **argv)
{
    uint32_t fbs[2], handles[2];
    struct drm_mode_card_res r = {0};
    struct drm_mode_create_dumb dumb = {48, 64, 32, 0, 0, 0, 0};
    (void)argv;
    fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    client_need(fd >= 0, "open");
    if (argc > 2) {
        label = "NONE";
        ask(0, DRM_IOCTL_MODE_GETRESOURCES, &r);
        right = right && r.count_crtcs == 0 && r.count_connectors == 0;
        ask(EOPNOTSUPP, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
        done();
        return 0;
    }
    resources();
    label = "BUFFERS";
    fbs[0] = buffer(0xff804020, &handles[0]);
    fbs[1] = buffer(0xff204080, &handles[1]);
    done();
    flips(fbs);
    atomic(fbs);
    end(fbs, handles);
    return 0;
}
