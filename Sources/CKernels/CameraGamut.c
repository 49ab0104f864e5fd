#include "Pixels.h"
#include "Smoothstep.h"

/// `x` from `t` on, below it ever nearer to 0.
CK_BODY cv_f8 above(cv_f8 x, float t) { return x < t ? t * t / larger(2 * t - x, t) : x; }

CK_KERNEL(
    ck_cameraGamutRow, (const ck_cameraGamut *gamut, ck_threeRows rows, int64_t count),
    (gamut, rows, count)) {
  const ck_cameraGamut g = *gamut;
  const float *soft = g.softness.value;
  const float first = soft[0] > soft[1] ? soft[0] : soft[1];
  const float largest = first > soft[2] ? first : soft[2];
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 high = ck_highest(p), low = ck_lowest(p);
    cv_f8 violet = high * g.edge - (p.green - g.slope * p.red);
    cv_i8 isViolet = (violet > 0) & (p.red < high * g.reddest);
    if (!anyOf((low < high * largest) | isViolet)) continue;
    cv_f8 scale = high > 0 ? high : 1;
    cv_f8 red = p.red / scale, green = p.green / scale, blue = p.blue / scale;
    cv_f8 added = g.gain * ck_boundedSmoothstep8(violet / scale * (1 / g.width)) *
                  ck_boundedSmoothstep8((g.reddest - red) * (1 / (g.reddest + 0.05f)));
    cv_f8 floor = -g.locus * limited(smaller(green, blue), 0, 1);
    cv_f8 raised = red + added - floor;
    cv_i8 dark = (high <= 0) & (low < 0);
    cv_i8 moves = isViolet | (raised < soft[0]);
    ck_pixels out = {
      moves ? (floor + above(raised, soft[0])) * high : p.red,
      green < soft[1] ? above(green, soft[1]) * high : p.green,
      blue < soft[2] ? above(blue, soft[2]) * high : p.blue};
    ck_storePixels(
        rows, i,
        (ck_pixels){dark ? 0 : out.red, dark ? 0 : out.green, dark ? 0 : out.blue});
  }
}
