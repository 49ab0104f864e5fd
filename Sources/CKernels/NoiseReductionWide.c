// Noise reduction sixteen lanes at a time.
#include "Targets.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target(CK_AVX512_TARGET))), apply_to = function)
#define CK_WIDE
#include "BlockShrinkage.c"
#include "NoisePyramid.c"
#include "NoiseReduction.c"
#pragma clang attribute pop
#endif
