/* One header, nothing before it. The driver gives HEADER. */
#include HEADER
