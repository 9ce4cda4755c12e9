/* Desktop GL: six operations that move data on the GPU. Each has its own pattern
 * and is compared byte by byte: buffer copy with an update, clear of a buffer,
 * image copy, blit, copy into a texture, clear inside a scissor. */
#include "client_gl.h"

/* Numbers of the patterns. No other program uses these numbers. */
enum {
    PATTERN_SUBDATA_SRC = 17,
    PATTERN_SUBDATA_DST,
    PATTERN_SUBDATA_NEW,
    PATTERN_CLEARBUF,
    PATTERN_COPYIMG_SRC,
    PATTERN_COPYIMG_DST,
    PATTERN_BLITFB_SRC,
    PATTERN_BLITFB_DST,
    PATTERN_COPYTEX_SRC,
    PATTERN_COPYTEX_DST,
    PATTERN_SCISSOR,
};

enum { BUFFER = 65536 };

static uint8_t src_picture[MAX_PICTURE];
static uint8_t dst_picture[MAX_PICTURE];

/* Create two buffers with the bytes src and dst. */
static void make_buffers(GLuint buffer[2], const void *src, const void *dst)
{
    glGenBuffers(2, buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer[0]);
    glBufferData(GL_COPY_READ_BUFFER, BUFFER, src, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer[1]);
    glBufferData(GL_COPY_WRITE_BUFFER, BUFFER, dst, GL_STATIC_DRAW);
}

/* Copy 64 KiB, then replace 64 bytes at offset 256. */
static void check_subdata(void)
{
    static uint8_t want[BUFFER];
    static uint8_t got[BUFFER];
    uint8_t piece[64];
    GLuint buffer[2];
    if (!client_gl_has("GL_ARB_copy_buffer")) {
        printf("SUBDATA -\n");
        return;
    }
    client_pattern(want, sizeof want, PATTERN_SUBDATA_SRC);
    client_pattern(got, sizeof got, PATTERN_SUBDATA_DST);
    client_pattern(piece, sizeof piece, PATTERN_SUBDATA_NEW);
    make_buffers(buffer, want, got);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, BUFFER);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 256, sizeof piece, piece);
    memcpy(want + 256, piece, sizeof piece);
    client_poison(got, sizeof got);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, BUFFER, got);
    client_compare("SUBDATA", got, want, sizeof want);
    glDeleteBuffers(2, buffer);
}

/* Fill 4 KiB at offset 1024 with one word. */
static void check_clearbuf(void)
{
    static uint8_t want[BUFFER];
    static uint8_t got[BUFFER];
    const GLuint word = 0xdeadbeef;
    const uint8_t bytes[4] = {0xef, 0xbe, 0xad, 0xde};
    GLuint buffer;
    if (glGetString(GL_VERSION)[0] < '3' || !client_gl_has("GL_ARB_clear_buffer_object")) {
        printf("CLEARBUF -\n");
        return;
    }
    client_pattern(want, sizeof want, PATTERN_CLEARBUF);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, BUFFER, want, GL_STATIC_DRAW);
    glClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R32UI, 1024, 4096, GL_RED_INTEGER,
                         GL_UNSIGNED_INT, &word);
    for (size_t i = 0; i < 4096; i++) {
        want[1024 + i] = bytes[i % 4];
    }
    client_poison(got, sizeof got);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, BUFFER, got);
    client_compare("CLEARBUF", got, want, sizeof want);
    glDeleteBuffers(1, &buffer);
}

/* Create two textures with the patterns src and dst. */
static void make_textures(GLuint texture[2], uint32_t src, uint32_t dst)
{
    client_pattern(src_picture, sizeof src_picture, src);
    client_pattern(dst_picture, sizeof dst_picture, dst);
    texture[0] = client_gl_texture(src_picture);
    texture[1] = client_gl_texture(dst_picture);
}

/* Copy 32x20 pixels from (8, 4) to (16, 12). */
static void check_copyimg(void)
{
    GLuint texture[2];
    if (!client_gl_has("GL_ARB_copy_image")) {
        printf("COPYIMG -\n");
        return;
    }
    make_textures(texture, PATTERN_COPYIMG_SRC, PATTERN_COPYIMG_DST);
    glCopyImageSubData(texture[0], GL_TEXTURE_2D, 0, 8, 4, 0, texture[1], GL_TEXTURE_2D, 0, 16, 12,
                       0, 32, 20, 1);
    client_gl_copy(dst_picture, 16, 12, src_picture, 8, 4, 32, 20);
    client_gl_check_texture("COPYIMG", texture[1], dst_picture);
    glDeleteTextures(2, texture);
}

/* Blit the whole picture, without scaling. */
static void check_blitfb(void)
{
    const GLint side = (GLint)size;
    GLuint texture[2];
    GLuint framebuffer[2];
    if (!client_gl_has("GL_ARB_framebuffer_object") && !client_gl_has("GL_EXT_framebuffer_blit")) {
        printf("BLITFB -\n");
        return;
    }
    make_textures(texture, PATTERN_BLITFB_SRC, PATTERN_BLITFB_DST);
    framebuffer[0] = client_gl_framebuffer(texture[0]);
    framebuffer[1] = client_gl_framebuffer(texture[1]);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer[0]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer[1]);
    glBlitFramebuffer(0, 0, side, side, 0, 0, side, side, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer[1]);
    client_gl_check_pixels("BLITFB", src_picture);
    glDeleteFramebuffers(2, framebuffer);
    glDeleteTextures(2, texture);
}

/* Copy 32x32 pixels from (0, 0) of the framebuffer to (8, 8) of a texture. */
static void check_copytex(void)
{
    GLuint texture[2];
    GLuint framebuffer;
    make_textures(texture, PATTERN_COPYTEX_SRC, PATTERN_COPYTEX_DST);
    framebuffer = client_gl_framebuffer(texture[0]);
    glBindTexture(GL_TEXTURE_2D, texture[1]);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 0, 0, 32, 32);
    client_gl_copy(dst_picture, 8, 8, src_picture, 0, 0, 32, 32);
    client_gl_check_texture("COPYTEX", texture[1], dst_picture);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, texture);
}

/* Clear x 10..39, y 20..27 of a picture with a pattern. */
static void check_scissor(void)
{
    static const uint8_t colour[4] = {0xff, 0x00, 0xff, 0x00};
    GLuint texture;
    GLuint framebuffer;
    client_pattern(dst_picture, sizeof dst_picture, PATTERN_SCISSOR);
    texture = client_gl_texture(dst_picture);
    framebuffer = client_gl_framebuffer(texture);
    glEnable(GL_SCISSOR_TEST);
    glScissor(10, 20, 30, 8);
    glClearColor(1.0f, 0.0f, 1.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    for (unsigned y = 20; y < 28; y++) {
        for (unsigned x = 10; x < 40; x++) {
            memcpy(dst_picture + (y * size + x) * 4, colour, sizeof colour);
        }
    }
    client_gl_check_pixels("SCISSOR", dst_picture);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

int main(int argc, char **argv)
{
    client_egl c = client_gl_open(argc, argv);
    check_subdata();
    check_clearbuf();
    check_copyimg();
    check_blitfb();
    check_copytex();
    check_scissor();
    return client_egl_close(&c);
}
