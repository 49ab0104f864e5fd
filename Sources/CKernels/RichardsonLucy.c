#include "Pixels.h"

/// The blur of eight samples along a row (`step` 1) or a column (the distance of rows).
CK_BODY cv_f8 blurred(ck_blur blur, const float *at, int64_t step, int radius) {
  cv_f8 sum = f8(at) * blur.center;
  sum += (f8(at - step) + f8(at + step)) * blur.first;
  sum += (f8(at - 2 * step) + f8(at + 2 * step)) * blur.second;
  if (radius > 2) sum += (f8(at - 3 * step) + f8(at + 3 * step)) * blur.third;
  if (radius > 3) sum += (f8(at - 4 * step) + f8(at + 4 * step)) * blur.fourth;
  return sum;
}

/// Blurs a row whose ends are repeated into its margins.
CK_BODY void blurRow(
    ck_blur blur, float *row, float *out, int64_t count, int radius) {
  for (int k = 1; k <= radius; k++) {
    row[-k] = row[0];
    row[count - 1 + k] = row[count - 1];
  }
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(out + i, blurred(blur, row + i, 1, radius));
  }
}

// One loop for each radius, so that it is unrolled.
#define FOR_RADIUS(blur, loop, ...)        \
  switch ((blur).radius) {                 \
    case 2: loop(__VA_ARGS__, 2); break;   \
    case 3: loop(__VA_ARGS__, 3); break;   \
    default: loop(__VA_ARGS__, 4); break;  \
  }

CK_KERNEL(
    ck_lucyPredictRow,
    (ck_blur blur, const float *now, const float *before, float momentum,
     float *predicted, float *out, int64_t count),
    (blur, now, before, momentum, predicted, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 value = f8(now + i);
    cv_f8 ahead = before ? value + momentum * (value - f8(before + i)) : value;
    ck_store8(predicted + i, cv_max8(ahead, value * 0.25f));
  }
  FOR_RADIUS(blur, blurRow, blur, predicted, out, count)
}

CK_BODY void compare(
    ck_blur blur, const float *line, int64_t step, const float *measured, float *ratio,
    int64_t count, int radius) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(ratio + i, f8(measured + i) / blurred(blur, line + i, step, radius));
  }
}
CK_KERNEL(
    ck_lucyCompareRow,
    (ck_blur blur, const float *line, int64_t step, const float *measured, float *ratio,
     float *out, int64_t count),
    (blur, line, step, measured, ratio, out, count)) {
  FOR_RADIUS(blur, compare, blur, line, step, measured, ratio, count)
  FOR_RADIUS(blur, blurRow, blur, ratio, out, count)
}

CK_BODY void correct(
    ck_blur blur, const float *line, int64_t step, const float *predicted, float *out,
    float *change, int64_t count, int radius) {
  cv_f8 most = f8(change);
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 ratio = blurred(blur, line + i, step, radius);
    ck_store8(out + i, f8(predicted + i) * ratio);
    most = cv_max8(most, cv_abs8(ratio - 1));
  }
  ck_store8(change, most);
}
CK_KERNEL(
    ck_lucyCorrectRow,
    (ck_blur blur, const float *line, int64_t step, const float *predicted, float *out,
     float *change, int64_t count),
    (blur, line, step, predicted, out, change, count)) {
  FOR_RADIUS(blur, correct, blur, line, step, predicted, out, change, count)
}

CK_KERNEL(
    ck_floorRow, (const float *in, float floor, float *first, float *second, int64_t count),
    (in, floor, first, second, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 value = cv_max8(f8(in + i), floor);
    ck_store8(first + i, value);
    ck_store8(second + i, value);
  }
}
