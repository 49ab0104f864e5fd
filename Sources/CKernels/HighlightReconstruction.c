#include "Kernel.h"

/// 1 where a value has reached its clip level, −1 elsewhere.
CK_BODY cv_f8 saturation(cv_f8 value, cv_f8 clip) {
  return value >= clip ? (cv_f8)(1.0f) : -1.0f;
}

CK_KERNEL(
    ck_anySaturated, (const float *row, const float *clip, int64_t count, int32_t *any),
    (row, clip, count, any)) {
  cv_f8 over = -1.0f;
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    over = cv_max8(over, saturation(ck_load8(row + i), ck_load8(clip + i)));
  }
  *any = cv_anyPositive8(over);
  for (; i < count; i++) *any |= row[i] >= clip[i];
}

CK_KERNEL(
    ck_saturatedSpan,
    (const float *row, const float *clip, int64_t count, int64_t *start, int64_t *end),
    (row, clip, count, start, end)) {
  *start = count;
  *end = 0;
  for (int64_t i = 0; i < count; i += 8) {
    if (cv_anyPositive8(saturation(ck_load8(row + i), ck_load8(clip + i)))) {
      if (*end == 0) *start = i;
      *end = i + 8 < count ? i + 8 : count;
    }
  }
}

CK_KERNEL(
    ck_clipEvidence, (const float *row, const float *clip, float *out, int64_t count),
    (row, clip, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 level = ck_load8(clip + i);
    cv_f8 below = (level - ck_load8(row + i)) / (level * 0.1f);
    ck_store8(out + i, cv_clamp8(below, (cv_f8)(0.0f), (cv_f8)(1.0f)));
  }
}

CK_KERNEL(
    ck_sumOfColumns, (const float *s, float *out, int64_t count), (s, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 outer = ck_load8(s + i) + ck_load8(s + i + 4);
    cv_f8 inner = ck_load8(s + i + 1) + ck_load8(s + i + 3);
    ck_store8(out + i, outer + inner + ck_load8(s + i + 2));
  }
}
