#include "LuminanceGain.h"

CK_KERNEL(
    ck_detailRow,
    (const float *slope, const float *offset, const float *stops, float gain, float limit,
     float peak, ck_threeRows rows, int64_t count),
    (slope, offset, stops, gain, limit, peak, rows, count)) {
  const float perLimit = 1 / limit;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 change = (f8(slope + i) * f8(stops + i) - f8(offset + i)) * gain;
    cv_f8 bounded = change / (1 + magnitude(change) * perLimit);
    ck_multiplyPixels(rows, i, count, powerOfTwo(bounded), peak);
  }
}
