// Reading rows of ck_bayerRows.
#pragma once
#include "DemosaicScale.h"
#include "Lanes.h"

/// Row `y` of `plane`.
CK_BODY float *rowOf(const ck_bayerRows *rows, float *plane, int64_t y) {
  return plane + (y & (ck_ringRows - 1)) * rows->stride;
}

#define CK_BAYER_KERNEL(name)                                                    \
  CK_WIDE_KERNEL(                                                               \
      name, (const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count), \
      (rows, y, shift, count))
