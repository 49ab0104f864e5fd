#include "Lanes.h"

/// Sixteen samples in a row, at any address.
CK_BODY cv_f16 f16(const float *in) {
  cv_f16 values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}

CK_WIDE_KERNEL(
    ck_lateralRoots,
    (const float *mosaic, float offset, int64_t isGreenFirst, float *greens, float *others, int64_t count),
    (mosaic, offset, isGreenFirst, greens, others, count)) {
  float *first = isGreenFirst ? greens : others, *second = isGreenFirst ? others : greens;
  for (int64_t x = 0; x < count; x += LANES) {
    lanes low = root(larger(at(mosaic + 2 * x) + offset, 0));
    lanes high = root(larger(at(mosaic + 2 * x + LANES) + offset, 0));
    put(first + x, evenLanes(low, high));
    put(second + x, oddLanes(low, high));
  }
}

/// Steps between four samples two apart, the inner one in full.
CK_BODY lanes steps(lanes a, lanes b, lanes c, lanes d) {
  lanes outer = magnitude(b - a) + magnitude(d - c);
  return magnitude(c - b) + outer * 0.5f;
}

CK_WIDE_KERNEL(
    ck_lateralSteps,
    (const float *greens, int64_t stride, int64_t isGreenFirst, float *across, float *down, int64_t count),
    (greens, stride, isGreenFirst, across, down, count)) {
  const float *left = isGreenFirst ? greens : greens - 1;
  for (int64_t x = 0; x < count; x += LANES) {
    const float *p = left + x, *q = greens + x;
    put(across + x, steps(at(p - 1), at(p), at(p + 1), at(p + 2)));
    put(
        down + x,
        steps(at(q - 3 * stride), at(q - stride), at(q + stride), at(q + 3 * stride)));
  }
}

/// In the middle of four samples, two apart.
CK_BODY lanes between(lanes a, lanes b, lanes c, lanes d) {
  lanes near = (b + c) * 0.5625f, far = (a + d) * 0.0625f;
  return near - far;
}

/// Squared sum of the steps at and around a photosite; `left`: the nearer of those in the rows beside it.
CK_BODY lanes squared(const float *p, const float *left, int64_t stride) {
  lanes top = at(left - stride) + at(left - stride + 1);
  lanes bottom = at(left + stride) + at(left + stride + 1);
  lanes corners = (top + bottom) * 0.5f;
  lanes sum = at(p) + corners + 1e-3f;
  return sum * sum;
}

CK_WIDE_KERNEL(
    ck_lateralGreen,
    (const float *greens, int64_t stride, const float *across, const float *down,
     int64_t stepStride, int64_t isGreenFirst, float *out, int64_t count),
    (greens, stride, across, down, stepStride, isGreenFirst, out, count)) {
  int64_t left = isGreenFirst ? 0 : -1;
  for (int64_t x = 0; x < count; x += LANES) {
    const float *q = greens + x, *p = q + left;
    lanes horizontal = between(at(p - 1), at(p), at(p + 1), at(p + 2));
    lanes vertical =
        between(at(q - 3 * stride), at(q - stride), at(q + stride), at(q + 3 * stride));
    lanes h = squared(across + x, across + x + left, stepStride);
    lanes v = squared(down + x, down + x + left, stepStride);
    lanes made = (horizontal * v + vertical * h) / (h + v), own = at(q);
    putInTurn(out + 2 * x, isGreenFirst ? own : made, isGreenFirst ? made : own);
  }
}

CK_WIDE_KERNEL(
    ck_lateralDifferences,
    (const ck_lateralTaps *taps, const float *green, int64_t stride, const float *others, float *out,
     int64_t blocks),
    (taps, green, stride, others, out, blocks)) {
  for (int64_t i = 0; i < blocks; i++, green += 16) {
    const ck_lateralTaps *t = taps + i;
    const float *from = green + t->down * stride + t->across;
    cv_f16 a = 0;
    cv_f8 c = 0;
    for (int k = 0; k < 4; k++, from += stride) {
      a += f16(from) * t->downWeights[k];
      c += f8(from + 16) * t->downWeights[k];
    }
    const float *w = t->acrossWeights;
    cv_f8 even = a.even, odd = a.odd;
    cv_f8 nextEven = __builtin_shufflevector(even, c, 1, 2, 3, 4, 5, 6, 7, 8);
    cv_f8 nextOdd = __builtin_shufflevector(odd, c, 1, 2, 3, 4, 5, 6, 7, 9);
    cv_f8 before = even * w[0] + odd * w[1];
    cv_f8 behind = nextEven * w[2] + nextOdd * w[3];
    put(out + 8 * i, f8(others + 8 * i) - (before + behind));
  }
}

CK_WIDE_KERNEL(
    ck_lateralValues,
    (const ck_lateralTaps *taps, const float *differences, int64_t stride, const float *green,
     float offset, float *out, int64_t blocks),
    (taps, differences, stride, green, offset, out, blocks)) {
  cv_f8 zero = 0;
  for (int64_t i = 0; i < blocks; i++, green += 16, differences += 8, out += 16) {
    const ck_lateralTaps *t = taps + i;
    const float *from = differences + t->down * stride + t->across;
    cv_f16 a = 0;
    for (int k = 0; k < 4; k++, from += stride) a += f16(from) * t->downWeights[k];
    const float *w = t->acrossWeights;
    cv_f8 sum = a.lo * w[0];
    sum += __builtin_shufflevector(a, a, 1, 2, 3, 4, 5, 6, 7, 8) * w[1];
    sum += __builtin_shufflevector(a, a, 2, 3, 4, 5, 6, 7, 8, 9) * w[2];
    sum += __builtin_shufflevector(a, a, 3, 4, 5, 6, 7, 8, 9, 10) * w[3];
    cv_f8 root = larger(f16(green).even + sum, zero);
    cv_f8 values = root * root - offset, between = f16(out).odd;
    put(out, zippedLow(values, between));
    put(out + 8, zippedHigh(values, between));
  }
}
