#include "Codes.h"

/// Finite values of at largest `largest`; 0 for NaN.
CK_BODY cv_f8 finiteOf(cv_f8 x, float largest) { return limited(x == x ? x : 0, -largest, largest); }

/// IEEE 754 half precision, ties to even, of values that round to no infinity. Normal numbers lose
/// 13 bits of fraction and 112 of exponent; of smaller ones, adding 0.5, whose last bit is 2^-24,
/// rounds.
CK_BODY cv_u16x8 half8(cv_f8 x) {
  cv_i8 bits = __builtin_bit_cast(cv_i8, finiteOf(x, 65504)), magnitude = bits & 0x7FFFFFFF;
  cv_i8 normal = ((magnitude + 0xFFF + (magnitude >> 13 & 1)) >> 13) - (112 << 10);
  cv_i8 small = __builtin_bit_cast(cv_i8, __builtin_bit_cast(cv_f8, magnitude) + 0.5f) - 0x3F000000;
  cv_i8 half = (magnitude >= 0x38800000 ? normal : small) | (bits >> 16 & 0x8000);
  return __builtin_convertvector(half, cv_u16x8);
}

CK_BODY cv_f8 load(const float *in) {
  cv_f8 x;
  __builtin_memcpy(&x, in, sizeof x);
  return x;
}

CK_KERNEL(ck_halfRow, (const float *in, uint16_t *out, int64_t count), (in, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_u16x8 half = half8(load(in + i));
    __builtin_memcpy(out + i, &half, count - i >= 8 ? 16 : (uint64_t)(2 * (count - i)));
  }
}

CK_KERNEL(
    ck_halfPixels, (ck_threeRows rows, uint16_t *out, int64_t count), (rows, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    ck_storeCodes(out + 3 * i, count - i, half8(p.red), half8(p.green), half8(p.blue));
  }
}

CK_KERNEL(ck_finiteRow, (const float *in, float *out, int64_t count), (in, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 x = finiteOf(load(in + i), 3.40282347e38f);
    __builtin_memcpy(out + i, &x, count - i >= 8 ? 32 : (uint64_t)(4 * (count - i)));
  }
}
