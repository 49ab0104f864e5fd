// How a kernel is written: CK_KERNEL(name, (parameters), (arguments)) { body }. It makes one function
// of the body for each set of instructions, and the function that callers see.
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
CK_BODY cv_f8 ck_load8(const float *in) {
  cv_f8 values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
CK_BODY void ck_store8(float *out, cv_f8 values) {
  __builtin_memcpy(out, &values, sizeof values);
}
