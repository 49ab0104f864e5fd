#include "LocalToneGains.h"
#include "LuminanceGain.h"

CK_KERNEL(
    ck_localToneRow,
    (const ck_localTone *tone, ck_weights weights, float fadeStart, float amount, float peak,
     const float *slope, const float *offset, float *red, float *green, float *blue,
     int64_t count),
    (tone, weights, fadeStart, amount, peak, slope, offset, red, green, blue, count)) {
  const ck_localTone t = *tone;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    cv_f8 stops = ck_stops(cv_number8(ck_weighted(p, weights)), t.floor);
    cv_f8 change = ck_toneChange(&t, stops, ck_load8(slope + i), ck_load8(offset + i));
    cv_f8 top = ck_highest(p);
    if (cv_anyPositive8(top - fadeStart)) change *= ck_toneWeight(&t, top);
    ck_multiplyPixels(red, green, blue, i, cv_exp2_8(change * amount), peak);
  }
}
