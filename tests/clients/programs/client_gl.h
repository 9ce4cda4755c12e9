/* Helpers for the desktop GL programs: a compatibility context, square RGBA
 * pictures.
 *
 *   PROGRAM [TEXT [SIZE]]   SIZE: side of the pictures, 48..64. Default: 64
 *
 * For a size that is not a power of two, drivers of old GPUs use another layout. */
#ifndef CLIENT_GL_H
#define CLIENT_GL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "client_egl.h"

enum { MIN_SIZE = 48, MAX_SIZE = 64, MAX_PICTURE = MAX_SIZE * MAX_SIZE * 4 };

static unsigned size = MAX_SIZE;

/* Return the size of a picture in bytes. */
static inline size_t client_gl_picture(void)
{
    return (size_t)size * size * 4;
}

static inline client_egl client_gl_open(int argc, char **argv)
{
    size = argc > 2 ? (unsigned)atoi(argv[2]) : MAX_SIZE;
    client_need(size >= MIN_SIZE && size <= MAX_SIZE, "size");
    return client_egl_open(EGL_OPENGL_API, argc, argv);
}

static inline bool client_gl_has(const char *extension)
{
    const char *all = (const char *)glGetString(GL_EXTENSIONS);
    const size_t n = strlen(extension);
    for (const char *at = all; at != NULL && (at = strstr(at, extension)) != NULL; at += n) {
        if ((at == all || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) {
            return true;
        }
    }
    return false;
}

/* Create a texture with data; if data is NULL, its contents are undefined. */
static inline GLuint client_gl_texture(const void *data)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)size, (GLsizei)size, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, data);
    return texture;
}

/* Create and bind a framebuffer that draws into a texture. */
static inline GLuint client_gl_framebuffer(GLuint texture)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    printf("STATUS %x\n", glCheckFramebufferStatus(GL_FRAMEBUFFER));
    return framebuffer;
}

/* Copy a rectangle between two pictures in memory, with the CPU. */
static inline void client_gl_copy(uint8_t *dst, unsigned dst_x, unsigned dst_y, const uint8_t *src,
                                  unsigned src_x, unsigned src_y, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++) {
        memcpy(dst + ((dst_y + y) * size + dst_x) * 4, src + ((src_y + y) * size + src_x) * 4,
               (size_t)width * 4);
    }
}

/* Read the picture of the framebuffer or of the bound texture and compare it. */
static inline void client_gl_check_pixels(const char *name, const uint8_t *want)
{
    static uint8_t got[MAX_PICTURE];
    client_poison(got, sizeof got);
    glReadPixels(0, 0, (GLsizei)size, (GLsizei)size, GL_RGBA, GL_UNSIGNED_BYTE, got);
    client_compare(name, got, want, client_gl_picture());
}

static inline void client_gl_check_texture(const char *name, GLuint texture, const uint8_t *want)
{
    static uint8_t got[MAX_PICTURE];
    client_poison(got, sizeof got);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    client_compare(name, got, want, client_gl_picture());
}

#endif /* CLIENT_GL_H */
