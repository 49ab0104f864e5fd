#include "HueLine.h"
#include "Smoothstep.h"

/// The colors of a pixel's hue, and its chroma over its lightness.
typedef struct ck_outsideColor {
  ck_hueLine line;
  cv_f8 saturation;
} ck_outsideColor;

CK_BODY ck_outsideColor outsideColor(const ck_gamut *g, ck_pixels p) {
  ck_pixels lms = ck_product(p, &g->toLMS);
  // Channels below these fractions cannot be seen, and where a signal ends there is no hue.
  cv_f8 highest = larger(ck_highest(lms), 1e-20f);
  ck_pixels roots = ck_cubeRoots((ck_pixels){
    larger(lms.red, highest * 0.02f), larger(lms.green, highest * 0.08f),
    larger(lms.blue, highest * 0.02f)});
  ck_pixels lab = ck_product(roots, &g->toLab);
  cv_f8 lightness = smaller(lab.red, g->headroomRoot);
  return (ck_outsideColor){
    ck_hueLineOf(lightness, lab.green, lab.blue, &g->fromLab, &g->fromLMS),
    root(lab.green * lab.green + lab.blue * lab.blue) / larger(lightness, 1e-10f)};
}

/// How far the color at `k` is below `top`, or above the surface: its lowest channel, and what that
/// may lack beside blue.
CK_BODY cv_f8 inside(const ck_outsideColor *color, cv_f8 k, cv_f8 top, _Bool atTop) {
  ck_pixels p = ck_along(&color->line, k);
  if (atTop) return top - ck_highest(p);
  cv_f8 u = limited((k * color->saturation - 0.25f) * (1 / 0.47f), 0, 1);
  return ck_lowest(p) + larger(p.blue, 0) * (0.12f * u * (1 - u));
}

/// Halvings of the range of `k`, and secants after them.
enum { SURFACE_HALVINGS = 5, SECANTS = 2 };
CK_BODY cv_f8 secant(const ck_crossing *c) {
  cv_f8 range = c->before - c->behind;
  return c->low + (c->high - c->low) * c->before / (range > 0 ? range : 1);
}

/// The `k` up to `end` at which the color leaves the gamut, at its surface or at `top`.
CK_BODY cv_f8 leaves(const ck_outsideColor *color, cv_f8 end, cv_f8 top, _Bool atTop) {
  cv_f8 gray = color->line.gray;
  ck_crossing c = {0, end, atTop ? top - gray : gray, inside(color, end, top, atTop)};
  cv_i8 stays = c.behind >= 0;
  for (int n = 0; n < SURFACE_HALVINGS + SECANTS; n++) {
    cv_f8 k = n < SURFACE_HALVINGS ? (c.low + c.high) * 0.5f : secant(&c);
    ck_narrow(&c, k, inside(color, k, top, atTop));
  }
  return stays ? end : secant(&c);
}

CK_BODY cv_f8 moved(cv_f8 old, cv_f8 new, cv_i8 outside, cv_f8 top, cv_i8 dark) {
  cv_f8 value = outside ? limited(new, 0, top) : old;
  // A color without a positive channel cannot be shown.
  return dark ? 0 : value;
}

/// `mapped`, or where `p` is outside by as little as rounding puts it, its channels cut; a mixture
/// in between.
CK_BODY ck_pixels shallowCut(ck_pixels p, ck_pixels mapped, cv_f8 depth, cv_f8 top) {
  const cv_f8 none = 0;
  cv_f8 fraction = ck_boundedSmoothstep8((depth - 0.005f) * (1 / 0.495f));
  ck_pixels cut = {
    limited(p.red, none, top), limited(p.green, none, top), limited(p.blue, none, top)};
  return (ck_pixels){
    cut.red + fraction * (mapped.red - cut.red), cut.green + fraction * (mapped.green - cut.green),
    cut.blue + fraction * (mapped.blue - cut.blue)};
}

/// Pixels outside of a row's gamut, side by side: few neighbors are, and each costs as much as eight.
enum { GATHERED = 512 };
typedef struct ck_gathered {
  float channel[3][GATHERED + 8];
  int64_t position[GATHERED + 8];
} ck_gathered;

/// The colors at `p`, some of which are above `g->headroom` or near the surface, within the gamut.
CK_BODY ck_pixels mappedInside(const ck_gamut *g, ck_pixels p) {
  const float t = g->knee;
  const cv_f8 top = g->headroom, end = 1 / t;
  cv_f8 high = ck_highest(p), low = ck_lowest(p);
  ck_outsideColor color = outsideColor(g, p);
  cv_f8 surface = leaves(&color, end, top, 0);
  cv_i8 outside = (low < 0) | (surface < end) | (high > top);
  cv_f8 k = surface;
  if (t < 1) {
    cv_f8 z = (1 / surface - t) / (1 - t);
    k = (t + (1 - t) * z / (1 + z)) * surface;
  }
  ck_pixels out = ck_along(&color.line, k);
  if (anyOf(ck_highest(out) > top)) out = ck_along(&color.line, leaves(&color, k, top, 1));
  if (t == 1) out = shallowCut(p, out, larger(-low, high - top) / (high + 0.05f), top);
  cv_i8 dark = outside & (high <= 0);
  return (ck_pixels){
    moved(p.red, out.red, outside, top, dark), moved(p.green, out.green, outside, top, dark),
    moved(p.blue, out.blue, outside, top, dark)};
}

CK_KERNEL(
    ck_gamutRow, (const ck_gamut *gamut, ck_threeRows rows, int64_t count), (gamut, rows, count)) {
  const ck_gamut g = *gamut;
  const float t = g.knee;
  const cv_f8 top = g.headroom;
  ck_gathered outer;
  for (int64_t start = 0; start < count; start += GATHERED) {
    int64_t end = start + GATHERED < count ? start + GATHERED : count;
    int64_t found = 0;
    for (int64_t i = start; i < end; i += 8) {
      ck_pixels p = ck_loadPixels(rows, i);
      cv_f8 high = ck_highest(p), low = ck_lowest(p);
      cv_i8 outside = (low < high * (1 - t)) | (high > top);
      if (!anyOf(outside)) continue;
      for (int lane = 0; lane < 8; lane++) {
        outer.channel[0][found] = p.red[lane];
        outer.channel[1][found] = p.green[lane];
        outer.channel[2][found] = p.blue[lane];
        outer.position[found] = i + lane;
        found -= outside[lane];
      }
    }
    for (int c = 0; c < 3; c++) put(outer.channel[c] + found, (cv_f8){0});
    for (int64_t i = 0; i < found; i += 8) {
      ck_threeRows some = {{outer.channel[0], outer.channel[1], outer.channel[2]}};
      ck_storePixels(some, i, mappedInside(&g, ck_loadPixels(some, i)));
    }
    for (int64_t i = 0; i < found; i++) {
      for (int c = 0; c < 3; c++) rows.row[c][outer.position[i]] = outer.channel[c][i];
    }
  }
}
