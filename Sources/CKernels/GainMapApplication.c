#include "Pixels.h"

/// 2 to the power of the gain for eight samples.
CK_BODY cv_f8 factor(const ck_gain *gain, cv_f8 sample) {
  const cv_f8 zero = 0;
  cv_f8 v = limited(sample, zero, 1);
  cv_f8 power = v;
  if (gain->exponent != 1) {
    cv_f8 stops = logarithm(larger(v, 1e-30f)) * gain->exponent;
    power = v > 0 ? powerOfTwo(limited(stops, -120, zero)) : zero;
  }
  return powerOfTwo(limited(
      power * gain->span + gain->minimum, -gain->maxStops, gain->maxStops));
}

CK_BODY void scale(const ck_gain *gain, float *row, cv_f8 factor) {
  put(row, (f8(row) + gain->baseOffset) * factor - gain->alternateOffset);
}

CK_KERNEL(
    ck_gainMapRow,
    (const ck_gain gains[3], const float *map, const float *greenMap, const float *blueMap,
     ck_threeRows rows, int64_t count),
    (gains, map, greenMap, blueMap, rows, count)) {
  const ck_gain r = gains[0], g = gains[1], b = gains[2];
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 first = factor(&r, f8(map + i));
    scale(&r, rows.row[0] + i, first);
    scale(&g, rows.row[1] + i, greenMap ? factor(&g, f8(greenMap + i)) : first);
    scale(&b, rows.row[2] + i, blueMap ? factor(&b, f8(blueMap + i)) : first);
  }
}
