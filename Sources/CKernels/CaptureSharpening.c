#include "LuminanceGain.h"

CK_KERNEL(
    ck_sharpenRow,
    (const ck_sharpening *sharpening, const float *luminance, const float *sharp,
     const float *weight, ck_threeRows rows, int64_t count),
    (sharpening, luminance, sharp, weight, rows, count)) {
  const ck_sharpening s = *sharpening;
  const float width = 3 * s.floor;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 value = f8(luminance + i);
    cv_f8 base = cv_max8(value, s.floor);
    cv_f8 visibility = cv_clamp8((value - s.floor) / width, 0, 1);
    cv_f8 change = (f8(sharp + i) - base) / base;
    cv_f8 gain = 1 + change * (f8(weight + i) * visibility * s.amount);
    ck_multiplyPixels(rows, i, gain, s.peak);
  }
}
