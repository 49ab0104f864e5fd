#include "Pixels.h"

CK_WIDE_KERNEL(
    ck_matrixRow, (const ck_matrix *matrix, ck_threeRows rows, int64_t count),
    (matrix, rows, count)) {
  const ck_matrix m = *matrix;
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels p = ck_product(ck_pixelsAt(rows, i, count), &m);
    ck_putPixels(
        rows, i, count, (ck_pixels){p.red + m.offset, p.green + m.offset, p.blue + m.offset});
  }
}
