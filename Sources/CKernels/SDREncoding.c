#include "Pixels.h"

/// The signal of linear values.
CK_BODY lanes sdrSignal(const ck_sdr *sdr, lanes linear) {
  lanes v = limited(linear, 0, 1);
  lanes power = powerOfTwo(logarithm(larger(v, sdr->linearEnd)) * sdr->power);
  return v <= sdr->linearEnd ? sdr->slope * v : sdr->scale * power - sdr->offset;
}

CK_WIDE_KERNEL(
    ck_sdrRow, (const ck_sdr *sdr, ck_threeRows rows, int64_t count), (sdr, rows, count)) {
  const ck_sdr s = *sdr;
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels p = ck_pixelsAt(rows, i, count);
    ck_pixels out = {sdrSignal(&s, p.red), sdrSignal(&s, p.green), sdrSignal(&s, p.blue)};
    ck_putPixels(rows, i, count, out);
  }
}
