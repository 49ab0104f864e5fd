#include "Pixels.h"

CK_KERNEL(
    ck_contentLightRow,
    (ck_threeRows rows, int64_t count, float *top, float *total), (rows, count, top, total)) {
  cv_f8 highest = 0, sum = 0;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 value = larger(p.blue, larger(p.green, p.red));
    value = value >= 0 ? value : 0;
    highest = larger(value, highest);
    sum += value;
  }
  put(top, highest);
  put(total, sum);
}
