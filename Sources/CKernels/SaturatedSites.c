#include "Lanes.h"

CK_KERNEL(
    ck_anySaturated, (const float *row, const float *clip, int64_t count, int32_t *any),
    (row, clip, count, any)) {
  cv_i8 over = 0;
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) over |= f8(row + i) >= f8(clip + i);
  *any = anyOf(over);
  for (; i < count; i++) *any |= row[i] >= clip[i];
}

CK_KERNEL(
    ck_saturatedSpan,
    (const float *row, const float *clip, int64_t count, int64_t *start, int64_t *end),
    (row, clip, count, start, end)) {
  *start = count;
  *end = 0;
  for (int64_t i = 0; i < count; i += 8) {
    if (anyOf(f8(row + i) >= f8(clip + i))) {
      if (*end == 0) *start = i;
      *end = i + 8 < count ? i + 8 : count;
    }
  }
}

CK_KERNEL(
    ck_clipEvidence, (const float *row, const float *clip, float *out, int64_t count),
    (row, clip, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 level = f8(clip + i);
    cv_f8 below = (level - f8(row + i)) / (level * 0.1f);
    put(out + i, limited(below, 0, 1));
  }
}
