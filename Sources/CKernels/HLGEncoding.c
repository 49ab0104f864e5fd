#include "Pixels.h"

/// The OETF of eight scene-linear values, 0…1.
CK_BODY cv_f8 oetf(const ck_hlg *hlg, cv_f8 e) {
  cv_f8 root = cv_sqrt8(3 * e);
  cv_f8 argument = cv_max8(12 * e - hlg->b, ck_all(0.5f));
  cv_f8 logarithm = hlg->aLn2 * cv_log2_8(argument) + hlg->c;
  return e <= 1.0f / 12 ? root : logarithm;
}

CK_KERNEL(
    ck_hlgRow, (const ck_hlg *hlg, float *red, float *green, float *blue, int64_t count),
    (hlg, red, green, blue, count)) {
  const ck_hlg h = *hlg;
  const cv_f8 zero = ck_all(0), one = ck_all(1), tiny = ck_all(1e-20f);
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    p.red = cv_clamp8(p.red * h.scale, zero, one);
    p.green = cv_clamp8(p.green * h.scale, zero, one);
    p.blue = cv_clamp8(p.blue * h.scale, zero, one);
    cv_f8 y = ck_weighted(p, h.luminance);
    cv_f8 factor = cv_exp2_8(cv_log2_8(cv_max8(y, tiny)) * (-1.0f / 6));
    cv_f8 ys = cv_min8(y * factor, one);
    cv_f8 top = ck_highest(p) * factor;
    cv_f8 keep = top <= one ? one : (one - ys) / cv_max8(top - ys, tiny);
    cv_f8 toScene = factor * keep;
    cv_f8 gray = ys * (one - keep);
    ck_store8(red + i, oetf(&h, cv_min8(p.red * toScene + gray, one)));
    ck_store8(green + i, oetf(&h, cv_min8(p.green * toScene + gray, one)));
    ck_store8(blue + i, oetf(&h, cv_min8(p.blue * toScene + gray, one)));
  }
}
