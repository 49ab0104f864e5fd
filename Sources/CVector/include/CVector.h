// Vector operations that Swift 6.3 compiles to scalar calls although every CPU has them as one
// instruction: square root, minimum, maximum, float to integer, shuffles. Imported as SIMD8<Float>.
// Loading, storing and choosing are Swift's (ImageCore/Rows); what only kernels in C need is in CKernels.
// No fused multiply-add anywhere: the same bits must come out on every CPU.
#pragma once
#include <stdint.h>

#include "Instructions.h"

#pragma STDC FP_CONTRACT OFF

typedef float cv_f8 __attribute__((ext_vector_type(8)));
typedef int32_t cv_i8 __attribute__((ext_vector_type(8)));
typedef uint16_t cv_u16x8 __attribute__((ext_vector_type(8)));
// Everything here is inlined, so no vector ever crosses a call.
#pragma clang diagnostic ignored "-Wpsabi"
#define CV_INLINE static inline __attribute__((always_inline, const))

CV_INLINE float cv_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
CV_INLINE cv_f8 cv_sqrt8(cv_f8 x) { return __builtin_elementwise_sqrt(x); }
CV_INLINE cv_f8 cv_abs8(cv_f8 x) { return __builtin_elementwise_abs(x); }
CV_INLINE cv_f8 cv_max8(cv_f8 a, cv_f8 b) { return a > b ? a : b; }
CV_INLINE cv_f8 cv_min8(cv_f8 a, cv_f8 b) { return a < b ? a : b; }
CV_INLINE cv_f8 cv_clamp8(cv_f8 x, cv_f8 low, cv_f8 high) {
  cv_f8 raised = x > low ? x : low;
  return raised < high ? raised : high;
}
// Functions of eight lanes, and of the sixteen that kernels in C may use.
typedef float cv_f16 __attribute__((ext_vector_type(16)));
typedef int32_t cv_i16 __attribute__((ext_vector_type(16)));
#define CV_FUNCTIONS(n, floats, integers)                                                       \
  /* Nearest integer, ties to even, for |x| < 2^22: adding 1.5 * 2^23 leaves no bits for a \
     fraction. (rint is a call for each lane on CPUs without SSE4.1.) */                         \
  CV_INLINE floats cv_round##n(floats x) { return (x + 12582912.0f) - 12582912.0f; }            \
  /* Base-2 logarithm of positive normal numbers, error below 2e-7 of the value and 1e-7        \
     absolute: mantissa in sqrt(1/2)...sqrt(2), four terms of the series of                     \
     atanh((m - 1)/(m + 1)). */                                                                 \
  CV_INLINE floats cv_log2_##n(floats x) {                                                      \
    integers bits = __builtin_bit_cast(integers, x);                                            \
    integers exponent = (bits - 0x3f3504f3) >> 23;                                              \
    floats m = __builtin_bit_cast(floats, bits - (exponent << 23));                             \
    floats s = (m - 1.0f) / (m + 1.0f);                                                         \
    floats q = s * s;                                                                           \
    floats series =                                                                             \
        ((q * 0.4121985831f + 0.5770780164f) * q + 0.9617966940f) * q + 2.8853900818f;          \
    return __builtin_convertvector(exponent, floats) + s * series;                              \
  }                                                                                             \
  /* 2 to the power of x for -126 < x < 127, relative error below 3e-7: Taylor series to the    \
     sixth power on -1/2...1/2. */                                                              \
  CV_INLINE floats cv_exp2_##n(floats x) {                                                      \
    floats whole = cv_round##n(x);                                                              \
    floats f = (x - whole) * 0.6931471806f;                                                     \
    floats p = (f * 0.0013888889f + 0.0083333333f) * f + 0.0416666667f;                         \
    p = ((p * f + 0.1666666667f) * f + 0.5f) * f * f + f + 1.0f;                                \
    integers scale = (__builtin_convertvector(whole, integers) + 127) << 23;                    \
    return p * __builtin_bit_cast(floats, scale);                                               \
  }
CV_FUNCTIONS(8, cv_f8, cv_i8)
CV_FUNCTIONS(16, cv_f16, cv_i16)

typedef float cv_f4 __attribute__((ext_vector_type(4)));
/// Eight code values in a row.
static inline __attribute__((always_inline, pure)) cv_u16x8 cv_codes8(const uint16_t *in) {
  cv_u16x8 codes;
  __builtin_memcpy(&codes, in, sizeof codes);
  return codes;
}
/// Whether any lane is above zero.
CV_INLINE _Bool cv_anyPositive8(cv_f8 x) { return __builtin_reduce_or(x > 0) != 0; }
/// x, and zero for NaN.
CV_INLINE cv_f8 cv_number8(cv_f8 x) { return x == x ? x : 0; }
