#include "CubeRoot.h"
#include "OctaveTable.h"

CK_BODY lanes toned(const ck_tone *tone, lanes x) {
  lanes value = ck_octaves(tone->pairs, tone->lowest, tone->below, magnitude(x) * tone->scale);
  return x >= 0 ? value : -value;
}

/// The weighted mean of all channels, by its distance from `own`: grays stay exactly what they are.
CK_BODY lanes mixedChannel(ck_pixels p, lanes own, ck_threeValues weights) {
  return own + (p.red - own) * weights.value[0] + (p.green - own) * weights.value[1]
      + (p.blue - own) * weights.value[2];
}

/// How much of the step from `own` to `mixed` may be taken: none of what is left of a channel falls
/// by more than this fraction, so that no color is mixed out of the gamut.
static const float MOST_TAKEN = 0.75f;
CK_BODY lanes allowed(lanes own, lanes mixed) {
  lanes taken = own - mixed;
  return taken > 0 ? larger(own, (lanes){}) * MOST_TAKEN / (taken > 0 ? taken : 1) : 1;
}

CK_BODY ck_pixels mixed(const ck_tone *tone, ck_pixels p) {
  const lanes most = (lanes){} + 1e30f;
  p = ck_clamped(p, -most, most);
  ck_pixels m = {
    mixedChannel(p, p.red, tone->mixing.red), mixedChannel(p, p.green, tone->mixing.green),
    mixedChannel(p, p.blue, tone->mixing.blue)};
  lanes part = smaller(
      smaller(allowed(p.red, m.red), allowed(p.green, m.green)), allowed(p.blue, m.blue));
  return (ck_pixels){
    part < 1 ? p.red + (m.red - p.red) * part : m.red,
    part < 1 ? p.green + (m.green - p.green) * part : m.green,
    part < 1 ? p.blue + (m.blue - p.blue) * part : m.blue};
}

/// Colors of which the largest channel is 1 and the smallest `low`, moved towards white until that is
/// about `bleached`, at their hue in Oklab: cube roots of the cones' signals are linear in its chroma.
CK_BODY ck_pixels paler(const ck_tone *tone, ck_pixels p, lanes low, lanes bleached) {
  ck_pixels roots = ck_cubeRoots(ck_product(p, &tone->toLMS));
  lanes start = ck_cubeRoot(low), range = 1 - start;
  lanes share = range > 0 ? (ck_cubeRoot(bleached) - start) / (range > 0 ? range : 1) : 0;
  roots.red += share * (1 - roots.red);
  roots.green += share * (1 - roots.green);
  roots.blue += share * (1 - roots.blue);
  ck_pixels cubes = {
    roots.red * roots.red * roots.red, roots.green * roots.green * roots.green,
    roots.blue * roots.blue * roots.blue};
  ck_pixels out = ck_product(cubes, &tone->fromLMS);
  return ck_scaled(out, 1 / larger(ck_highest(out), (lanes){} + 0.5f));
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
    lanes drawn = 0, gain = high > 0 ? top / (high > 0 ? high : 1) : 0;
    if (!plain) {
      lanes same = high > 0 ? low * gain : bottom;
      drawn = bottom - same;
      bottom = same + (drawn >= 0 ? drawn * t.bleaching : drawn * t.saturating);
    }
    lanes range = high - low;
    lanes k = range > 0 ? (top - bottom) / (range > 0 ? range : 1) : 0;
    ck_pixels out = {
      bottom + (p.red - low) * k, bottom + (p.green - low) * k, bottom + (p.blue - low) * k};
    integers bleaches = (drawn > 0) & (range > 0);
    if (anyOf(bleaches)) {
      lanes inverse = 1 / (high > 0 ? high : 1);
      ck_pixels pale = ck_scaled(
          paler(&t, ck_numbers(ck_scaled(p, inverse)), low * inverse, bottom / (top > 0 ? top : 1)),
          top);
      out = (ck_pixels){
        bleaches ? pale.red : out.red, bleaches ? pale.green : out.green,
        bleaches ? pale.blue : out.blue};
    }
    ck_putPixels(
        rows, i, count,
        (ck_pixels){smaller(out.red, top), smaller(out.green, top), smaller(out.blue, top)});
  }
}
