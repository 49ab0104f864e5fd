#pragma once
#include <libraw/libraw.h>

// Arrays of more than 4096 elements do not import into Swift.
static inline unsigned rd_cblack(const libraw_data_t *d, unsigned i) {
  return i < LIBRAW_CBLACK_SIZE ? d->color.cblack[i] : 0;
}
