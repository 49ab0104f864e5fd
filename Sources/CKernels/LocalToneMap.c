#include "LocalToneGains.h"
#include "LuminanceGain.h"

CK_KERNEL(
    ck_localToneRow,
    (const ck_localTone *tone, ck_threeValues weights, float fadeStart, float amount, float peak,
     const float *slope, const float *offset, ck_threeRows rows,
     int64_t count),
    (tone, weights, fadeStart, amount, peak, slope, offset, rows, count)) {
  const ck_localTone t = *tone;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 stops = ck_stops(number(ck_weighted(p, weights)), t.floor);
    cv_f8 change = ck_toneChange(&t, stops, f8(slope + i), f8(offset + i));
    cv_f8 top = ck_highest(p);
    if (anyOf(top - fadeStart > 0)) change *= ck_toneWeight(&t, top);
    ck_multiplyPixels(rows, i, count, powerOfTwo(change * amount), peak);
  }
}
