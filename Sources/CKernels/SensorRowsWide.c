// Kernels of the sensor stages sixteen lanes at a time, with all that they inline.
#include "Targets.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target(CK_AVX512_TARGET))), apply_to = function)
#define CK_WIDE
#include "DirectionalDifference.c"
#include "LateralMosaic.c"
#include "LinearLevels.c"
#include "NoiseOutliers.c"
#include "RatioCorrectedDemosaic.c"
#pragma clang attribute pop
#endif
