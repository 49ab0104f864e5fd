#include "Kernel.h"

CK_KERNEL(
    ck_lateralRoots, (const float *mosaic, float offset, float *out, int64_t count),
    (mosaic, offset, out, count)) {
  cv_f8 zero = 0;
  for (int64_t x = 0; x < count; x += 8) {
    ck_store8(out + x, cv_sqrt8(cv_max8(f8(mosaic + x) + offset, zero)));
  }
}

/// Steps between four samples two apart, the inner one in full.
CK_BODY cv_f8 steps(cv_f8 a, cv_f8 b, cv_f8 c, cv_f8 d) {
  cv_f8 outer = cv_abs8(b - a) + cv_abs8(d - c);
  return cv_abs8(c - b) + outer * 0.5f;
}

CK_KERNEL(
    ck_lateralSteps,
    (const float *roots, int64_t stride, float *across, float *down, int64_t count),
    (roots, stride, across, down, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    const float *p = roots + x;
    ck_store8(across + x, steps(f8(p - 3), f8(p - 1), f8(p + 1), f8(p + 3)));
    ck_store8(
        down + x,
        steps(f8(p - 3 * stride), f8(p - stride), f8(p + stride), f8(p + 3 * stride)));
  }
}

/// In the middle of four samples, two apart.
CK_BODY cv_f8 between(cv_f8 a, cv_f8 b, cv_f8 c, cv_f8 d) {
  cv_f8 near = (b + c) * 0.5625f, far = (a + d) * 0.0625f;
  return near - far;
}

/// Squared sum of the steps at and around a photosite.
CK_BODY cv_f8 squared(const float *p, int64_t stride) {
  cv_f8 top = f8(p - stride - 1) + f8(p - stride + 1);
  cv_f8 bottom = f8(p + stride - 1) + f8(p + stride + 1);
  cv_f8 corners = (top + bottom) * 0.5f;
  cv_f8 sum = f8(p) + corners + 1e-3f;
  return sum * sum;
}

CK_KERNEL(
    ck_lateralGreen,
    (const float *roots, int64_t stride, const float *across, const float *down,
     int64_t stepStride, int64_t isGreen, float *out, int64_t count),
    (roots, stride, across, down, stepStride, isGreen, out, count)) {
  cv_i8 lanes = {0, 1, 0, 1, 0, 1, 0, 1};
  cv_i8 isOwn = isGreen ? lanes == 0 : lanes == 1;
  for (int64_t x = 0; x < count; x += 8) {
    const float *p = roots + x;
    cv_f8 horizontal = between(f8(p - 3), f8(p - 1), f8(p + 1), f8(p + 3));
    cv_f8 vertical =
        between(f8(p - 3 * stride), f8(p - stride), f8(p + stride), f8(p + 3 * stride));
    cv_f8 h = squared(across + x, stepStride), v = squared(down + x, stepStride);
    cv_f8 weighted = horizontal * v + vertical * h;
    ck_store8(out + x, isOwn ? f8(p) : weighted / (h + v));
  }
}

CK_KERNEL(
    ck_lateralDifferences,
    (const ck_lateralTaps *taps, const float *green, int64_t stride, const float *roots, float *out,
     int64_t blocks),
    (taps, green, stride, roots, out, blocks)) {
  for (int64_t i = 0; i < blocks; i++, green += 16, roots += 16) {
    const ck_lateralTaps *t = taps + i;
    const float *from = green + t->down * stride + t->across;
    cv_f8 a = 0, b = 0, c = 0;
    for (int k = 0; k < 4; k++, from += stride) {
      a += f8(from) * t->downWeights[k];
      b += f8(from + 8) * t->downWeights[k];
      c += f8(from + 16) * t->downWeights[k];
    }
    float line[24];
    ck_store8(line, a);
    ck_store8(line + 8, b);
    ck_store8(line + 16, c);
    const float *w = t->acrossWeights;
    cv_f8 next = f8(line + 2), last = f8(line + 10);
    cv_f8 before = ck_even8(a, b) * w[0] + ck_odd8(a, b) * w[1];
    cv_f8 behind = ck_even8(next, last) * w[2] + ck_odd8(next, last) * w[3];
    ck_store8(out + 8 * i, ck_even8(f8(roots), f8(roots + 8)) - (before + behind));
  }
}

CK_KERNEL(
    ck_lateralValues,
    (const ck_lateralTaps *taps, const float *differences, int64_t stride, const float *green,
     float offset, float *out, int64_t blocks),
    (taps, differences, stride, green, offset, out, blocks)) {
  cv_f8 zero = 0;
  for (int64_t i = 0; i < blocks; i++, green += 16, differences += 8) {
    const ck_lateralTaps *t = taps + i;
    const float *from = differences + t->down * stride + t->across;
    cv_f8 a = 0, b = 0;
    for (int k = 0; k < 4; k++, from += stride) {
      a += f8(from) * t->downWeights[k];
      b += f8(from + 8) * t->downWeights[k];
    }
    float line[16];
    ck_store8(line, a);
    ck_store8(line + 8, b);
    cv_f8 sum = a * t->acrossWeights[0];
    for (int k = 1; k < 4; k++) sum += f8(line + k) * t->acrossWeights[k];
    cv_f8 root = cv_max8(ck_even8(f8(green), f8(green + 8)) + sum, zero);
    ck_store8(out + 8 * i, root * root - offset);
  }
}
