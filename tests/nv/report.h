/* The text of a report of gpucmd_nv_run_all: for each row, the line of the channel that waits, then
 * which channel would end its wait. */
#ifndef NV_REPORT_H
#define NV_REPORT_H

static void print_report(gpucmd_text *t, const gpucmd_nv_channel *channels, const gpucmd_env *env,
                         const gpucmd_nv_report *report)
{
    for (size_t i = 0; report->rows != NULL && i < report->count && i < report->cap; i++) {
        gpucmd_nv_print_waits(t, &channels[report->rows[i].channel], 1, env);
        gpucmd_text_str(t, "  ");
        gpucmd_nv_print_releaser(t, &report->rows[i]);
        gpucmd_text_char(t, '\n');
    }
}

#endif
