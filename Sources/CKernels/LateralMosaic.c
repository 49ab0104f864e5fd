#include "Kernel.h"

CK_KERNEL(
    ck_lateralRoots,
    (const float *mosaic, float offset, int64_t isGreenFirst, float *greens, float *others, int64_t count),
    (mosaic, offset, isGreenFirst, greens, others, count)) {
  cv_f8 zero = 0;
  float *first = isGreenFirst ? greens : others, *second = isGreenFirst ? others : greens;
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 low = cv_sqrt8(cv_max8(f8(mosaic + 2 * x) + offset, zero));
    cv_f8 high = cv_sqrt8(cv_max8(f8(mosaic + 2 * x + 8) + offset, zero));
    ck_store8(first + x, ck_even8(low, high));
    ck_store8(second + x, ck_odd8(low, high));
  }
}

/// Steps between four samples two apart, the inner one in full.
CK_BODY cv_f8 steps(cv_f8 a, cv_f8 b, cv_f8 c, cv_f8 d) {
  cv_f8 outer = cv_abs8(b - a) + cv_abs8(d - c);
  return cv_abs8(c - b) + outer * 0.5f;
}

CK_KERNEL(
    ck_lateralSteps,
    (const float *greens, int64_t stride, int64_t isGreenFirst, float *across, float *down, int64_t count),
    (greens, stride, isGreenFirst, across, down, count)) {
  const float *left = isGreenFirst ? greens : greens - 1;
  for (int64_t x = 0; x < count; x += 8) {
    const float *p = left + x, *q = greens + x;
    ck_store8(across + x, steps(f8(p - 1), f8(p), f8(p + 1), f8(p + 2)));
    ck_store8(
        down + x,
        steps(f8(q - 3 * stride), f8(q - stride), f8(q + stride), f8(q + 3 * stride)));
  }
}

/// In the middle of four samples, two apart.
CK_BODY cv_f8 between(cv_f8 a, cv_f8 b, cv_f8 c, cv_f8 d) {
  cv_f8 near = (b + c) * 0.5625f, far = (a + d) * 0.0625f;
  return near - far;
}

/// Squared sum of the steps at and around a photosite; `left`: the nearer of those in the rows beside it.
CK_BODY cv_f8 squared(const float *p, const float *left, int64_t stride) {
  cv_f8 top = f8(left - stride) + f8(left - stride + 1);
  cv_f8 bottom = f8(left + stride) + f8(left + stride + 1);
  cv_f8 corners = (top + bottom) * 0.5f;
  cv_f8 sum = f8(p) + corners + 1e-3f;
  return sum * sum;
}

CK_KERNEL(
    ck_lateralGreen,
    (const float *greens, int64_t stride, const float *across, const float *down,
     int64_t stepStride, int64_t isGreenFirst, float *out, int64_t count),
    (greens, stride, across, down, stepStride, isGreenFirst, out, count)) {
  int64_t left = isGreenFirst ? 0 : -1;
  for (int64_t x = 0; x < count; x += 8) {
    const float *q = greens + x, *p = q + left;
    cv_f8 horizontal = between(f8(p - 1), f8(p), f8(p + 1), f8(p + 2));
    cv_f8 vertical =
        between(f8(q - 3 * stride), f8(q - stride), f8(q + stride), f8(q + 3 * stride));
    cv_f8 h = squared(across + x, across + x + left, stepStride);
    cv_f8 v = squared(down + x, down + x + left, stepStride);
    cv_f8 made = (horizontal * v + vertical * h) / (h + v), own = f8(q);
    cv_f8 even = isGreenFirst ? own : made, odd = isGreenFirst ? made : own;
    ck_store8(out + 2 * x, ck_zipLow8(even, odd));
    ck_store8(out + 2 * x + 8, ck_zipHigh8(even, odd));
  }
}

CK_KERNEL(
    ck_lateralDifferences,
    (const ck_lateralTaps *taps, const float *green, int64_t stride, const float *others, float *out,
     int64_t blocks),
    (taps, green, stride, others, out, blocks)) {
  for (int64_t i = 0; i < blocks; i++, green += 16) {
    const ck_lateralTaps *t = taps + i;
    const float *from = green + t->down * stride + t->across;
    cv_f8 a = 0, b = 0, c = 0;
    for (int k = 0; k < 4; k++, from += stride) {
      a += f8(from) * t->downWeights[k];
      b += f8(from + 8) * t->downWeights[k];
      c += f8(from + 16) * t->downWeights[k];
    }
    const float *w = t->acrossWeights;
    cv_f8 even = ck_even8(a, b), odd = ck_odd8(a, b);
    cv_f8 nextEven = __builtin_shufflevector(even, c, 1, 2, 3, 4, 5, 6, 7, 8);
    cv_f8 nextOdd = __builtin_shufflevector(odd, c, 1, 2, 3, 4, 5, 6, 7, 9);
    cv_f8 before = even * w[0] + odd * w[1];
    cv_f8 behind = nextEven * w[2] + nextOdd * w[3];
    ck_store8(out + 8 * i, f8(others + 8 * i) - (before + behind));
  }
}

CK_KERNEL(
    ck_lateralValues,
    (const ck_lateralTaps *taps, const float *differences, int64_t stride, const float *green,
     float offset, float *out, int64_t blocks),
    (taps, differences, stride, green, offset, out, blocks)) {
  cv_f8 zero = 0;
  for (int64_t i = 0; i < blocks; i++, green += 16, differences += 8, out += 16) {
    const ck_lateralTaps *t = taps + i;
    const float *from = differences + t->down * stride + t->across;
    cv_f8 a = 0, b = 0;
    for (int k = 0; k < 4; k++, from += stride) {
      a += f8(from) * t->downWeights[k];
      b += f8(from + 8) * t->downWeights[k];
    }
    const float *w = t->acrossWeights;
    cv_f8 sum = a * w[0];
    sum += __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8) * w[1];
    sum += __builtin_shufflevector(a, b, 2, 3, 4, 5, 6, 7, 8, 9) * w[2];
    sum += __builtin_shufflevector(a, b, 3, 4, 5, 6, 7, 8, 9, 10) * w[3];
    cv_f8 root = cv_max8(ck_even8(f8(green), f8(green + 8)) + sum, zero);
    cv_f8 values = root * root - offset, between = ck_odd8(f8(out), f8(out + 8));
    ck_store8(out, ck_zipLow8(values, between));
    ck_store8(out + 8, ck_zipHigh8(values, between));
  }
}
