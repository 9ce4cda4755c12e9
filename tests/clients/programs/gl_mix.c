/* Desktop GL, in this order: clear and read back, read a texture, copy, an
 * occlusion query, a time query, a fence, a buffer copy, a dispatch. Each wait is
 * announced by a line such as "oq wait". */
#include "client_gl.h"

/* Numbers of the patterns. No other program uses these numbers. */
enum { PATTERN_TEXTURE = 1, PATTERN_BUFFER_SRC = 2, PATTERN_BUFFER_DST = 3 };

enum { BUFFER = 4096 };

static void clear_and_read(void)
{
    static const uint8_t colour[4] = {0x33, 0x66, 0x99, 0xcc};
    static uint8_t want[MAX_PICTURE];
    for (size_t i = 0; i < sizeof want; i++) {
        want[i] = colour[i % 4];
    }
    glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
    glClear(GL_COLOR_BUFFER_BIT);
    client_gl_check_pixels("CLEAR", want);
}

static void draw_quad(GLuint texture)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glEnable(GL_TEXTURE_2D);
    glViewport(0, 0, (GLsizei)size, (GLsizei)size);
    glBegin(GL_QUADS);
    glTexCoord2f(0.0f, 0.0f);
    glVertex2f(-0.5f, -0.5f);
    glTexCoord2f(1.0f, 0.0f);
    glVertex2f(0.5f, -0.5f);
    glTexCoord2f(1.0f, 1.0f);
    glVertex2f(0.5f, 0.5f);
    glTexCoord2f(0.0f, 1.0f);
    glVertex2f(-0.5f, 0.5f);
    glEnd();
    glDisable(GL_TEXTURE_2D);
}

static void occlusion_query(GLuint texture)
{
    GLuint query;
    GLuint samples = 0xeeeeeeee;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    draw_quad(texture);
    glEndQuery(GL_SAMPLES_PASSED);
    printf("oq wait\n");
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
    printf("OQ %u\n", samples);
    glDeleteQueries(1, &query);
    printf("finish wait\n");
    glFinish();
}

static void timer_queries(void)
{
    GLuint query[2];
    GLuint64 elapsed = 0;
    GLuint64 at = 0;
    if (!client_gl_has("GL_ARB_timer_query")) {
        printf("TIMER -\nTIMESTAMP -\n");
        return;
    }
    glGenQueries(2, query);
    glBeginQuery(GL_TIME_ELAPSED, query[0]);
    glClear(GL_COLOR_BUFFER_BIT);
    glEndQuery(GL_TIME_ELAPSED);
    glQueryCounter(query[1], GL_TIMESTAMP);
    printf("timer wait\n");
    glGetQueryObjectui64v(query[0], GL_QUERY_RESULT, &elapsed);
    glGetQueryObjectui64v(query[1], GL_QUERY_RESULT, &at);
    printf("TIMER %s\nTIMESTAMP %s\n", elapsed > 0 ? "GROWS" : "0", at > 0 ? "GROWS" : "0");
    glDeleteQueries(2, query);
}

static void fence(void)
{
    GLsync sync;
    if (!client_gl_has("GL_ARB_sync")) {
        printf("SYNC -\n");
        return;
    }
    glClear(GL_COLOR_BUFFER_BIT);
    sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    printf("sync wait\n");
    printf("SYNC %x\n", glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000));
    glDeleteSync(sync);
}

static void copy_buffer(void)
{
    static uint8_t src[BUFFER];
    static uint8_t dst[BUFFER];
    GLuint buffer[2];
    if (!client_gl_has("GL_ARB_copy_buffer")) {
        printf("COPYBUF -\n");
        return;
    }
    client_pattern(src, sizeof src, PATTERN_BUFFER_SRC);
    client_pattern(dst, sizeof dst, PATTERN_BUFFER_DST);
    glGenBuffers(2, buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer[0]);
    glBufferData(GL_COPY_READ_BUFFER, BUFFER, src, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer[1]);
    glBufferData(GL_COPY_WRITE_BUFFER, BUFFER, dst, GL_STATIC_DRAW);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, BUFFER);
    client_poison(dst, sizeof dst);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, BUFFER, dst);
    client_compare("COPYBUF", dst, src, sizeof src);
    glDeleteBuffers(2, buffer);
}

/* b[i] = 3 * i + 7. If no shader is executed, b stays 0. */
static const char *const dispatch_source =
    "#version 420\n"
    "#extension GL_ARB_compute_shader : require\n"
    "#extension GL_ARB_shader_storage_buffer_object : require\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) buffer B { uint b[]; };\n"
    "void main() { b[gl_GlobalInvocationID.x] = 3u * gl_GlobalInvocationID.x + 7u; }\n";

static void dispatch(void)
{
    const GLuint program = glCreateProgram();
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    GLuint buffer;
    GLint fine = 0;
    const uint32_t *b;
    glShaderSource(shader, 1, &dispatch_source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &fine);
    client_need(fine != 0, "compute program");
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, BUFFER, NULL, GL_STATIC_READ);
    glUseProgram(program);
    glDispatchCompute(16, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    printf("dispatch wait\n");
    b = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, BUFFER, GL_MAP_READ_BIT);
    printf("COMPUTE %" PRIu32 "\n", b != NULL ? b[5] : 0xeeeeeeee);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    glUseProgram(0);
    glDeleteBuffers(1, &buffer);
    glDeleteShader(shader);
    glDeleteProgram(program);
}

int main(int argc, char **argv)
{
    static uint8_t picture[MAX_PICTURE];
    client_egl c = client_gl_open(argc, argv);
    GLuint texture[2];
    client_pattern(picture, sizeof picture, PATTERN_TEXTURE);
    texture[0] = client_gl_texture(NULL);
    texture[1] = client_gl_texture(picture);
    client_gl_framebuffer(texture[0]);
    clear_and_read();
    client_gl_check_texture("TEX", texture[1], picture);
    glBindTexture(GL_TEXTURE_2D, texture[1]);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 0, 0, 32, 32);
    occlusion_query(texture[1]);
    timer_queries();
    fence();
    copy_buffer();
    if (client_gl_has("GL_ARB_compute_shader") &&
        client_gl_has("GL_ARB_shader_storage_buffer_object")) {
        dispatch();
    } else {
        printf("COMPUTE -\n");
    }
    return client_egl_close(&c);
}
