#include "Kernel.h"

CK_KERNEL(
    ck_nextUnusual,
    (const float *row, const float *clip, float minimum, int64_t x, int64_t end, int64_t *found),
    (row, clip, minimum, x, end, found)) {
  for (; x < end; x += 8) {
    cv_f8 values = ck_load8(row + x);
    cv_f8 over = values >= ck_load8(clip + x) ? (cv_f8)(1.0f) : minimum - values;
    if (cv_anyPositive8(over)) break;
  }
  *found = x;
}
