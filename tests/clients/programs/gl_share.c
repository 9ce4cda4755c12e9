/* Two processes share a picture: the first exports its texture as a dma-buf and sends the
 * descriptor through a socket; the second, which has executed the program again, imports it,
 * compares it and clears it; the first reads the result. */
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client_egl.h"

enum { SIZE = 64, BYTES = SIZE * SIZE * 4, SOCKET = 33 };

/* The first process sends this to the second one. */
typedef struct picture {
    EGLint stride, offset;
    int fourcc;
    EGLuint64KHR modifier;
} picture;

static uint8_t want[BYTES];
static uint8_t got[BYTES];

static __eglMustCastToProperFunctionPointerType proc(const char *name)
{
    const __eglMustCastToProperFunctionPointerType at = eglGetProcAddress(name);
    client_need(at != NULL, name);
    return at;
}

/* Send or receive one descriptor with a message. */
static void pass(int *fd, void *data, size_t bytes, bool sends)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct iovec part = {data, bytes};
    struct msghdr m = {0};
    struct cmsghdr *c;
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    m.msg_control = control.bytes;
    m.msg_controllen = sizeof control.bytes;
    if (!sends) {
        client_need(recvmsg(SOCKET, &m, 0) == (ssize_t)bytes, "message");
    }
    c = CMSG_FIRSTHDR(&m);
    client_need(c != NULL, "descriptor");
    if (sends) {
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), fd, sizeof(int));
        client_need(sendmsg(SOCKET, &m, 0) == (ssize_t)bytes, "message");
    } else {
        memcpy(fd, CMSG_DATA(c), sizeof(int));
    }
}

static GLuint new_texture(void)
{
    GLuint texture;
    GLuint fbo;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    return texture;
}

static void compare(const char *name)
{
    client_poison(got, BYTES);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, got);
    client_compare(name, got, want, BYTES);
}

/* The second process: import, compare, clear it. */
static int import(client_egl *c)
{
    PFNEGLCREATEIMAGEKHRPROC create = (PFNEGLCREATEIMAGEKHRPROC)proc("eglCreateImageKHR");
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC target =
        (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)proc("glEGLImageTargetTexture2DOES");
    picture p;
    EGLImageKHR image;
    GLuint texture;
    int fd = -1;
    pass(&fd, &p, sizeof p, false);
    const EGLint attribs[] = {EGL_WIDTH,
                              SIZE,
                              EGL_HEIGHT,
                              SIZE,
                              EGL_LINUX_DRM_FOURCC_EXT,
                              p.fourcc,
                              EGL_DMA_BUF_PLANE0_FD_EXT,
                              fd,
                              EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                              p.offset,
                              EGL_DMA_BUF_PLANE0_PITCH_EXT,
                              p.stride,
                              EGL_NONE};
    image = create(c->display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attribs);
    client_need(image != EGL_NO_IMAGE_KHR, "image");
    texture = new_texture();
    target(GL_TEXTURE_2D, image);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    client_need(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "framebuffer");
    client_pattern(want, BYTES, 1);
    for (int i = 3; i < BYTES; i += 4) {
        want[i] = 255;
    }
    compare("IMPORTED");
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    close(fd);
    return client_egl_close(c);
}

/* Start this program again, as the second process. */
static pid_t start(char **argv, int ends[2])
{
    static char import_word[] = "import";
    char *const again[] = {argv[0], argv[1], import_word, NULL};
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], SOCKET);
        execv(argv[0], again);
        _exit(127);
    }
    dup2(ends[0], SOCKET);
    return child;
}

static int export(client_egl *c, char **argv)
{
    PFNEGLCREATEIMAGEKHRPROC create = (PFNEGLCREATEIMAGEKHRPROC)proc("eglCreateImageKHR");
    PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query =
        (PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC)proc("eglExportDMABUFImageQueryMESA");
    PFNEGLEXPORTDMABUFIMAGEMESAPROC export_image =
        (PFNEGLEXPORTDMABUFIMAGEMESAPROC)proc("eglExportDMABUFImageMESA");
    const GLuint texture = new_texture();
    int ends[2];
    int status = 0;
    int fd = -1;
    int planes;
    picture p;
    EGLImageKHR image;
    pid_t child;
    client_need(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "socket");
    child = start(argv, ends);
    client_pattern(want, BYTES, 1);
    for (int i = 3; i < BYTES; i += 4) {
        want[i] = 255;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, want);
    image = create(c->display, c->context, EGL_GL_TEXTURE_2D_KHR,
                   (EGLClientBuffer)(uintptr_t)texture, NULL);
    client_need(image != EGL_NO_IMAGE_KHR &&
                    query(c->display, image, &p.fourcc, &planes, &p.modifier) && planes == 1 &&
                    export_image(c->display, image, &fd, &p.stride, &p.offset),
                "export");
    glFinish();
    pass(&fd, &p, sizeof p, true);
    close(fd);
    client_need(waitpid(child, &status, 0) == child && status == 0, "second process");
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (int i = 0; i < BYTES; i += 4) {
        memcpy(want + i, (const uint8_t[]){0, 255, 0, 255}, 4);
    }
    compare("RETURNED");
    return client_egl_close(c);
}

int main(int argc, char **argv)
{
    client_egl c;
    client_need(argc > 1, "name of the renderer");
    c = client_egl_open(EGL_OPENGL_ES_API, argc, argv);
    return argc > 2 ? import(&c) : export(&c, argv);
}
