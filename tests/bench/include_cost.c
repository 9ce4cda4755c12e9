/* include_cost ROUNDS FILE... -- COMMAND...: measure the CPU time of COMMAND with each FILE as its
 * last argument. The cost of a FILE is its time minus the time of the first FILE. Print one number
 * for each FILE from the third on: its cost divided by the cost of the second. The files are
 * compiled in turn, and times are medians. */
#include "bench.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FILES = 8, MAX_ARGS = 32 };

static double children(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double cost(char **command)
{
    const double before = children();
    int status = 1;
    const pid_t pid = fork();
    if (pid == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    bench_require(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "cannot compile");
    return children() - before;
}

int main(int argc, char **argv)
{
    static double t[MAX_FILES][BENCH_MAX_ROUNDS];
    char *command[MAX_ARGS + 2] = {NULL};
    double base;
    double unit;
    int files = 0;
    int args = 0;
    int rounds;
    bench_require(argc > 5, "include_cost ROUNDS FILE... -- COMMAND...");
    rounds = atoi(argv[1]);
    bench_require(rounds > 0 && rounds <= BENCH_MAX_ROUNDS, "rounds");
    while (2 + files < argc && strcmp(argv[2 + files], "--") != 0) {
        files++;
    }
    bench_require(files > 2 && files <= MAX_FILES && argc - files - 3 <= MAX_ARGS, "arguments");
    for (int i = files + 3; i < argc; i++) {
        command[args++] = argv[i];
    }
    for (int r = -2; r < rounds; r++) {
        for (int f = 0; f < files; f++) {
            command[args] = argv[2 + f];
            t[f][r < 0 ? 0 : r] = cost(command);
        }
    }
    base = bench_median(t[0], (size_t)rounds);
    unit = bench_median(t[1], (size_t)rounds) - base;
    for (int f = 2; f < files; f++) {
        printf("%.4f\n", (bench_median(t[f], (size_t)rounds) - base) / unit);
    }
    return 0;
}
