#include "Pixels.h"

/// 2 to the power of the gain for eight samples.
CK_BODY cv_f8 factor(const ck_gain *gain, cv_f8 sample) {
  const cv_f8 zero = ck_all(0);
  cv_f8 v = cv_clamp8(sample, zero, ck_all(1));
  cv_f8 power = v;
  if (gain->exponent != 1) {
    cv_f8 logarithm = cv_log2_8(cv_max8(v, ck_all(1e-30f))) * gain->exponent;
    power = v > 0 ? cv_exp2_8(cv_clamp8(logarithm, ck_all(-120), zero)) : zero;
  }
  return cv_exp2_8(cv_clamp8(
      power * gain->span + gain->minimum, ck_all(-gain->maxStops), ck_all(gain->maxStops)));
}

CK_BODY void scale(const ck_gain *gain, float *row, cv_f8 factor) {
  ck_store8(row, (ck_load8(row) + gain->baseOffset) * factor - gain->alternateOffset);
}

CK_KERNEL(
    ck_gainMapRow,
    (const ck_gain gains[3], const float *map, const float *greenMap, const float *blueMap,
     float *red, float *green, float *blue, int64_t count),
    (gains, map, greenMap, blueMap, red, green, blue, count)) {
  const ck_gain r = gains[0], g = gains[1], b = gains[2];
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 first = factor(&r, ck_load8(map + i));
    scale(&r, red + i, first);
    scale(&g, green + i, greenMap ? factor(&g, ck_load8(greenMap + i)) : first);
    scale(&b, blue + i, blueMap ? factor(&b, ck_load8(blueMap + i)) : first);
  }
}
