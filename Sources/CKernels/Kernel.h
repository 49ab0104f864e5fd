// How a kernel is written: CK_KERNEL(name, (parameters), (arguments)) { body }. It makes one function
// of the body for each set of instructions, and the function that callers see. Operations are those
// of CVector and the few below; a number in place of a vector counts in all eight lanes. Pixels come
// as ck_threeRows; kernels that use them as red, green and blue include Pixels.h.
#pragma once
#include <CVector.h>

#include "CKernels.h"

#pragma STDC FP_CONTRACT OFF

#define CK_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define CK_KERNEL(name, parameters, arguments)                                                 \
  CK_BODY void name##_body parameters;                                                         \
  static void name##_baseline parameters { name##_body arguments; }                            \
  __attribute__((target("avx2"))) static void name##_avx2 parameters { name##_body arguments; } \
  void name parameters {                                                                       \
    if (ck_chosen() >= CK_AVX2) {                                                              \
      name##_avx2 arguments;                                                                   \
    } else {                                                                                   \
      name##_baseline arguments;                                                               \
    }                                                                                          \
  }                                                                                            \
  CK_BODY void name##_body parameters
#else
#define CK_KERNEL(name, parameters, arguments) void name parameters
#endif

/// Eight samples in a row, at any address.
CK_BODY cv_f8 f8(const float *in) {
  cv_f8 values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
/// Four of them, such as an entry of a table of colors.
CK_BODY cv_f4 f4(const float *in) {
  cv_f4 values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
CK_BODY void ck_store8(float *out, cv_f8 values) {
  __builtin_memcpy(out, &values, sizeof values);
}

/// Whether a comparison is true in any lane.
CK_BODY _Bool ck_any(cv_i8 mask) { return __builtin_reduce_or(mask) != 0; }

/// Lanes 0, 2, 4 … of sixteen in a row, and 1, 3, 5 ….
CK_BODY cv_f8 ck_even8(cv_f8 low, cv_f8 high) {
  return __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
}
CK_BODY cv_f8 ck_odd8(cv_f8 low, cv_f8 high) {
  return __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
/// The lanes of two vectors in turn: the first eight of sixteen, and the last eight.
CK_BODY cv_f8 ck_zipLow8(cv_f8 even, cv_f8 odd) {
  return __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
}
CK_BODY cv_f8 ck_zipHigh8(cv_f8 even, cv_f8 odd) {
  return __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
}
