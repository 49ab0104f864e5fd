// The change of luminance at constant chromaticity, shared by the stages of detail.
#pragma once
#include "Pixels.h"

/// Multiplies pixels from column `i` on by `gain`, at most up to `peak`: see LuminanceGain.swift.
CK_BODY void ck_multiplyPixels(
    ck_threeRows rows, int64_t i, int64_t count, lanes gain, float peak) {
  ck_pixels p = ck_pixelsAt(rows, i, count);
  lanes top = ck_highest(p);
  // Slightly below, so that rounding does not raise the product above the peak either.
  lanes limit = top > 0 ? peak * 0.9999998f / (top > 0 ? top : 1) : gain;
  ck_putPixels(rows, i, count, ck_scaled(p, smaller(gain, larger(limit, 1))));
}
