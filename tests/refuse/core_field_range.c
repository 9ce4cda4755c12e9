/* refuse: a constant that is one too large for its field */
#include "gpucmd.h"

enum { GPUCMD_REFUSE_FIELD_HI = 6, GPUCMD_REFUSE_FIELD_LO = 3 };

#ifdef FIXED
#define VALUE 15
#else
#define VALUE 16
#endif

enum { REFUSED = GPUCMD_FIELD_CONST(REFUSE_FIELD, VALUE) };
