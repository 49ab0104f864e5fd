#include "Codes.h"

CK_BODY cv_u16x8 linearCode(cv_f8 linear) { return ck_code8(limited(linear, 0, 1) * 65535); }

CK_KERNEL(
    ck_linearCodes, (ck_threeRows rows, uint16_t *codes, int64_t count), (rows, codes, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    ck_storeCodes(codes + 3 * i, count - i, linearCode(p.red), linearCode(p.green), linearCode(p.blue));
  }
}
