// How a kernel is written: CK_KERNEL(name, (parameters), (arguments)) { body }. It makes one function
// of the body for each set of instructions, and the function that callers see. Operations are those
// of CVector and the few below; a number in place of a vector counts in all eight lanes. Pixels come
// as ck_threeRows; kernels that use them as red, green and blue include Pixels.h. Lanes.h has what
// kernels of any number of lanes need.
#pragma once
#include <CVector.h>

#include "CKernels.h"
#include "Targets.h"

#pragma STDC FP_CONTRACT OFF

#define CK_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
// The functions of a body up to AVX2.
#define CK_NARROW(name, parameters, arguments)                                     \
  CK_BODY void name##_body parameters;                                             \
  static void name##_baseline parameters { name##_body arguments; }                \
  __attribute__((target(CK_AVX2_TARGET))) static void name##_avx2 parameters {     \
    name##_body arguments;                                                         \
  }                                                                                \
  CK_BODY void name##_narrow parameters {                                          \
    if (ck_chosen() >= CK_AVX2) {                                                  \
      name##_avx2 arguments;                                                       \
    } else {                                                                       \
      name##_baseline arguments;                                                   \
    }                                                                              \
  }
#define CK_KERNEL(name, parameters, arguments)                                     \
  CK_NARROW(name, parameters, arguments)                                           \
  void name parameters { name##_narrow arguments; }                                \
  CK_BODY void name##_body parameters
// The same for kernels that AVX-512 does sixteen lanes at a time, by a function name_wide of its own.
#define CK_KERNEL_WITH_WIDE(name, parameters, arguments)                           \
  CK_NARROW(name, parameters, arguments)                                           \
  void name##_wide parameters;                                                     \
  void name parameters {                                                           \
    if (ck_chosen() >= CK_AVX512) {                                                \
      name##_wide arguments;                                                       \
    } else {                                                                       \
      name##_narrow arguments;                                                     \
    }                                                                              \
  }                                                                                \
  CK_BODY void name##_body parameters
// The same where both have one body, of sixteen lanes.
#define CK_WIDE_KERNEL(name, parameters, arguments)                                \
  CK_BODY void name##_body parameters;                                             \
  __attribute__((target(CK_AVX512_TARGET))) void name##_wide parameters;           \
  __attribute__((target(CK_AVX512_TARGET))) void name##_wide parameters {          \
    name##_body arguments;                                                         \
  }                                                                                \
  CK_KERNEL_WITH_WIDE(name, parameters, arguments)
#else
#define CK_KERNEL(name, parameters, arguments) void name parameters
#define CK_KERNEL_WITH_WIDE CK_KERNEL
#define CK_WIDE_KERNEL CK_KERNEL
#endif

/// Sixteen lanes of two vectors.
CK_BODY cv_f16 ck_joined(cv_f8 low, cv_f8 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

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
