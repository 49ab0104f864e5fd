#include "YCbCr.h"

CK_KERNEL(
    ck_blendRows,
    (ck_taps weights, const float *above, const float *at, const float *below, float *out,
     int64_t count),
    (weights, above, at, below, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 outer = ck_load8(above + i) * weights.before + ck_load8(below + i) * weights.behind;
    ck_store8(out + i, outer + ck_load8(at + i) * weights.at);
  }
}

CK_KERNEL(
    ck_decimateRow,
    (const ck_ycbcr *conversion, ck_taps weights, const float *in, uint16_t *out,
     int64_t count),
    (conversion, weights, in, out, count)) {
  const ck_ycbcr c = *conversion;
  for (int64_t i = 0; i < count; i += 8) {
    const float *from = in + 2 * i;
    cv_f8 first = ck_load8(from), second = ck_load8(from + 8);
    cv_f8 before = cv_even8(ck_load8(from - 1), ck_load8(from + 7));
    cv_f8 outer = before * weights.before + cv_odd8(first, second) * weights.behind;
    ck_storeWords(&c, out + i, outer + cv_even8(first, second) * weights.at);
  }
}
