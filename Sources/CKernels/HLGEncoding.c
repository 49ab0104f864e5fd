#include "Pixels.h"

/// The OETF of eight scene-linear values, 0…1.
CK_BODY cv_f8 oetf(const ck_hlg *hlg, cv_f8 e) {
  cv_f8 root = cv_sqrt8(3 * e);
  cv_f8 argument = cv_max8(12 * e - hlg->b, 0.5f);
  cv_f8 logarithm = hlg->aLn2 * cv_log2_8(argument) + hlg->c;
  return e <= 1.0f / 12 ? root : logarithm;
}

CK_KERNEL(
    ck_hlgRow, (const ck_hlg *hlg, ck_threeRows rows, int64_t count), (hlg, rows, count)) {
  const ck_hlg h = *hlg;
  const cv_f8 one = 1, tiny = 1e-20f;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_clamped(ck_scaled(ck_loadPixels(rows, i), h.scale), 0, one);
    cv_f8 y = ck_weighted(p, h.luminance);
    cv_f8 factor = cv_exp2_8(cv_log2_8(cv_max8(y, tiny)) * (-1.0f / 6));
    cv_f8 ys = cv_min8(y * factor, one);
    cv_f8 top = ck_highest(p) * factor;
    cv_f8 keep = top <= one ? one : (one - ys) / cv_max8(top - ys, tiny);
    cv_f8 toScene = factor * keep;
    cv_f8 gray = ys * (one - keep);
    p = ck_scaled(p, toScene);
    ck_pixels out = {
      oetf(&h, cv_min8(p.red + gray, one)), oetf(&h, cv_min8(p.green + gray, one)),
      oetf(&h, cv_min8(p.blue + gray, one))};
    ck_storePixels(rows, i, out);
  }
}
