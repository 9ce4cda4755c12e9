/* A context without a window, for the programs of GL and GLES. Include the header
 * of the API before this file. */
#ifndef CLIENT_EGL_H
#define CLIENT_EGL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "client.h"

typedef struct client_egl {
    EGLDisplay display;
    EGLContext context;
} client_egl;

/* Create a context of EGL_OPENGL_API or EGL_OPENGL_ES_API (2.0) on Mesa's
 * surfaceless platform, and make it current. Exit if the renderer is not the one
 * in argv. */
static inline client_egl client_egl_open(EGLenum api, int argc, char **argv)
{
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint config_attribs[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                     api == EGL_OPENGL_API ? EGL_OPENGL_BIT : EGL_OPENGL_ES2_BIT,
                                     EGL_NONE};
    client_egl c;
    EGLConfig config = NULL;
    EGLint count = 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    c.display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    client_need(c.display != EGL_NO_DISPLAY && eglInitialize(c.display, NULL, NULL), "display");
    client_need(eglBindAPI(api), "API");
    if (!eglChooseConfig(c.display, config_attribs, &config, 1, &count) || count == 0) {
        config = NULL;
    }
    c.context =
        eglCreateContext(c.display, config, EGL_NO_CONTEXT, api == EGL_OPENGL_API ? NULL : es2);
    client_need(c.context != EGL_NO_CONTEXT, "context");
    client_need(eglMakeCurrent(c.display, EGL_NO_SURFACE, EGL_NO_SURFACE, c.context), "current");
    client_name((const char *)glGetString(GL_RENDERER), argc > 1 ? argv[1] : NULL);
    printf("VERSION %s\n", (const char *)glGetString(GL_VERSION));
    return c;
}

/* Wait for all commands, print the error state, destroy the context. Return the
 * exit status. */
static inline int client_egl_close(client_egl *c)
{
    GLenum error;
    glFinish();
    error = glGetError();
    printf("ERROR %x\nFINISHED\n", error);
    eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(c->display, c->context);
    eglTerminate(c->display);
    printf("TERMINATED\n");
    return error == GL_NO_ERROR ? 0 : CLIENT_FAILED;
}

#endif /* CLIENT_EGL_H */
