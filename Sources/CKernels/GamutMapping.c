#include "Pixels.h"

/// How far from its gray `a` each color stays, 1 for those that do not move.
CK_BODY cv_f8 kept(const ck_gamut *gamut, cv_f8 a, cv_f8 high, cv_f8 low) {
  const float t = gamut->knee;
  cv_f8 s = (a - low) / a;
  cv_f8 z = (s - t) / (1 - t);
  cv_f8 compressed = t + (1 - t) * z / (1 + z);
  cv_f8 inside = s > t ? compressed / s : 1;
  cv_f8 over = a + (high - a) * inside;
  cv_f8 fit = cv_max8((gamut->headroom - a) / (high - a), 0);
  return ((over > gamut->headroom) & (high > a)) ? fit : inside;
}

CK_BODY cv_f8 moved(cv_f8 c, cv_f8 a, cv_f8 k, cv_f8 top, cv_i8 dark) {
  cv_f8 value = cv_clamp8(a + (c - a) * k, 0, top);
  value = k != 1 ? value : c;
  // A color without a positive channel cannot be shown.
  return dark ? 0 : value;
}

CK_KERNEL(
    ck_gamutRow, (const ck_gamut *gamut, ck_threeRows rows, int64_t count), (gamut, rows, count)) {
  const ck_gamut g = *gamut;
  const cv_f8 top = g.headroom;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 high = ck_highest(p), low = ck_lowest(p);
    if (!ck_any((low < high * (1 - g.knee)) | (high > top))) continue;
    cv_f8 y = ck_weighted(p, g.weights);
    cv_f8 a = cv_min8(cv_max8(cv_max8(y, high * 0.3f), 1e-9f), top);
    cv_f8 k = kept(&g, a, high, low);
    cv_i8 dark = high <= 0;
    ck_pixels out = {
      moved(p.red, a, k, top, dark), moved(p.green, a, k, top, dark),
      moved(p.blue, a, k, top, dark)};
    ck_storePixels(rows, i, out);
  }
}
