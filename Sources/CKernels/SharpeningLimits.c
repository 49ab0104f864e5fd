#include "Lanes.h"

/// Pixels around a sample whose range counts, as in SharpeningLimits.swift.
enum { reach = 2 };

CK_WIDE_KERNEL(
    ck_rangeRow,
    (const float *in, float floor, float *input, float *highest, float *lowest, int64_t count),
    (in, floor, input, highest, lowest, count)) {
  for (int64_t i = 0; i < count + 2 * reach; i += LANES) {
    put(input + i, larger(at(in + i), floor));
  }
  for (int64_t i = 0; i < count; i += LANES) {
    const float *center = in + reach + i;
    lanes high = at(center), low = high;
    for (int k = 1; k <= reach; k++) {
      lanes left = at(center - k), right = at(center + k);
      high = larger(high, larger(left, right));
      low = smaller(low, smaller(left, right));
    }
    put(highest + i, larger(high, floor));
    put(lowest + i, larger(low, floor));
  }
}

CK_WIDE_KERNEL(
    ck_limitRow,
    (const ck_limits *limits, const float *center, const float *highest, const float *lowest,
     int64_t step, float *out, int64_t count),
    (limits, center, highest, lowest, step, out, count)) {
  const ck_limits l = *limits;
  for (int64_t i = 0; i < count; i += LANES) {
    lanes high = at(highest + i), low = at(lowest + i);
    for (int k = 1; k <= reach; k++) {
      const int64_t down = k * step;
      high = larger(high, larger(at(highest + i - down), at(highest + i + down)));
      low = smaller(low, smaller(at(lowest + i - down), at(lowest + i + down)));
    }
    const float *here = center + i;
    lanes value = at(here);
    lanes sides = at(here - 1) + at(here + 1);
    lanes ends = at(here - step) + at(here + step);
    lanes first = value - (sides + ends - value * 4) * l.curvature;
    lanes fade = limited((1 - high) / l.fadeWidth, 0, 1);
    lanes above = high + larger(first - high, 0) * fade;
    lanes below = smaller(low, larger(first, low * l.minFraction));
    put(out + i, limited(at(out + i), below, above));
  }
}
