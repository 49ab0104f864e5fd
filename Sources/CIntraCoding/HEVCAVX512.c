#if defined(__x86_64__)
#define CK_SET avx512
#include <Targets.h>

#pragma clang attribute push(CK_TARGET, apply_to = function)
#include "HEVCRow.c"
#pragma clang attribute pop
#endif
