#include "LogLuminance.h"

CK_KERNEL(
    ck_localMedianRow,
    (const ck_localMedian *median, const float *stops, float *detail, int64_t count),
    (median, stops, detail, count)) {
  const ck_localMedian m = *median;
  const int pairs = m.pairs < CK_MEDIAN_PAIRS ? m.pairs : CK_MEDIAN_PAIRS;
  const float far = 1 / m.reach, steep = 1 / m.softness;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 before[CK_MEDIAN_PAIRS], behind[CK_MEDIAN_PAIRS], weights[CK_MEDIAN_PAIRS];
    const float *at = stops + i;
    cv_f8 center = f8(at), total = 1;
    for (int k = 0; k < pairs; k++) {
      before[k] = f8(at - m.offsets[k]) - center;
      behind[k] = f8(at + m.offsets[k]) - center;
      cv_f8 part = larger(magnitude(before[k]), magnitude(behind[k])) * far;
      cv_f8 near = larger(1 - part * part, 0);
      weights[k] = near * near;
      total += weights[k] * 2;
    }
    // Bisection, then a straight line between the ends: exact where all samples are one value.
    cv_f8 low = -m.reach, high = m.reach, below = -total, above = total;
    for (int step = 0; step < m.steps; step++) {
      cv_f8 middle = (low + high) * 0.5f;
      cv_f8 value = limited(middle * steep, -1, 1);
      for (int k = 0; k < pairs; k++) {
        value += weights[k]
            * (limited((middle - before[k]) * steep, -1, 1)
               + limited((middle - behind[k]) * steep, -1, 1));
      }
      cv_i8 isBelow = value < 0;
      low = isBelow ? middle : low;
      below = isBelow ? value : below;
      high = isBelow ? high : middle;
      above = isBelow ? above : value;
    }
    put(detail + i, -(low + (high - low) * (below / (below - above))));
  }
}
