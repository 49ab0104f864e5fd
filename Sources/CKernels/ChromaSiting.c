#include "YCbCr.h"

CK_KERNEL(
    ck_blendRows,
    (ck_taps weights, const float *above, const float *at, const float *below, float *out,
     int64_t count),
    (weights, above, at, below, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 outer = f8(above + i) * weights.before + f8(below + i) * weights.behind;
    put(out + i, outer + f8(at + i) * weights.at);
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
    cv_f8 first = f8(from), second = f8(from + 8);
    cv_f8 before = evenLanes(f8(from - 1), f8(from + 7));
    cv_f8 outer = before * weights.before + oddLanes(first, second) * weights.behind;
    ck_storeWords(&c, out + i, outer + evenLanes(first, second) * weights.at);
  }
}
