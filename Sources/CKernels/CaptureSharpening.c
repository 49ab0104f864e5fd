#include "LuminanceGain.h"

CK_KERNEL(
    ck_sharpenRow,
    (const ck_sharpening *sharpening, const float *luminance, const float *sharp,
     const float *weight, float *red, float *green, float *blue, int64_t count),
    (sharpening, luminance, sharp, weight, red, green, blue, count)) {
  const ck_sharpening s = *sharpening;
  const float width = 3 * s.floor;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 value = ck_load8(luminance + i);
    cv_f8 base = cv_max8(value, ck_all(s.floor));
    cv_f8 visibility = cv_clamp8((value - s.floor) / width, ck_all(0), ck_all(1));
    cv_f8 change = (ck_load8(sharp + i) - base) / base;
    cv_f8 gain = 1 + change * (ck_load8(weight + i) * visibility * s.amount);
    ck_multiplyPixels(red, green, blue, i, gain, s.peak);
  }
}
