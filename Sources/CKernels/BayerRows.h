// Reading rows of ck_bayerRows.
#pragma once
#include "DemosaicScale.h"

/// Row `y` of `plane`.
CK_BODY float *rowOf(const ck_bayerRows *rows, float *plane, int64_t y) {
  return plane + (y & (ck_ringRows - 1)) * rows->stride;
}

// Kernels of these rows are written for vectors of any number of lanes: eight, or sixteen where
// BayerRowsWide.c compiles them once more.
#if defined(CK_WIDE)
enum { LANES = 16 };
typedef ck_f16 lanes;
#define CK_BAYER_KERNEL(name)                                                              \
  void name##_wide(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);     \
  void name##_wide(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count)
#else
enum { LANES = 8 };
typedef cv_f8 lanes;
#define CK_BAYER_KERNEL(name)                                                              \
  CK_KERNEL_WITH_WIDE(                                                                     \
      name, (const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count),           \
      (rows, y, shift, count))
#endif

CK_BODY lanes at(const float *in) {
  lanes values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
CK_BODY void put(float *out, lanes values) { __builtin_memcpy(out, &values, sizeof values); }
CK_BODY lanes larger(lanes a, lanes b) { return a > b ? a : b; }
CK_BODY lanes magnitude(lanes x) { return __builtin_elementwise_abs(x); }
