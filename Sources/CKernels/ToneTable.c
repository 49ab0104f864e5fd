#include "OctaveTable.h"
#include "Pixels.h"

CK_BODY cv_f8 value(const ck_tone *tone, cv_f8 x) {
  cv_f8 magnitude = ck_octaves(tone->pairs, tone->lowest, tone->below, cv_abs8(x) * tone->scale);
  return x >= 0 ? magnitude : -magnitude;
}

CK_KERNEL(
    ck_toneRow, (const ck_tone *tone, ck_threeRows rows, int64_t count), (tone, rows, count)) {
  const ck_tone t = *tone;
  const _Bool plain = t.bleaching == 1 && t.saturating == 1;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_numbers(ck_loadPixels(rows, i));
    cv_f8 high = ck_highest(p), low = ck_lowest(p);
    cv_f8 top = value(&t, high);
    cv_f8 bottom = value(&t, low);
    if (!plain) {
      cv_f8 same = high > 0 ? low * (top / (high > 0 ? high : 1)) : bottom;
      cv_f8 drawn = bottom - same;
      bottom = same + (drawn >= 0 ? drawn * t.bleaching : drawn * t.saturating);
    }
    cv_f8 range = high - low;
    cv_f8 k = range > 0 ? (top - bottom) / (range > 0 ? range : 1) : 0;
    ck_storePixels(
        rows, i,
        (ck_pixels){
          cv_min8(bottom + (p.red - low) * k, top), cv_min8(bottom + (p.green - low) * k, top),
          cv_min8(bottom + (p.blue - low) * k, top)});
  }
}
