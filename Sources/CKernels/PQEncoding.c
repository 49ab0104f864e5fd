#include "Pixels.h"

/// The signal of eight linear values.
CK_BODY cv_f8 signal(float scale, cv_f8 light) {
  cv_f8 x = cv_sqrt8(cv_sqrt8(cv_clamp8(light * scale, 0, 1)));
  cv_f8 p = -8.673903957e+02f * x + 1.875798140e+03f;
  p = p * x + 2.059971619e+03f;
  p = p * x + 4.214056740f;
  p = p * x + 1.071937839e-02f;
  p = p * x + -1.037134136e-06f;
  cv_f8 q = -5.018225718e+02f * x + 6.654739184e+02f;
  q = q * x + 2.148328902e+03f;
  q = q * x + 7.105839483e+02f;
  q = q * x + 4.903625385e+01f;
  q = q * x + 1;
  return cv_clamp8(p / q, 0, 1);
}

CK_KERNEL(
    ck_pqRow, (float scale, ck_threeRows rows, int64_t count), (scale, rows, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    ck_pixels out = {signal(scale, p.red), signal(scale, p.green), signal(scale, p.blue)};
    ck_storePixels(rows, i, out);
  }
}
