// Cube roots of eight lanes, as colors in Oklab need them.
#pragma once
#include "Kernel.h"

/// Cube roots, by logarithm; their error is below 1e-6.
CK_BODY cv_f8 ck_cubeRoot8(cv_f8 x) {
  cv_f8 magnitude = cv_exp2_8(cv_log2_8(cv_max8(cv_abs8(x), 1e-30f)) * (1.0f / 3));
  return x < 0 ? -magnitude : magnitude;
}
