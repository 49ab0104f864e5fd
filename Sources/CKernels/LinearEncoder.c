#include "Interleaving.h"

CK_BODY cv_u16x8 code(cv_f8 light) {
  return cv_code8(cv_clamp8(light, ck_all(0), ck_all(1)) * 65535);
}

CK_KERNEL(
    ck_linearCodes,
    (const float *red, const float *green, const float *blue, uint16_t *codes, int64_t count),
    (red, green, blue, codes, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    ck_storeCodes(codes + 3 * i, count - i, code(p.red), code(p.green), code(p.blue));
  }
}
