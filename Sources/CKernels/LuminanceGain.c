#include "Pixels.h"

CK_WIDE_KERNEL(
    ck_luminanceRow,
    (ck_threeValues weights, ck_threeRows rows, float *out, int64_t count),
    (weights, rows, out, count)) {
  for (int64_t i = 0; i < count; i += LANES) {
    putRow(out, i, count, number(ck_weighted(ck_pixelsAt(rows, i, count), weights)));
  }
}

CK_WIDE_KERNEL(
    ck_brightestRow, (ck_threeRows rows, float *out, int64_t count), (rows, out, count)) {
  for (int64_t i = 0; i < count; i += LANES) {
    putRow(out, i, count, number(ck_highest(ck_pixelsAt(rows, i, count))));
  }
}
