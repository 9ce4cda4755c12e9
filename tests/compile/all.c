/* The interface of every header in one unit. */
#include "all.h"
