/* nv_picture.h - NVIDIA streams as operations over time, for nv.h. */
#ifndef DUMP_NV_PICTURE_H
#define DUMP_NV_PICTURE_H

#include "base.h"
#include "nv_job.h"
#include "nv_text.h"
#include "picture.h"
#include "settings.h"
#include "stream.h"

/* Registers of semaphores of one channel. */
typedef struct nv_semaphore {
    uint64_t va;
    uint64_t payload;
    uint64_t report_va; /* of 3D classes */
    uint64_t report;
} nv_semaphore;

/* Set the low or high half of a number. */
static void set_half(uint64_t *v, bool high, uint32_t dw)
{
    *v = high ? (*v & 0xffffffffu) | (uint64_t)dw << 32 : (*v >> 32 << 32) | dw;
}

/* Return the operation of SEM_EXECUTE or SEMAPHORED; OP_RUN: none that waits or stores. */
static op_kind nv_semaphore_op(gpucmd_nv_chip chip, uint32_t mthd, uint32_t dw, op_test *test)
{
    const bool new_one = chip >= GPUCMD_NV_CHIP_GV100;
    uint32_t op = dw & 0x1f;
    if (new_one) {
        op = dw & 7;
    }
    *test = TEST_EQUAL;
    if (new_one ? mthd != GPUCMD_NV_HOST_SEM_EXECUTE : mthd != GPUCMD_NV_HOST_SEMAPHORED) {
        return OP_RUN;
    }
    if (op == (new_one ? 1u : 2u)) {
        return OP_SIGNAL;
    }
    *test = op == (new_one ? 0u : 1u) ? TEST_EQUAL : TEST_AT_LEAST;
    if (op == 6 && new_one) {
        return OP_RUN;
    }
    return OP_WAIT;
}

/* Follow a method of a semaphore. Return the operation that it begins. */
static op_kind nv_follow_semaphore(gpucmd_nv_chip chip, nv_semaphore *s, uint32_t mthd, uint32_t dw,
                                   picture_op *op)
{
    op->test = TEST_EQUAL;
    if (mthd >= 0x1b00 && mthd <= 0x1b0c) { /* SET_REPORT_SEMAPHORE of 3D classes */
        if (mthd < 0x1b08) {
            set_half(&s->report_va, mthd == 0x1b00, mthd == 0x1b00 ? dw & 0xff : dw);
        } else if (mthd == 0x1b08) {
            s->report = dw;
        }
        op->va = s->report_va;
        op->value = s->report;
        op->name = "SET_REPORT_SEMAPHORE";
        if (mthd == 0x1b0c && (dw & 3) == 0) {
            return OP_SIGNAL;
        }
        return OP_RUN;
    }
    if (mthd < 0x100) {
        op->name = gpucmd_nv_host_method_name(chip, mthd);
    } else {
        op->name = "methods";
    }
    if (chip >= GPUCMD_NV_CHIP_GV100) {
        if (mthd == GPUCMD_NV_HOST_SEM_ADDR_LO || mthd == GPUCMD_NV_HOST_SEM_ADDR_HI) {
            set_half(&s->va, mthd == GPUCMD_NV_HOST_SEM_ADDR_HI, dw);
        } else if (mthd == GPUCMD_NV_HOST_SEM_PAYLOAD_LO) {
            s->payload = dw;
        }
    } else if (chip >= GPUCMD_NV_CHIP_G84) {
        if (mthd == GPUCMD_NV_HOST_SEMAPHOREA || mthd == GPUCMD_NV_HOST_SEMAPHOREB) {
            set_half(&s->va, mthd == GPUCMD_NV_HOST_SEMAPHOREA, dw);
        } else if (mthd == GPUCMD_NV_HOST_SEMAPHOREC) {
            s->payload = dw;
        }
    } else if (mthd == GPUCMD_NV_HOST_SEMAPHORE_OFFSET) {
        s->va = dw;
    } else if (mthd == GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE ||
               mthd == GPUCMD_NV_HOST_SEMAPHORE_RELEASE) {
        op->va = s->va;
        op->value = dw;
        if (mthd == GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE) {
            return OP_WAIT;
        }
        return OP_SIGNAL;
    }
    op->va = s->va;
    op->value = s->payload;
    if (chip >= GPUCMD_NV_CHIP_G84) {
        return nv_semaphore_op(chip, mthd, dw, &op->test);
    }
    return OP_RUN;
}

/* Return the name of a method without its index, or "methods". It stays in memory. */
static const char *nv_run_name(nv_job *job, uint32_t subc, uint32_t mthd)
{
    if (mthd < 0x100) {
        const char *name = gpucmd_nv_host_method_name(job->gate.chip, mthd);
        if (name[0] != '?') {
            return name;
        }
    }
    const nv_method *m = nv_find_method(nv_class_now(job, subc, mthd), mthd);
    return m != NULL ? m->name : "methods";
}

