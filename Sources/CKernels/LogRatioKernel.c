#include "Pixels.h"

/// log2 of values plus the offset; values are clamped to 0 and the limit.
CK_BODY cv_f8 logarithm(const ck_logRatio *ratio, cv_f8 light) {
  return cv_log2_8(cv_clamp8(cv_number8(light), 0, ratio->limit) + ratio->offset);
}

CK_KERNEL(
    ck_logRatioRow,
    (const ck_logRatio *ratio, ck_threeRows standard, ck_threeRows high, ck_threeRows out,
     int64_t count),
    (ratio, standard, high, out, count)) {
  const ck_logRatio k = *ratio;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels base = ck_loadPixels(standard, i);
    ck_pixels light = ck_loadPixels(high, i);
    if (k.isLuminance) {
      ck_store8(
          out.row[0] + i, logarithm(&k, ck_weighted(light, k.weights))
                               - logarithm(&k, ck_weighted(base, k.weights)));
    } else {
      ck_pixels gains = {
        logarithm(&k, light.red) - logarithm(&k, base.red),
        logarithm(&k, light.green) - logarithm(&k, base.green),
        logarithm(&k, light.blue) - logarithm(&k, base.blue)};
      ck_storePixels(out, i, gains);
    }
  }
}
