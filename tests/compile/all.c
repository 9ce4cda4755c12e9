/* The interfaces of all headers in one unit. */
#include "all.h"
