#include "Pixels.h"

CK_KERNEL(
    ck_fitRow, (float limit, float *red, float *green, float *blue, int64_t count),
    (limit, red, green, blue, count)) {
  const cv_f8 top = ck_all(limit);
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    cv_f8 most = ck_highest(p);
    if (!ck_any(most > top)) continue;
    cv_f8 gain = most > top ? top / most : ck_all(1);
    ck_pixels out = {
      cv_min8(p.red * gain, top), cv_min8(p.green * gain, top), cv_min8(p.blue * gain, top)};
    ck_storePixels(red, green, blue, i, out);
  }
}

CK_KERNEL(
    ck_cutRow, (float limit, float *red, float *green, float *blue, int64_t count),
    (limit, red, green, blue, count)) {
  const cv_f8 top = ck_all(limit);
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(red + i, cv_min8(cv_number8(ck_load8(red + i)), top));
    ck_store8(green + i, cv_min8(cv_number8(ck_load8(green + i)), top));
    ck_store8(blue + i, cv_min8(cv_number8(ck_load8(blue + i)), top));
  }
}
