#include "LuminanceGain.h"
#include "Smoothstep.h"

CK_BODY cv_f8 power(cv_f8 x, float exponent) {
  return powerOfTwo(larger(logarithm(larger(x, 1e-6f)) * exponent, -100));
}

CK_KERNEL(
    ck_vignetteRow,
    (const ck_vignette *vignette, int64_t x, int64_t y, ck_threeRows rows, int64_t count),
    (vignette, x, y, rows, count)) {
  const ck_vignette t = *vignette;
  const cv_f8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
  const float down = (float)y + 0.5f - t.centerY;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 right = steps + ((float)(x + i) + 0.5f - t.centerX);
    cv_f8 u = magnitude(right * t.cosine - down * t.sine) * t.scaleX;
    cv_f8 v = magnitude(right * t.sine + down * t.cosine) * t.scaleY;
    cv_f8 distance = t.power == 2
                         ? root((u * u + v * v) * 0.5f)
                         : power((power(u, t.power) + power(v, t.power)) * 0.5f, 1 / t.power);
    cv_f8 part = ck_boundedSmoothstep8((distance - t.start) * t.slope);
    ck_multiplyPixels(rows, i, count, powerOfTwo(part * t.stops), t.peak);
  }
}
