/* The scene of gles2_tri and gles2_manydraws: a triangle in one colour, drawn into
 * a square texture.
 *
 *   PROGRAM [TEXT [SIZE]]   SIZE: side of the texture, 48..64. Default: 64 */
#ifndef CLIENT_GLES2_H
#define CLIENT_GLES2_H

#include <GLES2/gl2.h>

#include "client_egl.h"

enum { MIN_SIZE = 48, MAX_SIZE = 64 };

static GLsizei size = MAX_SIZE;

typedef struct scene {
    client_egl egl;
    GLuint texture;
    GLuint framebuffer;
    GLuint program;
    GLuint corners;
    GLint colour; /* location of the uniform */
} scene;

static const GLfloat scene_triangle[6] = {-0.5f, -0.5f, 0.5f, -0.5f, 0.0f, 0.75f};

static inline GLuint scene_shader(GLenum type, const char *source)
{
    const GLuint shader = glCreateShader(type);
    GLint fine = 0;
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    client_need(fine != 0, "shader");
    return shader;
}

static inline GLuint scene_program(void)
{
    const GLuint program = glCreateProgram();
    GLint fine = 0;
    glAttachShader(program, scene_shader(GL_VERTEX_SHADER,
                                         "attribute vec2 at;\n"
                                         "void main() { gl_Position = vec4(at, 0.0, 1.0); }\n"));
    glAttachShader(program,
                   scene_shader(GL_FRAGMENT_SHADER, "precision mediump float;\n"
                                                    "uniform vec4 colour;\n"
                                                    "void main() { gl_FragColor = colour; }\n"));
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &fine);
    client_need(fine != 0, "program");
    glUseProgram(program);
    return program;
}

static inline scene scene_open(int argc, char **argv)
{
    scene s;
    size = argc > 2 ? atoi(argv[2]) : MAX_SIZE;
    client_need(size >= MIN_SIZE && size <= MAX_SIZE, "size");
    s.egl = client_egl_open(EGL_OPENGL_ES_API, argc, argv);
    glGenTextures(1, &s.texture);
    glBindTexture(GL_TEXTURE_2D, s.texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &s.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, s.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.texture, 0);
    printf("STATUS %x\n", glCheckFramebufferStatus(GL_FRAMEBUFFER));
    s.program = scene_program();
    s.colour = glGetUniformLocation(s.program, "colour");
    glGenBuffers(1, &s.corners);
    glBindBuffer(GL_ARRAY_BUFFER, s.corners);
    glBufferData(GL_ARRAY_BUFFER, sizeof scene_triangle, scene_triangle, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glViewport(0, 0, size, size);
    return s;
}

/* Read the picture, and print its first pixel and its centre pixel. */
static inline void scene_show(int frame)
{
    static uint8_t pixels[MAX_SIZE * MAX_SIZE * 4];
    const uint8_t *a = pixels;
    const uint8_t *b = pixels + (size / 2 * size + size / 2) * 4;
    client_poison(pixels, sizeof pixels);
    glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("FRAME%d %02x%02x%02x%02x %02x%02x%02x%02x\n", frame, a[0], a[1], a[2], a[3], b[0], b[1],
           b[2], b[3]);
}

static inline int scene_close(scene *s)
{
    glFinish();
    glDeleteBuffers(1, &s->corners);
    glDeleteProgram(s->program);
    glDeleteFramebuffers(1, &s->framebuffer);
    glDeleteTextures(1, &s->texture);
    return client_egl_close(&s->egl);
}

#endif /* CLIENT_GLES2_H */
