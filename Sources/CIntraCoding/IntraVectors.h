// Vectors of samples and coefficients of intra pictures.
#pragma once
#include <Kernel.h>

#include "CIntraCoding.h"

typedef int16_t ck_s8 __attribute__((ext_vector_type(8)));
typedef uint16_t ck_u8 __attribute__((ext_vector_type(8)));

CK_BODY ck_s8 s8(const int16_t *in) {
  ck_s8 v;
  __builtin_memcpy(&v, in, sizeof v);
  return v;
}
CK_BODY void storeS8(int16_t *out, ck_s8 v) { __builtin_memcpy(out, &v, sizeof v); }
CK_BODY cv_i8 wide(ck_s8 v) { return __builtin_convertvector(v, cv_i8); }
CK_BODY ck_s8 narrow(cv_i8 v) {
  v = v < 32767 ? v : 32767;
  return __builtin_convertvector(v > -32768 ? v : -32768, ck_s8);
}

CK_BODY ck_u8 u8(const uint16_t *in) {
  ck_u8 v;
  __builtin_memcpy(&v, in, sizeof v);
  return v;
}
CK_BODY void storeU8(uint16_t *out, ck_u8 v) { __builtin_memcpy(out, &v, sizeof v); }

CK_BODY cv_i8 i8(const int32_t *in) {
  cv_i8 v;
  __builtin_memcpy(&v, in, sizeof v);
  return v;
}

CK_BODY int sumOf(cv_i8 v) { return __builtin_reduce_add(v); }

/// Rows of eight to columns; `in` may be `out`.
CK_BODY void transpose8(const int16_t *in, int64_t stride, int16_t *out, int64_t outStride) {
  ck_s8 a[8], b[8];
  for (int i = 0; i < 8; i++) a[i] = s8(in + i * stride);
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < 4; i++) {
      b[2 * i] = __builtin_shufflevector(a[i], a[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i++) a[i] = b[i];
  }
  for (int i = 0; i < 8; i++) storeS8(out + i * outStride, a[i]);
}
