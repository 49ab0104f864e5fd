#include "Lanes.h"

/// The two largest and the two smallest so far.
typedef struct extremes {
  cv_f8 highest, high, low, lowest;
} extremes;

CK_BODY void extend(extremes *e, cv_f8 value) {
  e->high = larger(e->high, smaller(e->highest, value));
  e->highest = larger(e->highest, value);
  e->low = smaller(e->low, larger(e->lowest, value));
  e->lowest = smaller(e->lowest, value);
}

/// How far `value` is outside of the second largest and smallest, above the limit.
CK_BODY cv_f8 overLimit(ck_outlierLimits limits, cv_f8 value, extremes e, cv_f8 shot, cv_f8 read) {
  cv_f8 zero = 0;
  cv_f8 deviation = root(larger((e.high + e.low) * 0.5f, zero) * shot + read);
  cv_f8 texture = larger(e.high - e.low - deviation * limits.noise, zero);
  return larger(value - e.high, e.low - value) - deviation * limits.deviations
         - texture * limits.spreads;
}

/// By how much each of eight photosites is above the limit.
CK_BODY cv_f8 overOf(
    ck_outlierLimits limits, const float *shot, const float *read, const float *row,
    const float *above, const float *below) {
  cv_f8 v = f8(row), s = f8(shot), r = f8(read);
  cv_f8 a = f8(row - 2), b = f8(row + 2), c = f8(above), d = f8(below);
  cv_f8 maxBeside = larger(a, b), minBeside = smaller(a, b);
  cv_f8 maxAround = larger(c, d), minAround = smaller(c, d);
  cv_f8 inner = smaller(maxBeside, maxAround), outer = larger(minBeside, minAround);
  extremes e;
  e.high = larger(inner, outer);
  e.low = smaller(inner, outer);
  cv_f8 excess = overLimit(limits, v, e, s, r);
  if (!anyOf(excess > 0)) return excess;
  e.highest = larger(maxBeside, maxAround);
  e.lowest = smaller(minBeside, minAround);
  // The four neighbors of most of these happen to agree: compare with the other four.
  extend(&e, f8(above - 2));
  extend(&e, f8(above + 2));
  extend(&e, f8(below - 2));
  extend(&e, f8(below + 2));
  return overLimit(limits, v, e, s, r);
}

CK_WIDE_KERNEL(
    ck_nextOutliers,
    (ck_outlierLimits limits, const float *shot, const float *read, const float *row,
     const float *above, const float *below, int64_t x, int64_t end, float *over, int64_t *found),
    (limits, shot, read, row, above, below, x, end, over, found)) {
  const float square = limits.deviations * limits.deviations;
  for (; x < end; x += LANES) {
    lanes v = at(row + x), a = at(row + x - 2), b = at(row + x + 2);
    lanes c = at(above + x), d = at(below + x);
    lanes inner = smaller(larger(a, b), larger(c, d));
    lanes outer = larger(smaller(a, b), smaller(c, d));
    lanes high = larger(inner, outer), low = smaller(inner, outer);
    // Without texture and roots, of which rounding is left to the whole test.
    lanes outside = larger(larger(v - high, low - v), 0);
    lanes variance = larger((high + low) * 0.5f, 0) * at(shot + x) + at(read + x);
    if (!__builtin_reduce_or(outside * outside * 1.001f > variance * square)) continue;
    for (int64_t i = x; i < x + LANES; i += 8) {
      cv_f8 excess = overOf(limits, shot + i, read + i, row + i, above + i, below + i);
      if (!anyOf(excess > 0)) continue;
      put(over, excess);
      *found = i;
      return;
    }
  }
  *found = x;
}

/// How far `value` is outside of two of its neighbors, above the limit.
CK_BODY cv_f8 patternExcess(
    ck_outlierLimits limits, cv_f8 outside, cv_f8 variance, cv_f8 high, cv_f8 low) {
  cv_f8 deviation = root(variance), zero = 0;
  cv_f8 texture = larger(high - low - deviation * limits.noise, zero);
  return outside - (deviation * limits.deviations + texture * limits.spreads);
}

CK_BODY void nextPatternOutliers(
    ck_outlierLimits limits, const float *shot, const float *read, const float *row,
    ck_neighborPattern pattern, int64_t period, int64_t stride, int64_t column, int64_t x,
    int64_t end, float *over, int64_t *found) {
  const float square = limits.deviations * limits.deviations;
  const float *at[4 * ck_maxColumns];
  for (int64_t i = 0; i < 4 * period; i++) {
    at[i] = row + pattern.near[i].dy * stride + pattern.near[i].dx;
  }
  for (; x < end; x += 8, column = (column + 8) % period) {
    cv_f8 n[4];
    for (int k = 0; k < 4; k++) n[k] = f8(at[k] + x);
    for (int64_t c = 1; c < period; c++) {
      cv_i8 isThere;
      __builtin_memcpy(&isThere, pattern.columns + ck_columnLanes * c + column, sizeof isThere);
      for (int k = 0; k < 4; k++) n[k] = isThere ? f8(at[4 * c + k] + x) : n[k];
    }
    cv_f8 v = f8(row + x), zero = 0;
    cv_f8 inner = smaller(larger(n[0], n[1]), larger(n[2], n[3]));
    cv_f8 outer = larger(smaller(n[0], n[1]), smaller(n[2], n[3]));
    cv_f8 low = smaller(inner, outer), high = larger(inner, outer);
    cv_f8 outside = larger(larger(v - high, low - v), zero);
    cv_f8 variance = f8(shot + x) * larger((high + low) * 0.5f, zero) + f8(read + x);
    // Without texture and roots, of which rounding is left to the whole test.
    if (!anyOf(outside * outside * 1.001f > variance * square)) continue;
    cv_f8 excess = patternExcess(limits, outside, variance, high, low);
    if (anyOf(excess > 0)) {
      put(over, excess);
      break;
    }
  }
  *found = x;
}

CK_KERNEL(
    ck_nextPatternOutliers,
    (ck_outlierLimits limits, const float *shot, const float *read, const float *row,
     ck_neighborPattern pattern, int64_t stride, int64_t column, int64_t x, int64_t end,
     float *over, int64_t *found),
    (limits, shot, read, row, pattern, stride, column, x, end, over, found)) {
  if (pattern.period == 3) {
    nextPatternOutliers(
        limits, shot, read, row, pattern, 3, stride, column, x, end, over, found);
  } else {
    nextPatternOutliers(
        limits, shot, read, row, pattern, pattern.period, stride, column, x, end, over, found);
  }
}
