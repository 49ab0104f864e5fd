#include "Pixels.h"

/// The signal of eight linear values.
CK_BODY cv_f8 signal(const ck_sdr *sdr, cv_f8 light) {
  cv_f8 v = cv_clamp8(light, ck_all(0), ck_all(1));
  cv_f8 power = cv_exp2_8(cv_log2_8(cv_max8(v, ck_all(sdr->linearEnd))) * sdr->power);
  return v <= sdr->linearEnd ? sdr->slope * v : sdr->scale * power - sdr->offset;
}

CK_KERNEL(
    ck_sdrRow, (const ck_sdr *sdr, float *red, float *green, float *blue, int64_t count),
    (sdr, red, green, blue, count)) {
  const ck_sdr s = *sdr;
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(red + i, signal(&s, ck_load8(red + i)));
    ck_store8(green + i, signal(&s, ck_load8(green + i)));
    ck_store8(blue + i, signal(&s, ck_load8(blue + i)));
  }
}
