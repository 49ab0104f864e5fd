// Kernels of rows, sixteen lanes at a time.
#include "Targets.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target(CK_AVX512_TARGET))), apply_to = function)
#define CK_WIDE
#include "CaptureSharpening.c"
#include "ColorMatrix.c"
#include "GainTableMap.c"
#include "HLGEncoding.c"
#include "LogRatioKernel.c"
#include "LuminanceGain.c"
#include "PQEncoding.c"
#include "RichardsonLucy.c"
#include "SDREncoding.c"
#include "SharpeningLimits.c"
#include "SharpeningMask.c"
#include "ToneTable.c"
#pragma clang attribute pop
#endif
