/* GPUCMD_STATIC: the implementation is local to this unit, so that two units link. UNIT is 1
 * or 2. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "all.h"

int unit_1(void);
int unit_2(void);

#if UNIT == 1
int unit_1(void)
{
    return 0;
}

int main(void)
{
    return unit_1() + unit_2();
}
#else
int unit_2(void)
{
    return 0;
}
#endif
