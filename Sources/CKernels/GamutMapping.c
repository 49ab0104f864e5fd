#include "CubeRoot.h"
#include "Smoothstep.h"

/// A color's channels where `k` times its chroma is left, a cubic each, and its chroma over its
/// lightness.
typedef struct ck_hueLine {
  cv_f8 gray;
  ck_pixels first, second, third;
  cv_f8 saturation;
} ck_hueLine;
CK_BODY cv_f8 cubic(cv_f8 gray, cv_f8 a, cv_f8 b, cv_f8 c, cv_f8 k) {
  return gray + k * (a + k * (b + k * c));
}
CK_BODY ck_pixels along(const ck_hueLine *line, cv_f8 k) {
  return (ck_pixels){
    cubic(line->gray, line->first.red, line->second.red, line->third.red, k),
    cubic(line->gray, line->first.green, line->second.green, line->third.green, k),
    cubic(line->gray, line->first.blue, line->second.blue, line->third.blue, k)};
}

CK_BODY ck_hueLine hueLine(const ck_gamut *g, ck_pixels p) {
  ck_pixels lms = ck_product(p, &g->toLMS);
  // Less than these shares has no visible light, and where a signal ends there is no hue.
  cv_f8 most = cv_max8(ck_highest(lms), 1e-20f);
  ck_pixels roots = ck_cubeRoots((ck_pixels){
    cv_max8(lms.red, most * 0.02f), cv_max8(lms.green, most * 0.08f),
    cv_max8(lms.blue, most * 0.02f)});
  ck_pixels lab = ck_product(roots, &g->toLab);
  cv_f8 light = cv_min8(lab.red, g->headroomRoot);
  const cv_f8 none = 0;
  ck_pixels d = ck_product((ck_pixels){none, lab.green, lab.blue}, &g->fromLab);
  ck_pixels squares = {d.red * d.red, d.green * d.green, d.blue * d.blue};
  ck_pixels cubes = {squares.red * d.red, squares.green * d.green, squares.blue * d.blue};
  return (ck_hueLine){
    light * light * light, ck_scaled(ck_product(d, &g->fromLMS), 3 * light * light),
    ck_scaled(ck_product(squares, &g->fromLMS), 3 * light), ck_product(cubes, &g->fromLMS),
    cv_sqrt8(lab.green * lab.green + lab.blue * lab.blue) / cv_max8(light, 1e-10f)};
}

/// How far the color at `k` is below `top`, or above the surface: its lowest channel, and what that
/// may lack beside blue.
CK_BODY cv_f8 inside(const ck_hueLine *line, cv_f8 k, cv_f8 top, _Bool atTop) {
  ck_pixels p = along(line, k);
  if (atTop) return top - ck_highest(p);
  cv_f8 u = cv_clamp8((k * line->saturation - 0.25f) * (1 / 0.47f), 0, 1);
  return ck_lowest(p) + cv_max8(p.blue, 0) * (0.12f * u * (1 - u));
}

/// Halvings of the range of `k`, and secants after them.
enum { HALVINGS = 5, SECANTS = 2 };
/// A range of `k` with how far the color is inside at both ends, negative at the second.
typedef struct ck_crossing {
  cv_f8 low, high, before, behind;
} ck_crossing;
CK_BODY cv_f8 secant(const ck_crossing *c) {
  cv_f8 range = c->before - c->behind;
  return c->low + (c->high - c->low) * c->before / (range > 0 ? range : 1);
}

/// The `k` up to `end` at which the color leaves the gamut, at its surface or at `top`.
CK_BODY cv_f8 leaves(const ck_hueLine *line, cv_f8 end, cv_f8 top, _Bool atTop) {
  ck_crossing c = {0, end, atTop ? top - line->gray : line->gray, inside(line, end, top, atTop)};
  cv_i8 stays = c.behind >= 0;
  for (int n = 0; n < HALVINGS + SECANTS; n++) {
    cv_f8 k = n < HALVINGS ? (c.low + c.high) * 0.5f : secant(&c);
    cv_f8 left = inside(line, k, top, atTop);
    cv_i8 further = left >= 0;
    c.low = further ? k : c.low;
    c.before = further ? left : c.before;
    c.high = further ? c.high : k;
    c.behind = further ? c.behind : left;
  }
  return stays ? end : secant(&c);
}

CK_BODY cv_f8 moved(cv_f8 old, cv_f8 new, cv_i8 outside, cv_f8 top, cv_i8 dark) {
  cv_f8 value = outside ? cv_clamp8(new, 0, top) : old;
  // A color without a positive channel cannot be shown.
  return dark ? 0 : value;
}

/// `mapped`, or where `p` is outside by as little as rounding puts it, its channels cut; a mixture
/// in between.
CK_BODY ck_pixels shallowCut(ck_pixels p, ck_pixels mapped, cv_f8 depth, cv_f8 top) {
  const cv_f8 none = 0;
  cv_f8 share = ck_boundedSmoothstep8((depth - 0.005f) * (1 / 0.495f));
  ck_pixels cut = {
    cv_clamp8(p.red, none, top), cv_clamp8(p.green, none, top), cv_clamp8(p.blue, none, top)};
  return (ck_pixels){
    cut.red + share * (mapped.red - cut.red), cut.green + share * (mapped.green - cut.green),
    cut.blue + share * (mapped.blue - cut.blue)};
}

CK_KERNEL(
    ck_gamutRow, (const ck_gamut *gamut, ck_threeRows rows, int64_t count), (gamut, rows, count)) {
  const ck_gamut g = *gamut;
  const float t = g.knee;
  const cv_f8 top = g.headroom, end = 1 / t;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 high = ck_highest(p), low = ck_lowest(p);
    cv_i8 outside = (low < high * (1 - t)) | (high > top);
    if (!ck_any(outside)) continue;
    ck_hueLine line = hueLine(&g, p);
    cv_f8 surface = leaves(&line, end, top, 0);
    outside &= (low < 0) | (surface < end) | (high > top);
    cv_f8 k = surface;
    if (t < 1) {
      cv_f8 z = (1 / surface - t) / (1 - t);
      k = (t + (1 - t) * z / (1 + z)) * surface;
    }
    ck_pixels out = along(&line, k);
    if (ck_any(ck_highest(out) > top)) out = along(&line, leaves(&line, k, top, 1));
    if (t == 1) out = shallowCut(p, out, cv_max8(-low, high - top) / (high + 0.05f), top);
    cv_i8 dark = outside & (high <= 0);
    ck_storePixels(
        rows, i,
        (ck_pixels){
          moved(p.red, out.red, outside, top, dark), moved(p.green, out.green, outside, top, dark),
          moved(p.blue, out.blue, outside, top, dark)});
  }
}
