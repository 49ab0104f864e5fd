// Code values of pixels in the order of files: red, green, blue, red, …
#pragma once
#include "Pixels.h"

/// Stores up to eight pixels; nothing behind `count` of them, where `codes` has no margin.
CK_BODY void ck_storeCodes(
    uint16_t *codes, int64_t count, cv_u16x8 red, cv_u16x8 green, cv_u16x8 blue) {
  if (count >= 8) {
    cv_store_rgb8(codes, red, green, blue);
    return;
  }
  uint16_t last[24];
  cv_store_rgb8(last, red, green, blue);
  __builtin_memcpy(codes, last, (uint64_t)(3 * count) * sizeof *codes);
}
