// The change of luminance at constant chromaticity, shared by the stages of detail.
#pragma once
#include "Pixels.h"

/// Multiplies eight pixels, at `i`, by `gain`, at most up to `peak`: see LuminanceGain.swift.
CK_BODY void ck_multiplyPixels(ck_threeRows rows, int64_t i, cv_f8 gain, float peak) {
  ck_pixels p = ck_loadPixels(rows, i);
  cv_f8 top = ck_highest(p);
  // Slightly below, so that rounding does not raise the product above the peak either.
  cv_f8 limit = top > 0 ? peak * 0.9999998f / (top > 0 ? top : 1) : gain;
  ck_storePixels(rows, i, ck_scaled(p, cv_min8(gain, cv_max8(limit, 1))));
}
