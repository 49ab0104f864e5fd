#include "LuminanceGain.h"

CK_KERNEL(
    ck_luminanceRow,
    (ck_threeValues weights, ck_threeRows rows, float *out, int64_t count),
    (weights, rows, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(out + i, cv_number8(ck_weighted(ck_loadPixels(rows, i), weights)));
  }
}

CK_KERNEL(
    ck_brightestRow, (ck_threeRows rows, float *out, int64_t count), (rows, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(out + i, cv_number8(ck_highest(ck_loadPixels(rows, i))));
  }
}