/* Add the operations of one command. named: runs have the name of their first method. */
static void nv_add_ops(nv_job *job, picture *p, const gpucmd_nv_cmd *cmd, size_t at, size_t lane,
                       bool named, nv_semaphore *s)
{
    picture_op op = {OP_RUN, lane,       at,           cmd->len_dw, 0,
                     0,      TEST_EQUAL, PICTURE_NONE, "methods",   PICTURE_NONE};
    const bool jump = cmd->form == GPUCMD_NV_FORM_JUMP || cmd->form == GPUCMD_NV_FORM_JUMP_OLD;
    if (jump || cmd->form == GPUCMD_NV_FORM_CALL) {
        op.kind = OP_START;
        op.va = cmd->value;
        op.name = gpucmd_nv_form_name(cmd->form);
        op.target = picture_target(job->d, cmd->value, lane);
    } else if (cmd->form == GPUCMD_NV_FORM_RETURN) {
        op.kind = OP_END;
        op.name = "RETURN";
    } else if (cmd->form == GPUCMD_NV_FORM_INVALID) {
        op.kind = OP_UNREAD;
        op.name = "no command";
    } else if (gpucmd_nv_form_is_run(cmd->form)) {
        op.subc = PICTURE_NONE;
        if (cmd->subc < NV_SUBCHANNELS) {
            op.subc = (int)cmd->subc;
        }
        if (named && cmd->subc < NV_SUBCHANNELS) {
            op.name = nv_run_name(job, cmd->subc, cmd->mthd);
        }
        const bool immediate = cmd->form == GPUCMD_NV_FORM_IMMD;
        const uint32_t n = immediate ? 1 : cmd->len_dw - (cmd->resumed ? 0 : cmd->head_dw);
        for (uint32_t i = 0; i < n; i++) {
            picture_op part = op;
            const uint32_t mthd = gpucmd_nv_mthd_at(job->gate.chip, cmd->kind, cmd->mthd, i);
            nv_follow(job, cmd->subc, mthd, immediate ? cmd->value : cmd->data[i]);
            part.kind = nv_follow_semaphore(job->gate.chip, s, mthd,
                                            immediate ? cmd->value : cmd->data[i], &part);
            if (part.kind != OP_RUN) {
                part.len_dw = 1;
                part.at_dw = at + i + (immediate ? 0 : cmd->head_dw);
                op.len_dw -= op.len_dw != 0;
                if (op.len_dw != 0) {
                    add_op(p, &op);
                }
                add_op(p, &part);
                op.len_dw = 0;
            }
        }
    }
    if (op.len_dw != 0) {
        add_op(p, &op);
    }
}

/* Make the operations of all streams. named: runs have the name of their first method. */
static int nv_make_ops(nv_job *job, picture *p, bool named)
{
    const size_t n = stream_count(job->d);
    int status = EXIT_FINE;
    const bool quiet = job->quiet;
    const uint32_t assumed = job->assumed;
    job->quiet = true;
    p->op_count = 0;
    p->cut = false;
    for (size_t i = 0; i < n && status == EXIT_FINE; i++) {
        nv_semaphore s = {0, 0, 0, 0};
        gpucmd_nv_walk walk;
        gpucmd_nv_cmd cmd;
        size_t at = 0;
        p->first[i] = p->op_count;
        job->in = &job->d->streams[i];
        status = nv_gate(job);
        memcpy(job->class_id, job->set->class_id, sizeof job->class_id);
        gpucmd_nv_walk_init(&walk, &job->gate, job->in->dw, job->in->len_dw);
        while (status == EXIT_FINE && gpucmd_nv_walk_next(&walk, &cmd)) {
            nv_add_ops(job, p, &cmd, at, i, named, &s);
            at += cmd.len_dw;
        }
    }
    p->first[n] = p->op_count;
    job->quiet = quiet;
    job->assumed = assumed;
    memcpy(job->class_id, job->set->class_id, sizeof job->class_id);
    return status;
}

/* Make the picture of all streams. */
static int nv_make_picture(void *user, picture *p)
{
    nv_job *job = user;
    const size_t n = stream_count(job->d);
    begin_picture(p, job->d, n);
    p->title = "NVIDIA streams over time";
    int status = nv_make_ops(job, p, true);
    if (status == EXIT_FINE && p->op_count > PICTURE_NAMED) {
        status = nv_make_ops(job, p, false);
    }
    if (status == EXIT_FINE) {
        run_picture(p, n);
    }
    return status;
}

#endif
