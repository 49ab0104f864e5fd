#include "Pixels.h"

CK_BODY cv_f8 value(const ck_tone *tone, cv_f8 x) {
  cv_f8 magnitude =
      cv_octaveTable8(tone->pairs, tone->lowest, tone->below, cv_abs8(x) * tone->scale);
  return x >= 0.0f ? magnitude : -magnitude;
}

CK_KERNEL(
    ck_toneRow, (const ck_tone *tone, float *red, float *green, float *blue, int64_t count),
    (tone, red, green, blue, count)) {
  const ck_tone t = *tone;
  const _Bool plain = t.bleaching == 1.0f && t.saturating == 1.0f;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    p = (ck_pixels){cv_number8(p.red), cv_number8(p.green), cv_number8(p.blue)};
    cv_f8 high = ck_highest(p), low = ck_lowest(p);
    cv_f8 top = value(&t, high);
    cv_f8 bottom = value(&t, low);
    if (!plain) {
      cv_f8 same = high > 0.0f ? low * (top / (high > 0.0f ? high : (cv_f8)(1.0f))) : bottom;
      cv_f8 drawn = bottom - same;
      bottom = same + (drawn >= 0.0f ? drawn * t.bleaching : drawn * t.saturating);
    }
    cv_f8 range = high - low;
    cv_f8 k = range > 0.0f ? (top - bottom) / (range > 0.0f ? range : (cv_f8)(1.0f)) : 0.0f;
    ck_storePixels(
        red, green, blue, i,
        (ck_pixels){
          cv_min8(bottom + (p.red - low) * k, top), cv_min8(bottom + (p.green - low) * k, top),
          cv_min8(bottom + (p.blue - low) * k, top)});
  }
}
