#include "LuminanceGain.h"

CK_WIDE_KERNEL(
    ck_sharpenRow,
    (const ck_sharpening *sharpening, const float *luminance, const float *sharp,
     const float *weight, ck_threeRows rows, int64_t count),
    (sharpening, luminance, sharp, weight, rows, count)) {
  const ck_sharpening s = *sharpening;
  const float width = 3 * s.floor;
  for (int64_t i = 0; i < count; i += LANES) {
    lanes value = atRow(luminance, i, count);
    lanes base = larger(value, s.floor);
    lanes visibility = limited((value - s.floor) / width, 0, 1);
    lanes change = (atRow(sharp, i, count) - base) / base;
    lanes gain = 1 + change * (atRow(weight, i, count) * visibility * s.amount);
    ck_multiplyPixels(rows, i, count, gain, s.peak);
  }
}
