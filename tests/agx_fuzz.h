/* agx_fuzz.h - main of the AGX fuzz targets: replays all files of the directories that the arguments
 * name. A target aborts on a failure, so a file for which it returns has passed. */
#ifndef AGX_FUZZ_H
#define AGX_FUZZ_H

#include <dirent.h>
#include <stdio.h>

static unsigned fuzz_directory(const char *path)
{
    static uint8_t data[65536];
    unsigned passed = 0;
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return 0;
    }
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        char name[1024];
        if (e->d_name[0] == '.' || strlen(path) + strlen(e->d_name) + 2 > sizeof name) {
            continue;
        }
        sprintf(name, "%s/%s", path, e->d_name);
        FILE *f = fopen(name, "rb");
        if (f != NULL) {
            const size_t n = fread(data, 1, sizeof data, f);
            fclose(f);
            (void)LLVMFuzzerTestOneInput(data, n);
            passed++;
        }
    }
    closedir(dir);
    return passed;
}

int main(int argc, char **argv)
{
    unsigned passed = 0;
    for (int i = 1; i < argc; i++) {
        passed += fuzz_directory(argv[i]);
    }
    printf("%s: %u passed, %u failed\n", FUZZ_NAME, passed, passed == 0 ? 1u : 0u);
    return passed == 0;
}

#endif /* AGX_FUZZ_H */
