/* Desktop GL: textures of many forms (formats, mipmaps, layers, slices, cube faces).
 * Each is uploaded, partly replaced, read back and compared byte by byte. Also a
 * long buffer copy, and clears: of depth with stencil, of layers, of other formats,
 * of two targets, and under a condition. */
#include "client_gl.h"

/* Numbers of the patterns. No other program uses these numbers. */
enum { PATTERN_FORMS = 64, PATTERN_BIG = 200 };

enum { MAX_BYTES = 1 << 20 };

static uint8_t want[MAX_BYTES];
static uint8_t got[MAX_BYTES];
static uint8_t part[MAX_BYTES];

/* A form of texture. */
typedef struct form {
    const char *name;
    GLenum target;
    const char *extension; /* required extension, or NULL */
    GLint internal;
    GLenum format;
    GLenum type;
    unsigned bytes; /* bytes per pixel */
    GLsizei width, height, depth;
} form;

/* clang-format off */
static const form forms[] = {
    {"R8", GL_TEXTURE_2D, "GL_ARB_texture_rg", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, 37, 29, 1},
    {"RG8", GL_TEXTURE_2D, "GL_ARB_texture_rg", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, 53, 31, 1},
    {"RGB565", GL_TEXTURE_2D, "GL_ARB_ES2_compatibility", GL_RGB565, GL_RGB,
     GL_UNSIGNED_SHORT_5_6_5, 2, 64, 16, 1},
    {"RGBA8", GL_TEXTURE_2D, NULL, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 128, 64, 1},
    {"NPOT", GL_TEXTURE_2D, "GL_ARB_texture_non_power_of_two", GL_RGBA8, GL_RGBA,
     GL_UNSIGNED_BYTE, 4, 100, 36, 1},
    {"BGRA8", GL_TEXTURE_2D, NULL, GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, 4, 64, 128, 1},
    {"RGBA32F", GL_TEXTURE_2D, "GL_ARB_texture_float", GL_RGBA32F_ARB, GL_RGBA,
     GL_FLOAT, 16, 40, 24, 1},
    {"R32UI", GL_TEXTURE_2D, "GL_ARB_copy_image", GL_R32UI, GL_RED_INTEGER,
     GL_UNSIGNED_INT, 4, 61, 47, 1},
    {"RGBA16UI", GL_TEXTURE_2D, "GL_ARB_copy_image", GL_RGBA16UI, GL_RGBA_INTEGER,
     GL_UNSIGNED_SHORT, 8, 33, 65, 1},
    {"WIDE", GL_TEXTURE_2D, NULL, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 1024, 4, 1},
    {"TALL", GL_TEXTURE_2D, NULL, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 4, 512, 1},
    {"1D", GL_TEXTURE_1D, NULL, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 128, 1, 1},
    {"3D", GL_TEXTURE_3D, NULL, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 32, 16, 8},
    {"3DR8", GL_TEXTURE_3D, "GL_ARB_texture_rg", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, 50, 20, 40},
    {"ARRAY", GL_TEXTURE_2D_ARRAY, "GL_EXT_texture_array", GL_RGBA8, GL_RGBA,
     GL_UNSIGNED_BYTE, 4, 48, 40, 5},
};
/* clang-format on */

static size_t form_bytes(const form *f)
{
    return (size_t)f->width * (size_t)f->height * (size_t)f->depth * f->bytes;
}

static void tex_image(const form *f, GLint level, const void *data)
{
    const GLsizei w = f->width >> level > 0 ? f->width >> level : 1;
    const GLsizei h = f->height >> level > 0 ? f->height >> level : 1;
    switch (f->target) {
    case GL_TEXTURE_1D:
        glTexImage1D(f->target, level, f->internal, w, 0, f->format, f->type, data);
        break;
    case GL_TEXTURE_2D:
        glTexImage2D(f->target, level, f->internal, w, h, 0, f->format, f->type, data);
        break;
    default:
        glTexImage3D(f->target, level, f->internal, w, h, f->depth, 0, f->format, f->type, data);
        break;
    }
}

/* Replace x 1..w-2, y 1..h-2 of the last slices, less if the texture is smaller. */
static void replace_part(const form *f, unsigned check)
{
    const int x = f->width > 2 ? 1 : 0;
    const int y = f->height > 2 ? 1 : 0;
    const int z = f->depth / 2;
    const GLsizei w = f->width - 2 * x;
    const GLsizei h = f->height - 2 * y;
    const GLsizei d = f->depth - z;
    size_t at = 0;
    client_pattern(part, (size_t)w * (size_t)h * (size_t)d * f->bytes, check);
    if (f->target == GL_TEXTURE_1D) {
        glTexSubImage1D(f->target, 0, x, w, f->format, f->type, part);
    } else if (f->target == GL_TEXTURE_2D) {
        glTexSubImage2D(f->target, 0, x, y, w, h, f->format, f->type, part);
    } else {
        glTexSubImage3D(f->target, 0, x, y, z, w, h, d, f->format, f->type, part);
    }
    for (int k = 0; k < d; k++) {
        for (int i = 0; i < h; i++) {
            memcpy(want + ((size_t)((z + k) * f->height + y + i) * (size_t)f->width + (size_t)x) *
                              f->bytes,
                   part + at, (size_t)w * f->bytes);
            at += (size_t)w * f->bytes;
        }
    }
}

