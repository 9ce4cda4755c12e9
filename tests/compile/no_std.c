/* GPUCMD_NO_STD_INCLUDES: the program defines the types. -nostdinc proves that no other header is
 * included. */
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define UINT32_MAX __UINT32_MAX__
#ifdef __cplusplus
#define NULL __null
#else
#define NULL ((void *)0)
#define bool _Bool
#define true 1
#define false 0
#endif

#define GPUCMD_NO_STD_INCLUDES
#define GPUCMD_IMPLEMENTATION
#include "all.h"
