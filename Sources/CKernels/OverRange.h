// The compressed values in which tables of DNG profiles for HDR work (DNG 1.7.1 chapter 6):
// f(x) = x (256 + x) / (256 (1 + x)) maps 0…16 to 0…1 and has slope 1 at 0; its inverse is
// f⁻¹(y) = 16 (8y − 8 + √(64y² − 127y + 64)).
#pragma once
#include "Pixels.h"

/// f of values of zero and above.
CK_BODY cv_f8 ck_compressed(cv_f8 x) { return x * (x * (1.0f / 256) + 1) / (x + 1); }

/// f⁻¹ of values of zero and above. Below 1 the root and 8 − 8y cancel, so the quotient of the
/// conjugate is taken: 16 y / (8 − 8y + √(64y² − 127y + 64)).
CK_BODY cv_f8 ck_expanded(cv_f8 y) {
  cv_f8 lack = (1 - y) * 8;
  cv_f8 radical = root(lack * lack + y);
  return lack >= 0 ? y * 16 / (radical + lack) : (radical - lack) * 16;
}

CK_BODY ck_pixels ck_compressedPixels(ck_pixels p) {
  return (ck_pixels){ck_compressed(p.red), ck_compressed(p.green), ck_compressed(p.blue)};
}
CK_BODY ck_pixels ck_expandedPixels(ck_pixels p) {
  return (ck_pixels){ck_expanded(p.red), ck_expanded(p.green), ck_expanded(p.blue)};
}