/* Fill to with the pattern of a check. Float formats get whole numbers. */
static void form_pattern(const form *f, uint8_t *to, unsigned check)
{
    client_pattern(to, form_bytes(f), check);
    if (f->type == GL_FLOAT) {
        for (size_t i = 0; i < form_bytes(f); i += sizeof(float)) {
            const float v = (float)(to[i] + 256 * to[i + 1]);
            memcpy(to + i, &v, sizeof v);
        }
    }
}

static void check_form(const form *f, unsigned check)
{
    GLuint texture;
    if (f->extension != NULL && !client_gl_has(f->extension)) {
        printf("%s -\n", f->name);
        return;
    }
    form_pattern(f, want, check);
    glGenTextures(1, &texture);
    glBindTexture(f->target, texture);
    glTexParameteri(f->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(f->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    tex_image(f, 0, want);
    if (f->type != GL_FLOAT) {
        replace_part(f, check + 1);
    }
    client_poison(got, form_bytes(f));
    glGetTexImage(f->target, 0, f->format, f->type, got);
    client_compare(f->name, got, want, form_bytes(f));
    glDeleteTextures(1, &texture);
}

/* Upload all levels of a 64x64 texture, then read each level. */
static void check_mipmaps(unsigned check)
{
    char name[16];
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (int level = 0; level <= 6; level++) {
        client_pattern(want, (size_t)16384 >> 2 * level, check + (unsigned)level);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 64 >> level, 64 >> level, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, want);
    }
    for (int level = 0; level <= 6; level++) {
        client_pattern(want, (size_t)16384 >> 2 * level, check + (unsigned)level);
        client_poison(got, sizeof got);
        glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, got);
        snprintf(name, sizeof name, "MIP%d", level);
        client_compare(name, got, want, (size_t)16384 >> 2 * level);
    }
    glDeleteTextures(1, &texture);
}

/* Upload and read the faces of a cube; each face has its own pattern. */
static void check_cube(unsigned check)
{
    char name[16];
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (unsigned face = 0; face < 6; face++) {
        client_pattern(want, 4096, check + face);
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 32, 32, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, want);
    }
    for (unsigned face = 0; face < 6; face++) {
        client_pattern(want, 4096, check + face);
        client_poison(got, 4096);
        glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
        snprintf(name, sizeof name, "FACE%u", face);
        client_compare(name, got, want, 4096);
    }
    glDeleteTextures(1, &texture);
}

/* Copy 1000003 bytes of 1 MiB from offset 7 to offset 13: no value is aligned. */
static void check_big_copy(unsigned check)
{
    GLuint buffer[2];
    if (!client_gl_has("GL_ARB_copy_buffer")) {
        printf("BIG -\n");
        return;
    }
    client_pattern(part, MAX_BYTES, check);
    client_pattern(want, MAX_BYTES, check + 1);
    glGenBuffers(2, buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer[0]);
    glBufferData(GL_COPY_READ_BUFFER, MAX_BYTES, part, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer[1]);
    glBufferData(GL_COPY_WRITE_BUFFER, MAX_BYTES, want, GL_STATIC_DRAW);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 7, 13, 1000003);
    memcpy(want + 13, part + 7, 1000003);
    client_poison(got, MAX_BYTES);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, MAX_BYTES, got);
    client_compare("BIG", got, want, MAX_BYTES);
    glDeleteBuffers(2, buffer);
}

/* Clear depth to 0.2 and stencil to 0x5a, and read both as one 32-bit value. */
static void check_depth_stencil(void)
{
    const GLsizei side = (GLsizei)size;
    GLuint texture;
    GLuint framebuffer;
    if (!client_gl_has("GL_EXT_packed_depth_stencil") ||
        !client_gl_has("GL_EXT_framebuffer_object")) {
        printf("DEPTH -\n");
        return;
    }
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, side, side, 0, GL_DEPTH_STENCIL,
                 GL_UNSIGNED_INT_24_8, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    printf("STATUS %x\n", glCheckFramebufferStatus(GL_FRAMEBUFFER));
    glClearDepth(0.2);
    glClearStencil(0x5a);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    client_poison(got, client_gl_picture());
    glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, got);
    for (size_t i = 0; i < client_gl_picture(); i += 4) {
        const uint32_t v = 0x3333335a; /* 0.2 of 2^24 - 1 is 0x333333 */
        memcpy(want + i, &v, sizeof v);
    }
    client_compare("DEPTH", got, want, client_gl_picture());
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* Clear all layers of an array texture at once. */
static void check_layers(unsigned check)
{
    const GLuint colour[4] = {0x12345678, 2, 3, 4};
    GLuint texture;
    GLuint framebuffer;
    if (!client_gl_has("GL_ARB_geometry_shader4") && !client_gl_has("GL_ARB_copy_image")) {
        printf("LAYERS -\n");
        return;
    }
    client_pattern(part, 32 * 32 * 4 * 3, check);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32UI, 32, 32, 3, 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                 part);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    printf("STATUS %x\n", glCheckFramebufferStatus(GL_FRAMEBUFFER));
    glClearBufferuiv(GL_COLOR, 0, colour);
    client_poison(got, 32 * 32 * 4 * 3);
    glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
    for (size_t i = 0; i < (size_t)32 * 32 * 4 * 3; i += 4) {
        memcpy(want + i, &colour[0], 4);
    }
    client_compare("LAYERS", got, want, (size_t)32 * 32 * 4 * 3);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* Clear pictures of other formats to (0.5, 1, 0, 1). */
