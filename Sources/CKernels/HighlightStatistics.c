#include "Lanes.h"

CK_KERNEL(
    ck_nextUnusual,
    (const float *row, const float *clip, float minimum, int64_t x, int64_t end, int64_t *found),
    (row, clip, minimum, x, end, found)) {
  for (; x < end; x += 8) {
    cv_f8 values = f8(row + x);
    if (anyOf((values >= f8(clip + x)) | (values < minimum))) break;
  }
  *found = x;
}
