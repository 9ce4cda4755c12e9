/* nv/classify_exhaustive.c - all 2^32 first words for all 12 gates, compared with the bit pictures.
 * Prints the number of words of each form. */
#include "gpucmd_nv.h"

#include "test.h"
#include "nv/gates.h"

static unsigned form_of[GATES_FORMS];
static uint64_t census[NV_ORACLE_FORM_COUNT][NV_ORACLE_GATE_COUNT];

/* Return the number of words whose form differs. */
static uint64_t scan(const struct nv_oracle_gate *gate, const gpucmd_nv_gate *lib)
{
    const struct nv_oracle_compiled rows = *nv_oracle_rows(gate);
    uint64_t owned[NV_ORACLE_FORM_COUNT] = {0};
    uint64_t wrong = 0;
    uint32_t word = 0;
    do {
        const unsigned form = form_of[gpucmd_nv_classify(lib, word)];
        unsigned want = NV_ORACLE_INVALID;
        for (unsigned r = 0; r < rows.row_count; r++) {
            if ((word & rows.mask[r]) == rows.value[r]) {
                want = rows.form[r];
                break;
            }
        }
        owned[form]++;
        wrong += form != want;
        word++;
    } while (word != 0);
    for (unsigned f = 0; f < NV_ORACLE_FORM_COUNT; f++) {
        census[f][gate - nv_oracle_gates] = owned[f];
    }
    return wrong;
}

int main(void)
{
    nv_oracle_forms_init();
    for (unsigned f = 0; f < GATES_FORMS; f++) {
        form_of[f] = gates_form((gpucmd_nv_form)f);
        if (!CHECK(form_of[f] < NV_ORACLE_FORM_COUNT)) {
            return test_report("nv_classify_exhaustive");
        }
    }
    for (int g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        const struct nv_oracle_gate *gate = &nv_oracle_gates[g];
        gpucmd_nv_gate lib;
        if (EQUAL(gates_init(&lib, gate, gates_first_chip[gate->chip]), GPUCMD_OK)) {
            test_equal(scan(gate, &lib), 0, __FILE__, __LINE__, gate->name);
        }
    }
    printf("%-13s", "words");
    for (int g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
        printf(" | %s", nv_oracle_gates[g].name);
    }
    printf("\n");
    for (unsigned f = 0; f < NV_ORACLE_FORM_COUNT; f++) {
        printf("%-13s", nv_oracle_form_names[f]);
        for (int g = 0; g < NV_ORACLE_GATE_COUNT; g++) {
            printf(" | %llu", (unsigned long long)census[f][g]);
            EQUAL(census[f][g], nv_oracle_census(&nv_oracle_gates[g], (enum nv_oracle_form_id)f));
        }
        printf("\n");
    }
    return test_report("nv_classify_exhaustive");
}
