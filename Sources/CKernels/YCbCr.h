// Rounding to code values, shared by luma and both ways to chroma.
#pragma once
#include "Codes.h"

/// Rounds and clamps eight values in units of code values and writes them.
CK_BODY void ck_storeWords(const ck_ycbcr *conversion, uint16_t *out, cv_f8 v) {
  cv_u16x8 codes = ck_code8(limited(v, 0, conversion->top));
  codes <<= (cv_u16x8)((uint16_t)conversion->shift);
  __builtin_memcpy(out, &codes, sizeof codes);
}
