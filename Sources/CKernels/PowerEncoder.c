#include "Codes.h"

typedef uint16_t u16x16 __attribute__((ext_vector_type(16)));
typedef int32_t i32x16 __attribute__((ext_vector_type(16)));

CK_BODY u16x16 powerCode(const ck_power *curve, cv_f8 low, cv_f8 high) {
  cv_f16 linear = ck_joined(low, high);
  cv_f16 x = linear > 0 ? linear : 0;
  x = x < 1 ? x : 1;
  cv_f16 t = __builtin_elementwise_sqrt(__builtin_elementwise_sqrt(x));
  cv_f16 power = curve->c7;
  power = power * t + curve->c6;
  power = power * t + curve->c5;
  power = power * t + curve->c4;
  power = power * t + curve->c3;
  power = power * t + curve->c2;
  power = power * t + curve->c1;
  power = power * t + curve->c0;
  cv_f16 value = x >= curve->cut ? power : x * curve->slope;
  value = (value + 12582912.0f) - 12582912.0f;
  return __builtin_convertvector(__builtin_convertvector(value, i32x16), u16x16);
}

CK_WIDE_KERNEL(
    ck_powerCodes,
    (const ck_power *curve, ck_threeRows rows, uint16_t *codes, int64_t count),
    (curve, rows, codes, count)) {
  const ck_power c = *curve;
  for (int64_t i = 0; i < count; i += 16) {
    // Rows end with a vector of eight.
    int64_t j = i + 8 < count ? i + 8 : i;
    float *const *row = rows.row;
    u16x16 r = powerCode(&c, f8(row[0] + i), f8(row[0] + j));
    u16x16 g = powerCode(&c, f8(row[1] + i), f8(row[1] + j));
    u16x16 b = powerCode(&c, f8(row[2] + i), f8(row[2] + j));
    ck_storeCodes(codes + 3 * i, count - i, r.lo, g.lo, b.lo);
    if (j > i) ck_storeCodes(codes + 3 * j, count - j, r.hi, g.hi, b.hi);
  }
}
