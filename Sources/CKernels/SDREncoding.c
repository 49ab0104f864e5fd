#include "Pixels.h"

/// The signal of eight linear values.
CK_BODY cv_f8 signal(const ck_sdr *sdr, cv_f8 light) {
  cv_f8 v = cv_clamp8(light, 0, 1);
  cv_f8 power = cv_exp2_8(cv_log2_8(cv_max8(v, sdr->linearEnd)) * sdr->power);
  return v <= sdr->linearEnd ? sdr->slope * v : sdr->scale * power - sdr->offset;
}

CK_KERNEL(
    ck_sdrRow, (const ck_sdr *sdr, ck_threeRows rows, int64_t count), (sdr, rows, count)) {
  const ck_sdr s = *sdr;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    ck_pixels out = {signal(&s, p.red), signal(&s, p.green), signal(&s, p.blue)};
    ck_storePixels(rows, i, out);
  }
}
