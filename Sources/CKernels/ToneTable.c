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
static const float MAX_TAKEN = 0.75f;
CK_BODY lanes allowed(lanes own, lanes mixed) {
  lanes taken = own - mixed;
  return taken > 0 ? larger(own, (lanes){}) * MAX_TAKEN / (taken > 0 ? taken : 1) : 1;
}

CK_BODY ck_pixels mixed(const ck_tone *tone, ck_pixels p) {
  const lanes top = (lanes){} + 1e30f;
  p = ck_clamped(p, -top, top);
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

/// The luminance of BT.2020, for a blue of 1, from which on colors are those of blue lamps, and how
/// far below all of them are; the value on the curve from which on they lose chroma, and the range in
/// which they do.
static const float LAMPS = 0.42f, LAMP_RANGE = 0.36f, LIT = 0.2f, LIT_RANGE = 0.7f;
CK_BODY lanes smoothstep(lanes x) {
  lanes t = limited(x, (lanes){}, (lanes){} + 1);
  return t * t * (3 - 2 * t);
}

/// The fraction of chroma that a color loses whose largest channel the curve brings to `top`.
CK_BODY lanes paling(const ck_tone *tone, ck_pixels p, lanes top) {
  lanes luminance = p.red * 0.2627f + p.green * 0.678f + p.blue * 0.0593f;
  lanes lamp = p.blue > 0 ? (LAMPS - luminance / (p.blue > 0 ? p.blue : 1)) / LAMP_RANGE : 0;
  lanes lit = limited((top - LIT) / LIT_RANGE, (lanes){}, (lanes){} + 1);
  return smoothstep(lamp) * lit * tone->paling;
}

/// Colors of which the largest channel is 1 and the smallest `low`, moved towards white until that is
/// about `bleached`, and by the fraction `pale` of what is left, at their hue in Oklab: cube roots of the
/// cones' signals are linear in its chroma.
CK_BODY ck_pixels paler(
    const ck_tone *tone, ck_pixels p, lanes low, lanes bleached, lanes pale) {
  ck_pixels roots = ck_cubeRoots(ck_product(p, &tone->toLMS));
  lanes start = ck_cubeRoot(low), range = 1 - start;
  lanes fraction = range > 0 ? (ck_cubeRoot(bleached) - start) / (range > 0 ? range : 1) : 0;
  fraction += pale * (1 - fraction);
  roots.red += fraction * (1 - roots.red);
  roots.green += fraction * (1 - roots.green);
  roots.blue += fraction * (1 - roots.blue);
  ck_pixels cubes = {
    roots.red * roots.red * roots.red, roots.green * roots.green * roots.green,
    roots.blue * roots.blue * roots.blue};
  ck_pixels out = ck_product(cubes, &tone->fromLMS);
  return ck_scaled(out, 1 / larger(ck_highest(out), (lanes){} + 0.5f));
}

CK_WIDE_KERNEL(
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
    lanes pale = t.paling > 0 ? paling(&t, p, top) : 0;
    integers bleaches = drawn > 0, moves = (bleaches | (pale > 0)) & (range > 0);
    if (anyOf(moves)) {
      lanes shown = top > 0 ? top : 1, scale = 1 / (bleaches ? (high > 0 ? high : 1) : shown);
      ck_pixels from = {
        bleaches ? p.red : out.red, bleaches ? p.green : out.green, bleaches ? p.blue : out.blue};
      lanes end = bottom / shown;
      ck_pixels moved = ck_scaled(
          paler(&t, ck_numbers(ck_scaled(from, scale)), bleaches ? low * scale : end, end, pale),
          top);
      out = (ck_pixels){
        moves ? moved.red : out.red, moves ? moved.green : out.green,
        moves ? moved.blue : out.blue};
    }
    ck_putPixels(
        rows, i, count,
        (ck_pixels){smaller(out.red, top), smaller(out.green, top), smaller(out.blue, top)});
  }
}
