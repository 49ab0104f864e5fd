#include "LocalToneGains.h"

CK_KERNEL(
    ck_toneChangeRow,
    (const ck_localTone *tone, const float *stops, const float *slope, const float *offset,
     const float *brightest, float *change, float *weight, int64_t count),
    (tone, stops, slope, offset, brightest, change, weight, count)) {
  const ck_localTone t = *tone;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 counts = ck_toneWeight(&t, f8(brightest + i));
    cv_f8 value =
        ck_toneChange(&t, f8(stops + i), f8(slope + i), f8(offset + i));
    put(weight + i, counts);
    put(change + i, value * counts);
  }
}
