/* GLES 2: two frames of several hundred uniforms and draws, so that the driver
 * writes long, chained or split batches.
 *
 *   gles2_manydraws [TEXT [SIZE [DRAWS]]] */
#include "client_gles2.h"

int main(int argc, char **argv)
{
    const int draws = argc > 3 ? atoi(argv[3]) : 400;
    scene s = scene_open(argc, argv);
    for (int frame = 0; frame < 2; frame++) {
        glClearColor(0.5f, 0.25f * (float)frame, 0.75f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < draws; i++) {
            glUniform4f(s.colour, (float)i / (float)draws, 0.5f, 0.0f, 1.0f);
            glDrawArrays(GL_TRIANGLES, 0, 3);
        }
        scene_show(frame);
    }
    printf("DRAWS %d\n", 2 * draws);
    return scene_close(&s);
}
