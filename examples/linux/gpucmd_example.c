/* gpucmd_example.c - all headers in a kernel module; writes and executes one stream of each vendor.
 *
 * You learn: a kernel needs no configuration. Include the headers, in one unit
 * with GPUCMD_IMPLEMENTATION; GPUCMD_STATIC keeps the functions in this module.
 * Read first: ../streams.h, which has the streams. Build: see Kbuild.
 */

#include <linux/module.h>
#include <linux/printk.h>

#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "streams.h"

static int __init gpucmd_example_init(void)
{
    static bool (*const streams[])(gpucmd_text * t) = {streams_nv, streams_i915, streams_agx};
    unsigned int i;
    for (i = 0; i < ARRAY_SIZE(streams); i++) {
        char line[80];
        gpucmd_text t;
        bool done;
        gpucmd_text_init(&t, line, sizeof line);
        done = streams[i](&t);
        pr_info("gpucmd_example: %s", line);
        if (!done) {
            return -EIO;
        }
    }
    return 0;
}

static void __exit gpucmd_example_exit(void)
{
}

module_init(gpucmd_example_init);
module_exit(gpucmd_example_exit);
MODULE_DESCRIPTION("GPU command streams, written and executed");
MODULE_LICENSE("Dual MIT/GPL");
