#include "Pixels.h"

/// Pixels around a sample whose range counts, as in SharpeningLimits.swift.
enum { reach = 2 };

CK_KERNEL(
    ck_rangeRow,
    (const float *in, float floor, float *input, float *highest, float *lowest, int64_t count),
    (in, floor, input, highest, lowest, count)) {
  for (int64_t i = 0; i < count + 2 * reach; i += 8) {
    ck_store8(input + i, cv_max8(f8(in + i), floor));
  }
  for (int64_t i = 0; i < count; i += 8) {
    const float *center = input + reach + i;
    cv_f8 high = f8(center), low = high;
    for (int k = 1; k <= reach; k++) {
      cv_f8 left = f8(center - k), right = f8(center + k);
      high = cv_max8(high, cv_max8(left, right));
      low = cv_min8(low, cv_min8(left, right));
    }
    ck_store8(highest + i, high);
    ck_store8(lowest + i, low);
  }
}

CK_KERNEL(
    ck_limitRow,
    (const ck_limits *limits, const float *center, const float *highest, const float *lowest,
     int64_t step, float *out, int64_t count),
    (limits, center, highest, lowest, step, out, count)) {
  const ck_limits l = *limits;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 high = f8(highest + i), low = f8(lowest + i);
    for (int k = 1; k <= reach; k++) {
      const int64_t down = k * step;
      high = cv_max8(
          high, cv_max8(f8(highest + i - down), f8(highest + i + down)));
      low = cv_min8(low, cv_min8(f8(lowest + i - down), f8(lowest + i + down)));
    }
    const float *at = center + i;
    cv_f8 value = f8(at);
    cv_f8 sides = f8(at - 1) + f8(at + 1);
    cv_f8 ends = f8(at - step) + f8(at + step);
    cv_f8 first = value - (sides + ends - value * 4) * l.curvature;
    cv_f8 fade = cv_clamp8((1 - high) / l.fadeWidth, 0, 1);
    cv_f8 above = high + cv_max8(first - high, 0) * fade;
    cv_f8 below = cv_min8(low, cv_max8(first, low * l.minFraction));
    ck_store8(out + i, cv_clamp8(f8(out + i), below, above));
  }
}
