#include "Lanes.h"

CK_BODY void widen(cv_f8 *low, cv_f8 *high, const float *at) {
  cv_f8 value = f8(at);
  *low = smaller(value, *low);
  *high = larger(value, *high);
}

CK_KERNEL(
    ck_limitSpecks,
    (const ck_speckLimits *limits, const float *plane, int64_t stride, float *out, int64_t count),
    (limits, plane, stride, out, count)) {
  const ck_speckLimits l = *limits;
  for (int64_t x = 0; x < count; x += 8) {
    const float *at = plane + x;
    cv_f8 low = f8(at - 2 * stride - 2), high = low;
    for (int dx = -1; dx <= 2; dx++) widen(&low, &high, at - 2 * stride + dx);
    for (int dx = -2; dx <= 2; dx++) widen(&low, &high, at + 2 * stride + dx);
    for (int dy = -1; dy <= 1; dy++) {
      widen(&low, &high, at + dy * stride - 2);
      widen(&low, &high, at + dy * stride + 2);
    }
    cv_f8 zero = 0;
    high += root(larger(high, zero) * l.shot + l.read) * l.deviations;
    low -= root(larger(low, zero) * l.shot + l.read) * l.deviations;
    cv_f8 value = f8(at);
    cv_f8 limited = value - high > 0 ? high : (low - value > 0 ? low : value);
    put(out + x, l.saturation - value > 0 ? limited : value);
  }
}
