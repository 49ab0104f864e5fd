#include "Pixels.h"

/// The signal of linear values.
CK_BODY lanes pqSignal(float scale, lanes linear) {
  lanes x = root(root(limited(linear * scale, 0, 1)));
  lanes p = -8.673903957e+02f * x + 1.875798140e+03f;
  p = p * x + 2.059971619e+03f;
  p = p * x + 4.214056740f;
  p = p * x + 1.071937839e-02f;
  p = p * x + -1.037134136e-06f;
  lanes q = -5.018225718e+02f * x + 6.654739184e+02f;
  q = q * x + 2.148328902e+03f;
  q = q * x + 7.105839483e+02f;
  q = q * x + 4.903625385e+01f;
  q = q * x + 1;
  return limited(p / q, 0, 1);
}

CK_WIDE_KERNEL(
    ck_pqRow, (float scale, ck_threeRows rows, int64_t count), (scale, rows, count)) {
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels p = ck_pixelsAt(rows, i, count);
    ck_pixels out = {pqSignal(scale, p.red), pqSignal(scale, p.green), pqSignal(scale, p.blue)};
    ck_putPixels(rows, i, count, out);
  }
}
