/* What gl_mix and gl_copy share: desktop GL in a compatibility context, pictures
 * of 64x64 RGBA. */
#ifndef CLIENT_GL_H
#define CLIENT_GL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "client_egl.h"

enum { SIZE = 64, PICTURE = SIZE * SIZE * 4 };

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

/* A texture with data, or with undefined contents. */
static inline GLuint client_gl_texture(const void *data)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, data);
    return texture;
}

/* A framebuffer that draws into a texture; bound. */
static inline GLuint client_gl_framebuffer(GLuint texture)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    printf("STATUS %x\n", glCheckFramebufferStatus(GL_FRAMEBUFFER));
    return framebuffer;
}

/* Copy a rectangle between pictures of 64x64. */
static inline void client_gl_copy(uint8_t *dst, unsigned dst_x, unsigned dst_y, const uint8_t *src,
                                  unsigned src_x, unsigned src_y, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++) {
        memcpy(dst + ((dst_y + y) * SIZE + dst_x) * 4, src + ((src_y + y) * SIZE + src_x) * 4,
               (size_t)width * 4);
    }
}

/* Read the framebuffer's or the bound texture's picture back and compare. */
static inline void client_gl_check_pixels(const char *name, const uint8_t *want)
{
    static uint8_t got[PICTURE];
    client_poison(got, sizeof got);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, got);
    client_compare(name, got, want, sizeof got);
}

static inline void client_gl_check_texture(const char *name, GLuint texture, const uint8_t *want)
{
    static uint8_t got[PICTURE];
    client_poison(got, sizeof got);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    client_compare(name, got, want, sizeof got);
}

#endif /* CLIENT_GL_H */