static void check_clears(void)
{
    static const uint8_t half[8] = {0x00, 0x38, 0x00, 0x3c, 0x00, 0x00, 0x00, 0x3c};
    static const uint8_t ten[4] = {0x00, 0xfe, 0x0f, 0xc0}; /* 512, 1023, 0, 3 */
    static const uint8_t few[2] = {0xe0, 0x87};             /* 16, 63, 0 */
    static const struct {
        const char *name;
        GLint internal;
        GLenum format;
        GLenum type;
        const uint8_t *pixel;
        size_t bytes;
    } rows[] = {
        {"CLEAR16F", GL_RGBA16F,  GL_RGBA, GL_HALF_FLOAT,                  half, 8},
        {"CLEAR10",  GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, ten,  4},
        {"CLEAR565", GL_RGB565,   GL_RGB,  GL_UNSIGNED_SHORT_5_6_5,        few,  2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        GLuint texture;
        GLuint framebuffer;
        if (!client_gl_has("GL_ARB_copy_image")) {
            printf("%s -\n", rows[i].name);
            continue;
        }
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, rows[i].internal, 40, 30, 0, rows[i].format, rows[i].type,
                     NULL);
        framebuffer = client_gl_framebuffer(texture);
        glClearColor(0.5f, 1.0f, 0.0f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        for (size_t k = 0; k < 40 * 30; k++) {
            memcpy(want + k * rows[i].bytes, rows[i].pixel, rows[i].bytes);
        }
        client_poison(got, 40 * 30 * rows[i].bytes);
        glGetTexImage(GL_TEXTURE_2D, 0, rows[i].format, rows[i].type, got);
        client_compare(rows[i].name, got, want, 40 * 30 * rows[i].bytes);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
    }
}

/* Clear two targets at once; each has its own picture before the clear. */
static void check_targets(unsigned check)
{
    const GLenum targets[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    static const uint8_t colour[4] = {0xff, 0x00, 0x33, 0xff};
    GLuint texture[2];
    GLuint framebuffer;
    GLint most = 0;
    glGetIntegerv(GL_MAX_DRAW_BUFFERS, &most);
    if (!client_gl_has("GL_ARB_framebuffer_object") || most < 2) {
        printf("TARGET0 -\nTARGET1 -\n");
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        client_pattern(want, MAX_PICTURE, check + i);
        texture[i] = client_gl_texture(want);
    }
    framebuffer = client_gl_framebuffer(texture[0]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, texture[1], 0);
    glDrawBuffers(2, targets);
    glClearColor(1.0f, 0.0f, 0.2f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    for (size_t i = 0; i < MAX_PICTURE; i++) {
        want[i] = colour[i % 4];
    }
    client_gl_check_texture("TARGET0", texture[0], want);
    client_gl_check_texture("TARGET1", texture[1], want);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, texture);
}

/* Clear under the condition that samples passed. No sample passed. */
static void check_condition(unsigned check)
{
    GLuint query;
    GLuint texture;
    GLuint framebuffer;
    if (!client_gl_has("GL_NV_conditional_render")) {
        printf("COND -\n");
        return;
    }
    client_pattern(want, MAX_PICTURE, check);
    texture = client_gl_texture(want);
    framebuffer = client_gl_framebuffer(texture);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glClearColor(0.0f, 0.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEndConditionalRender();
    client_gl_check_pixels("COND", want);
    glDeleteQueries(1, &query);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

int main(int argc, char **argv)
{
    client_egl c = client_gl_open(argc, argv);
    unsigned check = PATTERN_FORMS;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++, check += 2) {
        check_form(&forms[i], check);
    }
    check_mipmaps(check);
    check_cube(check + 8);
    check_big_copy(PATTERN_BIG);
    check_depth_stencil();
    check_layers(check + 16);
    check_condition(check + 17);
    check_clears();
    check_targets(check + 18);
    return client_egl_close(&c);
}
