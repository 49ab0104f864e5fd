#if defined(__x86_64__)
#define CK_SET avx2
#include <Targets.h>

#pragma clang attribute push(CK_TARGET, apply_to = function)
#include "Kernels.h"
#include "WideKernels.h"
#pragma clang attribute pop
#endif
