#include "HueLine.h"

/// Four values in a row that lie between two steps of a table, for each lane.
typedef struct ck_looked {
  cv_f8 value[4];
} ck_looked;
CK_BODY ck_looked stepsAt(const float *table, cv_i8 index, cv_f8 part) {
  ck_looked out;
  for (int lane = 0; lane < 8; lane++) {
    const float *at = table + 4 * index[lane];
    cv_f4 here = f4(at);
    cv_f4 v = here + (f4(at + 4) - here) * part[lane];
    for (int k = 0; k < 4; k++) out.value[k][lane] = v[k];
  }
  return out;
}

/// What the table of hues has for a and b.
CK_BODY ck_looked byHue(const ck_color *color, cv_f8 a, cv_f8 b) {
  cv_f8 d = a / larger(magnitude(a) + magnitude(b), 1e-20f);
  cv_f8 turn = b >= 0 ? 1 - d : 3 + d;
  cv_f8 position = turn * (float)(color->hueCount / 4);
  cv_i8 index = __builtin_convertvector(position, cv_i8);
  index = index < color->hueCount - 1 ? index : color->hueCount - 1;
  return stepsAt(color->hues, index, position - __builtin_convertvector(index, cv_f8));
}

/// What the table of levels has for L.
CK_BODY ck_looked byLevel(const ck_color *color, cv_f8 lightness) {
  const float smallest = __builtin_bit_cast(float, color->lowest);
  cv_f8 level = limited(lightness * color->scale, smallest, 0.9999999f);
  cv_i8 bits = __builtin_bit_cast(cv_i8, level) - color->lowest;
  return stepsAt(
      color->levels, bits >> 18, __builtin_convertvector(bits & 0x3ffff, cv_f8) * 0x1p-18f);
}

/// Chroma is not looked for beyond this factor.
static const float MOST_ROOM = 4;
enum { HUE_HALVINGS = 6 };

/// How much more chroma a color of Oklab takes before a channel of BT.2020 falls to 0: 1 to MOST_ROOM.
CK_BODY cv_f8 room(const ck_color *color, cv_f8 lightness, cv_f8 a, cv_f8 b) {
  ck_hueLine line = ck_hueLineOf(lightness, a, b, &color->fromLab, &color->fromLMS);
  ck_crossing c = {1, MOST_ROOM, 0, 0};
  for (int step = 0; step <= HUE_HALVINGS; step++) {
    cv_f8 k = step ? (c.low + c.high) * 0.5f : c.high;
    ck_narrow(&c, k, ck_lowest(ck_along(&line, k)));
  }
  cv_f8 range = c.before - c.behind;
  return c.low + (c.high - c.low) * (range > 0 ? c.before / (range > 0 ? range : 1) : 0);
}

CK_KERNEL(
    ck_colorRow, (const ck_color *color, ck_threeRows rows, int64_t count),
    (color, rows, count)) {
  const ck_color t = *color;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_clamped(ck_numbers(ck_loadPixels(rows, i)), -1e20f, 1e20f);
    ck_pixels lms = ck_product(p, &t.toLMS);
    ck_pixels lab = ck_product(ck_cubeRoots(lms), &t.toLab);
    cv_f8 lightness = lab.red, a = lab.green, b = lab.blue;
    cv_f8 chroma2 = a * a + b * b;
    cv_f8 floor = magnitude(lightness) + 0.02f;
    cv_f8 saturation2 = chroma2 / (floor * floor);
    cv_f8 factor = t.saturation, gain = 1;
    if (t.hues) {
      ck_looked hue = byHue(&t, a, b);
      factor *= 1 + hue.value[3] * t.vibrance / (1 + saturation2 * 25);
      gain = powerOfTwo(hue.value[2] * (1.0f / 3) * (saturation2 / (saturation2 + 0.01f)));
      cv_f8 turned = a * hue.value[0] - b * hue.value[1];
      b = a * hue.value[1] + b * hue.value[0];
      a = turned;
    }
    cv_i8 grows = factor > 1;
    if (anyOf(grows)) {
      // More and more slowly, so that it ends at the surface and hues stay hues.
      cv_f8 more = factor - 1, fraction = more / larger(room(&t, lightness, a, b) - 1, 1e-6f);
      cv_f8 square = fraction * fraction;
      factor = grows ? 1 + more / root(root(1 + square * square)) : factor;
    }
    a *= factor;
    b *= factor;
    if (t.levels) {
      ck_looked level = byLevel(&t, lightness * gain);
      a += lightness * level.value[0];
      b += lightness * level.value[1];
      gain *= level.value[2];
    }
    lms = ck_scaled(ck_product((ck_pixels){lightness, a, b}, &t.fromLab), gain);
    ck_pixels cubes = {
      lms.red * lms.red * lms.red, lms.green * lms.green * lms.green,
      lms.blue * lms.blue * lms.blue};
    ck_pixels out = ck_product(cubes, &t.fromLMS);
    cv_f8 top = ck_highest(out);
    // Slightly below, so that rounding does not raise the product above the peak.
    cv_f8 limit = top > t.peak ? t.peak * 0.9999998f / (top > 0 ? top : 1) : 1;
    ck_storePixels(rows, i, ck_scaled(out, limit));
  }
}
