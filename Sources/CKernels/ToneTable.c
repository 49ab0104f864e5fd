#include "OctaveTable.h"
#include "Pixels.h"

CK_BODY lanes toned(const ck_tone *tone, lanes x) {
  lanes value = ck_octaves(tone->pairs, tone->lowest, tone->below, magnitude(x) * tone->scale);
  return x >= 0 ? value : -value;
}

/// The weighted mean of all channels, by its distance from `own`: grays stay exactly what they are.
CK_BODY lanes mixedChannel(ck_pixels p, lanes own, ck_threeValues weights) {
  return own + (p.red - own) * weights.value[0] + (p.green - own) * weights.value[1]
      + (p.blue - own) * weights.value[2];
}

CK_BODY ck_pixels mixed(const ck_tone *tone, ck_pixels p) {
  const lanes most = (lanes){} + 1e30f;
  p = ck_clamped(p, -most, most);
  return (ck_pixels){
    mixedChannel(p, p.red, tone->mixing.red), mixedChannel(p, p.green, tone->mixing.green),
    mixedChannel(p, p.blue, tone->mixing.blue)};
}

CK_LANES_KERNEL(
    ck_toneRow, (const ck_tone *tone, ck_threeRows rows, int64_t count), (tone, rows, count)) {
  const ck_tone t = *tone;
  const _Bool plain = t.bleaching == 1 && t.saturating == 1;
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels p = ck_numbers(ck_pixelsAt(rows, i, count));
    if (t.mixes) p = mixed(&t, p);
    lanes high = ck_highest(p), low = ck_lowest(p);
    lanes top = toned(&t, high);
    lanes bottom = toned(&t, low);
    if (!plain) {
      lanes same = high > 0 ? low * (top / (high > 0 ? high : 1)) : bottom;
      lanes drawn = bottom - same;
      bottom = same + (drawn >= 0 ? drawn * t.bleaching : drawn * t.saturating);
    }
    lanes range = high - low;
    lanes k = range > 0 ? (top - bottom) / (range > 0 ? range : 1) : 0;
    ck_putPixels(
        rows, i, count,
        (ck_pixels){
          smaller(bottom + (p.red - low) * k, top), smaller(bottom + (p.green - low) * k, top),
          smaller(bottom + (p.blue - low) * k, top)});
  }
}
