#include "Pixels.h"

CK_KERNEL(
    ck_matrixRow,
    (const ck_matrix *matrix, float *red, float *green, float *blue, int64_t count),
    (matrix, red, green, blue, count)) {
  const ck_matrix m = *matrix;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    ck_pixels out = {
      ck_weighted(p, m.red) + m.offset, ck_weighted(p, m.green) + m.offset,
      ck_weighted(p, m.blue) + m.offset};
    ck_storePixels(red, green, blue, i, out);
  }
}
