#include "Codes.h"

CK_BODY cv_u16x8 code(const ck_power *curve, cv_f8 light) {
  cv_f8 x = cv_clamp8(light, 0, 1);
  cv_f8 t = cv_sqrt8(cv_sqrt8(x));
  cv_f8 power = curve->c7;
  power = power * t + curve->c6;
  power = power * t + curve->c5;
  power = power * t + curve->c4;
  power = power * t + curve->c3;
  power = power * t + curve->c2;
  power = power * t + curve->c1;
  power = power * t + curve->c0;
  return ck_code8(x >= curve->cut ? power : x * curve->slope);
}

CK_KERNEL(
    ck_powerCodes,
    (const ck_power *curve, ck_threeRows rows, uint16_t *codes, int64_t count),
    (curve, rows, codes, count)) {
  const ck_power c = *curve;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    ck_storeCodes(
        codes + 3 * i, count - i, code(&c, p.red), code(&c, p.green), code(&c, p.blue));
  }
}
