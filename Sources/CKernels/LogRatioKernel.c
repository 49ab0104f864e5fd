#include "Pixels.h"

/// log2 of values plus the offset; values are clamped to 0 and the limit.
CK_BODY cv_f8 logarithm(const ck_logRatio *ratio, cv_f8 light) {
  return cv_log2_8(
      cv_clamp8(cv_number8(light), ck_all(0), ck_all(ratio->limit)) + ratio->offset);
}

CK_KERNEL(
    ck_logRatioRow,
    (const ck_logRatio *ratio, const float *standardRed, const float *standardGreen,
     const float *standardBlue, float *red, float *green, float *blue, int64_t count),
    (ratio, standardRed, standardGreen, standardBlue, red, green, blue, count)) {
  const ck_logRatio k = *ratio;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels base = ck_loadPixels(standardRed, standardGreen, standardBlue, i);
    ck_pixels light = ck_loadPixels(red, green, blue, i);
    if (k.isLuminance) {
      ck_store8(
          red + i, logarithm(&k, ck_weighted(light, k.weights))
                       - logarithm(&k, ck_weighted(base, k.weights)));
    } else {
      ck_pixels out = {
        logarithm(&k, light.red) - logarithm(&k, base.red),
        logarithm(&k, light.green) - logarithm(&k, base.green),
        logarithm(&k, light.blue) - logarithm(&k, base.blue)};
      ck_storePixels(red, green, blue, i, out);
    }
  }
}
