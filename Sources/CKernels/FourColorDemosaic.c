#include "Lanes.h"

CK_KERNEL(
    ck_reduceFourColors,
    (const ck_fourColors *colors, const float *ratio, ck_threeRows rows, int64_t count),
    (colors, ratio, rows, count)) {
  const ck_fourColors k = *colors;
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 a = f8(rows.row[0] + x), b = f8(rows.row[1] + x);
    cv_f8 c = f8(rows.row[2] + x);
    cv_f8 d = (b + k.offset) / f8(ratio + x) - k.offset;
    for (int i = 0; i < 3; i++) {
      const float *w = k.matrix + 4 * i;
      put(rows.row[i] + x, (a * w[0] + b * w[1]) + (c * w[2] + d * w[3]));
    }
  }
}
