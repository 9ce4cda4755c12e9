/* GLES 2: three frames of a triangle, cleared, drawn, blended and read back. Only
 * clears and copies are executed. No shader is executed, so that the triangle does
 * not appear. */
#include "client_gles2.h"

static void draw_frame(const scene *s, int i)
{
    static const GLushort order[3] = {0, 1, 2};
    glDisable(GL_BLEND);
    glClearColor(0.25f * (float)i, 0.5f, 0.75f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glUniform4f(s->colour, 1.0f, 0.25f * (float)i, 0.0f, 1.0f);
    if (i != 1) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    if (i == 2) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE);
        glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, order);
    }
    scene_show(i);
}

int main(int argc, char **argv)
{
    scene s = scene_open(argc, argv);
    for (int i = 0; i < 3; i++) {
        draw_frame(&s, i);
    }
    return scene_close(&s);
}
