// The demosaic of X-Trans mosaics sixteen lanes at a time.
#include "Targets.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target(CK_AVX512_TARGET))), apply_to = function)
#define CK_WIDE
#include "XTransDemosaic.c"
#include "XTransHomogeneity.c"
#pragma clang attribute pop
#endif
