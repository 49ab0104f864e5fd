#include "LuminanceGain.h"

CK_KERNEL(
    ck_addDetailRow,
    (const float *slope, const float *offset, const float *stops, float gain, _Bool isFirst,
     float *change, int64_t count),
    (slope, offset, stops, gain, isFirst, change, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 detail =
        (f8(slope + i) * f8(stops + i) - f8(offset + i)) * gain;
    ck_store8(change + i, isFirst ? detail : f8(change + i) + detail);
  }
}

CK_KERNEL(
    ck_changeRow,
    (const float *change, float limit, float peak, ck_threeRows rows,
     int64_t count),
    (change, limit, peak, rows, count)) {
  const float slope = 1 / limit;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 value = f8(change + i);
    cv_f8 bounded = value / (1 + cv_abs8(value) * slope);
    ck_multiplyPixels(rows, i, count, cv_exp2_8(bounded), peak);
  }
}
