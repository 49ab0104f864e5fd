#include "Pixels.h"

/// The OETF of scene-linear values, 0…1: a root, and from 1/12 on a logarithm.
CK_BODY lanes rooted(lanes e) { return root(3 * e); }
CK_BODY lanes oetf(const ck_hlg *hlg, lanes e) {
  lanes argument = larger(12 * e - hlg->b, 0.5f);
  return e <= 1.0f / 12 ? rooted(e) : hlg->aLn2 * logarithm(argument) + hlg->c;
}

CK_WIDE_KERNEL(
    ck_hlgRow, (const ck_hlg *hlg, ck_threeRows rows, int64_t count), (hlg, rows, count)) {
  const ck_hlg h = *hlg;
  const lanes one = 1, tiny = 1e-20f;
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels p = ck_clamped(ck_scaled(ck_pixelsAt(rows, i, count), h.scale), 0, one);
    lanes y = ck_weighted(p, h.luminance);
    lanes factor = powerOfTwo(logarithm(larger(y, tiny)) * (-1.0f / 6));
    lanes top = ck_highest(p) * factor;
    lanes toScene = factor, gray = 0;
    if (anyOf(top > one)) {
      lanes ys = smaller(y * factor, one);
      lanes keep = top <= one ? one : (one - ys) / larger(top - ys, tiny);
      toScene = factor * keep;
      gray = ys * (one - keep);
    }
    p = ck_scaled(p, toScene);
    p = (ck_pixels){
      smaller(p.red + gray, one), smaller(p.green + gray, one), smaller(p.blue + gray, one)};
    // Most of most pictures is below the logarithm.
    if (anyOf(top > 1.0f / 12)) {
      p = (ck_pixels){oetf(&h, p.red), oetf(&h, p.green), oetf(&h, p.blue)};
    } else {
      p = (ck_pixels){rooted(p.red), rooted(p.green), rooted(p.blue)};
    }
    ck_putPixels(rows, i, count, p);
  }
}
