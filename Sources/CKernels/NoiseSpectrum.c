#include "NoiseColors.h"

CK_KERNEL(
    ck_loadEvenColors,
    (ck_threeRows source, float mean, float deviation, ck_threeRows out, int64_t count),
    (source, mean, deviation, out, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 v[3];
    for (int c = 0; c < 3; c++) v[c] = (f8(source.row[c] + x) - mean) / deviation;
    toNoiseColors(v);
    for (int c = 0; c < 3; c++) put(out.row[c] + x, v[c]);
  }
}

CK_KERNEL(
    ck_addBlockPowers,
    (const float *samples, int64_t stride, float *rows, int64_t count, float *power),
    (samples, stride, rows, count, power)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 c[8];
    for (int k = 0; k < 8; k++) c[k] = f8(samples + k * stride + x);
    ck_forwardCosines(c);
    for (int k = 0; k < 8; k++) put(rows + k * count + x, c[k]);
  }
  for (int k = 0; k < 8; k++) {
    for (int64_t x = 0; x + 8 < count; x += 8) {
      cv_f8 c[8];
      for (int l = 0; l < 8; l++) c[l] = f8(rows + k * count + x + l);
      ck_forwardCosines(c);
      for (int l = 0; l < 8; l++) {
        float *sum = power + 8 * (8 * k + l);
        put(sum, f8(sum) + c[l] * c[l]);
      }
    }
  }
}
