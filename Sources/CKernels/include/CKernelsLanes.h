// Vectors of kernels that are written for any number of lanes: eight, which Swift has, too, or the
// sixteen of AVX-512. Part of CKernels.h.
#pragma once
#include <CVector.h>

#if defined(CK_LANES) && CK_LANES == 16
typedef cv_f16 ck_lanes;
#else
typedef cv_f8 ck_lanes;
#endif
