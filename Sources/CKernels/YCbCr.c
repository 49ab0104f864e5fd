#include "YCbCr.h"

CK_KERNEL(
    ck_ycbcrRow,
    (const ck_ycbcr *conversion, ck_threeRows rows, uint16_t *luma, int64_t count),
    (conversion, rows, luma, count)) {
  const ck_ycbcr c = *conversion;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 y = ck_weighted(p, c.luma);
    if (luma) ck_storeWords(&c, luma + i, y);
    put(rows.row[1] + i, (p.blue * c.top - y) * c.toCb + c.middle);
    put(rows.row[2] + i, (p.red * c.top - y) * c.toCr + c.middle);
  }
}

CK_KERNEL(
    ck_wordsRow, (const ck_ycbcr *conversion, const float *in, uint16_t *out, int64_t count),
    (conversion, in, out, count)) {
  const ck_ycbcr c = *conversion;
  for (int64_t i = 0; i < count; i += 8) ck_storeWords(&c, out + i, f8(in + i));
}
