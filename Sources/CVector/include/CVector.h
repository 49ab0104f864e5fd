// Vector operations that Swift 6.3 compiles to scalar calls although every CPU has them as one
// instruction: square root, minimum, maximum, select, float to integer. Imported as SIMD8<Float>.
// No fused multiply-add anywhere: the same bits must come out on every CPU.
#pragma once
#include <stdint.h>

typedef float cv_f8 __attribute__((ext_vector_type(8)));
typedef int32_t cv_i8 __attribute__((ext_vector_type(8)));
typedef uint16_t cv_u16x8 __attribute__((ext_vector_type(8)));
#define CV_INLINE static inline __attribute__((always_inline, const))

CV_INLINE float cv_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
CV_INLINE cv_f8 cv_sqrt8(cv_f8 x) { return __builtin_elementwise_sqrt(x); }
CV_INLINE cv_f8 cv_abs8(cv_f8 x) { return __builtin_elementwise_abs(x); }
CV_INLINE cv_f8 cv_max8(cv_f8 a, cv_f8 b) { return a > b ? a : b; }
CV_INLINE cv_f8 cv_min8(cv_f8 a, cv_f8 b) { return a < b ? a : b; }
CV_INLINE cv_f8 cv_clamp8(cv_f8 x, cv_f8 low, cv_f8 high) {
  cv_f8 raised = x > low ? x : low;
  return raised < high ? raised : high;
}
/// a where condition is not negative zero or below, b elsewhere: `x >= 0 ? a : b`.
CV_INLINE cv_f8 cv_select8(cv_f8 x, cv_f8 a, cv_f8 b) { return x >= 0.0f ? a : b; }
/// Nearest code, ties to even, of values already clamped to 0...65535.
CV_INLINE cv_u16x8 cv_code8(cv_f8 x) {
  return __builtin_convertvector(
      __builtin_convertvector(__builtin_elementwise_rint(x), cv_i8), cv_u16x8);
}
/// Stores eight pixels, red, green and blue interleaved, at out[0...23].
static inline __attribute__((always_inline)) void cv_store_rgb8(
    uint16_t *out, cv_u16x8 r, cv_u16x8 g, cv_u16x8 b) {
  cv_u16x8 parts[3] = {
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, 0, 8, -1, 1, 9, -1, 2, 10), b, 0, 1, 8, 3, 4, 9, 6, 7),
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, -1, 3, 11, -1, 4, 12, -1, 5), b, 10, 1, 2, 11, 4, 5, 12, 7),
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, 13, -1, 6, 14, -1, 7, 15, -1), b, 0, 13, 2, 3, 14, 5, 6, 15),
  };
  __builtin_memcpy(out, parts, sizeof parts);
}
