#include "DemosaicScale.h"
#include "Transpose.h"

CK_KERNEL(
    ck_splitXTransRow,
    (ck_demosaicScale scale, const float *source, ck_offset out, ck_offset stride, float *planes,
     int64_t count),
    (scale, source, out, stride, planes, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    // Two columns more than the six phases.
    cv_f8 v[8];
    for (int64_t k = 0; k < 8; k++) v[k] = f8(source + 6 * (i + k < count ? i + k : count - 1));
    transpose(v);
    for (int p = 0; p < 6; p++) {
      put(planes + out + p * stride + i, ck_toScale(scale, v[p]));
    }
  }
}

CK_KERNEL(
    ck_joinXTransRow,
    (const float *planes, ck_offset from, ck_offset stride, float *out, int64_t count),
    (planes, from, stride, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 v[8];
    for (int p = 0; p < 6; p++) v[p] = f8(planes + from + p * stride + i);
    v[6] = v[7] = 0;
    transpose(v);
    // Each writes two columns of the next.
    for (int64_t k = 0; k < 8; k++) put(out + 6 * (i + k), v[k]);
  }
}
