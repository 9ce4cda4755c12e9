/* nv/gates.h - conversion between gates and forms of the library and of the oracle. Forms match by
 * name. */
#ifndef GPUCMD_NV_GATES_H
#define GPUCMD_NV_GATES_H

#include "nv/oracle_forms.h"

/* First chip of each class, in the order of enum nv_oracle_chip_class, and an end. */
static const gpucmd_nv_chip gates_first_chip[] = {
    GPUCMD_NV_CHIP_NV4,  GPUCMD_NV_CHIP_NV10, GPUCMD_NV_CHIP_NV1A,
    GPUCMD_NV_CHIP_NV40, GPUCMD_NV_CHIP_G80,  GPUCMD_NV_CHIP_GF100,
};

static gpucmd_status gates_init(gpucmd_nv_gate *lib, const struct nv_oracle_gate *gate,
                                gpucmd_nv_chip chip)
{
    const gpucmd_nv_fmt fmt = gate->fmt == NV_ORACLE_FMT_OLD    ? GPUCMD_NV_FMT_OLD
                              : gate->fmt == NV_ORACLE_FMT_BOTH ? GPUCMD_NV_FMT_BOTH
                                                                : GPUCMD_NV_FMT_NEW;
    return gpucmd_nv_gate_init(lib, chip, gate->ib != 0, gate->sli_enable != 0, fmt);
}

/* Return the oracle's number of a form of the library; NV_ORACLE_FORM_COUNT: unknown name. */
static unsigned gates_form(gpucmd_nv_form form)
{
    const char *name = gpucmd_nv_form_name(form);
    unsigned f = 0;
    while (f < NV_ORACLE_FORM_COUNT && strcmp(name, nv_oracle_form_names[f]) != 0) {
        f++;
    }
    return f;
}

enum { GATES_FORMS = GPUCMD_NV_FORM_END_SEGMENT + 1 };

#endif /* GPUCMD_NV_GATES_H */
