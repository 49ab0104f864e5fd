// How a kernel is written: CK_KERNEL(name, (parameters), (arguments)) { body }, or CK_WIDE_KERNEL, which
// is compiled for AVX-512 as well. Its file is compiled by itself for the baseline, where the function
// that callers see is made, too, and once more for each larger set by a file of the module that lists it:
//
//     #if defined(__x86_64__)
//     #define CK_SET avx2
//     #include <Targets.h>
//     #pragma clang attribute push(CK_TARGET, apply_to = function)
//     #include "File.c"
//     #pragma clang attribute pop
//     #endif
//
// A kernel that no such file lists is missed by the linker.
#pragma once
#include <CVector.h>
#include "Targets.h"

#pragma STDC FP_CONTRACT OFF

/// Helpers of kernels. A function that is not inlined is compiled once for each set as well.
#define CK_BODY static inline __attribute__((always_inline))

#if defined(CK_SET)

#define CK_WIDE_KERNEL(name, parameters, arguments) \
  void CK_OF_SET(name) parameters;                  \
  void CK_OF_SET(name) parameters
#define CK_KERNEL_avx2 CK_WIDE_KERNEL
// Beside a wide kernel: of AVX2 everywhere.
#define CK_KERNEL_avx512(name, parameters, arguments) \
  __attribute__((unused)) static void name##_unused parameters
#define CK_KERNEL CK_OF_SET(CK_KERNEL)

#elif defined(__x86_64__)

#define CK_SET baseline
#define CK_DISPATCHED(name, parameters, arguments, wide) \
  void name##_avx2 parameters;                           \
  static void name##_baseline parameters;                \
  void name parameters {                                 \
    const ck_instructions set = ck_chosen();             \
    wide if (set >= CK_AVX2) {                           \
      name##_avx2 arguments;                             \
    } else {                                             \
      name##_baseline arguments;                         \
    }                                                    \
  }                                                      \
  static void name##_baseline parameters
#define CK_KERNEL(name, parameters, arguments) CK_DISPATCHED(name, parameters, arguments, )
#define CK_WIDE_KERNEL(name, parameters, arguments) \
  void name##_avx512 parameters;                    \
  CK_DISPATCHED(                                    \
      name, parameters, arguments,                  \
      if (set >= CK_AVX512) { name##_avx512 arguments; } else)

#else

#define CK_SET baseline
#define CK_KERNEL(name, parameters, arguments) void name parameters
#define CK_WIDE_KERNEL CK_KERNEL

#endif

/// Lanes of the vectors that kernels of any number of lanes use.
#define CK_LANES_baseline 8
#define CK_LANES_avx2 8
#define CK_LANES_avx512 16
#define CK_LANES CK_OF_SET(CK_LANES)
