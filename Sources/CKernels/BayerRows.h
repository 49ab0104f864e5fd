// Reading rows of ck_bayerRows.
#pragma once
#include "Kernel.h"

/// Row `y` of `plane`.
CK_BODY float *rowOf(const ck_bayerRows *rows, float *plane, int64_t y) {
  return plane + (y & (ck_ringRows - 1)) * rows->stride;
}

/// The samples of a row at `i` to `i` + 7.
CK_BODY cv_f8 f8(const float *row, int64_t i) { return ck_load8(row + i); }

#define CK_BAYER_KERNEL(name)                                                       \
  CK_KERNEL(                                                                        \
      name, (const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count),     \
      (rows, y, shift, count))
