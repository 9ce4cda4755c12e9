/* One header without another include before it. The tier defines HEADER. */
#include HEADER
