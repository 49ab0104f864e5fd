#include "Pixels.h"

CK_KERNEL(
    ck_whiteToneRow,
    (const ck_whiteTone *tone, float *red, float *green, float *blue, int64_t count),
    (tone, red, green, blue, count)) {
  const ck_whiteTone t = *tone;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    p.red = cv_number8(p.red);
    p.green = cv_number8(p.green);
    p.blue = cv_number8(p.blue);
    cv_f8 drive = cv_max8(ck_highest(ck_product(p, &t.toBT2020)), ck_all(1)) / t.peak;
    cv_f8 gain = cv_octaveTable8(t.pairs, t.lowest, 0, drive);
    ck_storePixels(red, green, blue, i, ck_scaled(p, drive > 1 ? gain / drive : gain));
  }
}
