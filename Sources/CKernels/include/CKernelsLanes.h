// Vectors of kernels that are written for any number of lanes: eight, which Swift has, too, or the
// sixteen of files that define CK_WIDE. Part of CKernels.h.
#pragma once
#include <CVector.h>

#if defined(CK_WIDE)
typedef cv_f16 ck_lanes;
#else
typedef cv_f8 ck_lanes;
#endif
