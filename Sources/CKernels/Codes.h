// Code values: rounded, and of pixels in the order of files: red, green, blue, red, …
#pragma once
#include "Pixels.h"

/// Nearest code value, ties to even, of values already clamped to 0...65535.
CK_BODY cv_u16x8 ck_code8(cv_f8 x) {
  return __builtin_convertvector(__builtin_convertvector(rounded(x), cv_i8), cv_u16x8);
}

/// Stores up to eight pixels; nothing behind `count` of them, where `codes` has no margin.
CK_BODY void ck_storeCodes(uint16_t *codes, int64_t count, cv_u16x8 r, cv_u16x8 g, cv_u16x8 b) {
  cv_u16x8 parts[3] = {
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, 0, 8, -1, 1, 9, -1, 2, 10), b, 0, 1, 8, 3, 4, 9, 6, 7),
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, -1, 3, 11, -1, 4, 12, -1, 5), b, 10, 1, 2, 11, 4, 5, 12, 7),
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, 13, -1, 6, 14, -1, 7, 15, -1), b, 0, 13, 2, 3, 14, 5, 6, 15),
  };
  if (count >= 8) {
    __builtin_memcpy(codes, parts, sizeof parts);
  } else {
    __builtin_memcpy(codes, parts, (uint64_t)(3 * count) * sizeof *codes);
  }
}
