#include "LuminanceGain.h"

CK_KERNEL(
    ck_luminanceRow,
    (ck_weights weights, const float *red, const float *green, const float *blue, float *out,
     int64_t count),
    (weights, red, green, blue, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(out + i, cv_number8(ck_weighted(ck_loadPixels(red, green, blue, i), weights)));
  }
}

CK_KERNEL(
    ck_brightestRow,
    (const float *red, const float *green, const float *blue, float *out, int64_t count),
    (red, green, blue, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(out + i, cv_number8(ck_highest(ck_loadPixels(red, green, blue, i))));
  }
}
