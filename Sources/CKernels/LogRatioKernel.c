#include "Pixels.h"

/// log2 of values plus the offset; values are clamped to 0 and the limit.
CK_BODY lanes stopsOf(const ck_logRatio *ratio, lanes linear) {
  return logarithm(limited(number(linear), 0, ratio->limit) + ratio->offset);
}

CK_WIDE_KERNEL(
    ck_logRatioRow,
    (const ck_logRatio *ratio, ck_threeRows standard, ck_threeRows high, ck_threeRows out,
     int64_t count),
    (ratio, standard, high, out, count)) {
  const ck_logRatio k = *ratio;
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels base = ck_pixelsAt(standard, i, count);
    ck_pixels linear = ck_pixelsAt(high, i, count);
    if (k.isLuminance) {
      putRow(
          out.row[0], i, count, stopsOf(&k, ck_weighted(linear, k.weights))
                                    - stopsOf(&k, ck_weighted(base, k.weights)));
    } else {
      ck_pixels gains = {
        stopsOf(&k, linear.red) - stopsOf(&k, base.red),
        stopsOf(&k, linear.green) - stopsOf(&k, base.green),
        stopsOf(&k, linear.blue) - stopsOf(&k, base.blue)};
      ck_putPixels(out, i, count, gains);
    }
  }
}
