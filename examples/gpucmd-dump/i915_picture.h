/* i915_picture.h - Intel streams as operations over time, for i915.h. */
#ifndef DUMP_I915_PICTURE_H
#define DUMP_I915_PICTURE_H

#include "base.h"
#include "i915_job.h"
#include "intel_names.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"
#include "text.h"

/* Read an address of one word before gen8, of two words on gen8 and later. */
static uint64_t i915_va(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw, uint32_t i,
                        uint32_t len_dw)
{
    uint64_t low = 0;
    if (i < len_dw) {
        low = dw[i] & ~(uint32_t)3;
    }
    const bool wide = cmdset->gen >= GPUCMD_I915_GEN8 && i + 1 < len_dw;
    if (wide) {
        return low | (uint64_t)(dw[i + 1] & 0xffff) << 32;
    }
    return low;
}

/* Set a store of a value: address from word i, the value after the address. */
static void i915_signal(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw, uint32_t i,
                        uint32_t len_dw, picture_op *op)
{
    const uint32_t at = i + (cmdset->gen >= GPUCMD_I915_GEN8 ? 2 : 1);
    op->kind = OP_SIGNAL;
    op->va = i915_va(cmdset, dw, i, len_dw);
    if (at < len_dw) {
        op->value = dw[at];
    } else {
        op->value = 0;
    }
}

/* Return the name of a command without an effect on others. Without one it is bits 31:16, and the
 * title says so. */
static const char *i915_box_name(const i915_job *job, picture *p, uint32_t dw)
{
    char text[96];
    if (!find_command_name(&job->cmdset, job->set->names, dw, text, sizeof text)) {
        snprintf(text, sizeof text, "0x%04" PRIx32, dw >> 16);
        p->title = "Intel rings and batches over time. A box 0x7123: bits 31:16 of a 3D or media "
                   "command; --names FILE names it";
    }
    return keep_name(p, text);
}

/* Set what a command does to others, and its name. p: NULL, or where names are kept. */
static void i915_take_op(const i915_job *job, const uint32_t *dw, const gpucmd_i915_cmd *cmd,
                         picture *p, picture_op *op)
{
    static const op_test tests[] = {TEST_ABOVE, TEST_AT_LEAST,  TEST_BELOW, TEST_AT_MOST,
                                    TEST_EQUAL, TEST_NOT_EQUAL, TEST_EQUAL, TEST_EQUAL};
    const bool wide = job->cmdset.gen >= GPUCMD_I915_GEN8;
    const uint32_t n = cmd->len_dw;
    const char *name = gpucmd_i915_op_name(cmd->op);
    if (cmd->op == GPUCMD_I915_OP_UNKNOWN) {
        op->kind = OP_UNREAD;
        name = "no command";
    } else if (cmd->op == GPUCMD_I915_OP_MI_BATCH_BUFFER_START) {
        op->kind = OP_START;
        op->va = i915_target(&job->cmdset, dw, n);
        op->target = picture_target(job->d, op->va, op->stream);
    } else if (cmd->op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END) {
        op->kind = OP_END;
    } else if (cmd->op == GPUCMD_I915_OP_MI_SEMAPHORE_WAIT && n > 3) {
        op->kind = OP_WAIT;
        op->value = dw[1];
        op->va = i915_va(&job->cmdset, dw, 2, n);
        op->test = tests[dw[0] >> 12 & 7];
    } else if (cmd->op == GPUCMD_I915_OP_MI_SEMAPHORE_WAIT_64 && n > 4) {
        op->kind = OP_WAIT;
        op->value = dw[1];
        if ((dw[0] & GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_64_COMPARE_32)) == 0) {
            op->value |= (uint64_t)dw[2] << 32;
        }
        op->va = i915_va(&job->cmdset, dw, 3, n);
        op->test = tests[dw[0] >> 12 & 7];
    } else if (cmd->op == GPUCMD_I915_OP_MI_STORE_DATA_IMM) {
        i915_signal(&job->cmdset, dw, wide ? 1 : 2, n, op);
    } else if (cmd->op == GPUCMD_I915_OP_PIPE_CONTROL && n > 3 && (dw[1] >> 14 & 3) == 1) {
        i915_signal(&job->cmdset, dw, 2, n, op);
    } else if (cmd->op == GPUCMD_I915_OP_MI_FLUSH_DW && (dw[0] >> 14 & 3) == 1) {
        i915_signal(&job->cmdset, dw, 1, n, op);
    } else if (p == NULL) {
        return;
    } else if (cmd->op == GPUCMD_I915_OP_GFX) {
        name = i915_box_name(job, p, dw[0]);
    }
    op->name = name;
}

/* Make the operations of all streams. named: commands have their names. */
static int i915_make_ops(i915_job *job, picture *p, bool named)
{
    const size_t n = stream_count(job->d);
    picture *names = NULL;
    int status = EXIT_FINE;
    if (named) {
        names = p;
    }
    job->quiet = true;
    p->op_count = 0;
    p->cut = false;
    for (size_t i = 0; i < n && status == EXIT_FINE; i++) {
        bool ended = false;
        p->first[i] = p->op_count;
        job->in = &job->d->streams[i];
        status = i915_choose(job);
        const bool ring = job->in->kind != NULL && strcmp(job->in->kind, "ring") == 0;
        for (size_t at = 0; status == EXIT_FINE && at < job->in->len_dw && !ended;) {
            gpucmd_i915_cmd cmd;
            gpucmd_i915_decode(&job->cmdset, job->in->dw + at, job->in->len_dw - at, &cmd);
            picture_op op = {OP_RUN, i,          at,           cmd.len_dw, 0,
                             0,      TEST_EQUAL, PICTURE_NONE, "commands", PICTURE_NONE};
            i915_take_op(job, job->in->dw + at, &cmd, names, &op);
            add_op(p, &op);
            ended = op.kind == OP_END && !ring;
            at += cmd.len_dw;
        }
    }
    p->first[n] = p->op_count;
    job->quiet = false;
    return status;
}

/* Make the picture of all streams. */
static int i915_make_picture(void *user, picture *p)
{
    i915_job *job = user;
    const size_t n = stream_count(job->d);
    begin_picture(p, job->d, n);
    p->title = "Intel rings and batches over time";
    int status = i915_make_ops(job, p, true);
    if (status == EXIT_FINE && p->op_count > PICTURE_NAMED) {
        status = i915_make_ops(job, p, false);
    }
    if (status == EXIT_FINE) {
        run_picture(p, n);
    }
    return status;
}

#endif
