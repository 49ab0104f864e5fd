// Cosine transforms of H.265 (section 8.6.4.2) of 4 to 32 samples, forward and inverse, in
// integers: the inverse is the standard's, bit for bit; even and odd halves are separated at each
// length.
#pragma once
#include "IntraVectors.h"

/// 64 √2 cos(π i / 64), as the standard rounds it.
static const int8_t cosines[33] = {
  64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64, 61, 57, 54, 50, 46, 43, 38,
  36, 31, 25, 22, 18, 13, 9, 4, 0,
};

/// Entry of the matrix of `length` samples: coefficient k, sample n.
CK_BODY int cosine(int k, int n, int length) {
  int angle = k * (2 * n + 1) * (32 / length) % 128;
  if (angle > 64) angle = 128 - angle;
  return angle <= 32 ? cosines[angle] : -cosines[64 - angle];
}

CK_BODY void forward2(const cv_i8 *x, cv_i8 *y) {
  y[0] = (x[0] + x[1]) * 64;
  y[1] = (x[0] - x[1]) * 64;
}
CK_BODY void inverse2(const cv_i8 *y, cv_i8 *x) { forward2(y, x); }

/// Eight signals of `N` samples to coefficients and back, from the transforms of half the length.
#define TRANSFORM(N, H)                                                     \
  CK_BODY void forward##N(const cv_i8 *x, cv_i8 *y) {                       \
    cv_i8 sums[H], differences[H], even[H];                                 \
    for (int i = 0; i < H; i++) {                                           \
      sums[i] = x[i] + x[N - 1 - i];                                        \
      differences[i] = x[i] - x[N - 1 - i];                                 \
    }                                                                       \
    forward##H(sums, even);                                                 \
    _Pragma("unroll") for (int k = 0; k < H; k++) {                         \
      cv_i8 odd = differences[0] * cosine(2 * k + 1, 0, N);                 \
      _Pragma("unroll") for (int i = 1; i < H; i++) {                       \
        odd += differences[i] * cosine(2 * k + 1, i, N);                    \
      }                                                                     \
      y[2 * k] = even[k];                                                   \
      y[2 * k + 1] = odd;                                                   \
    }                                                                       \
  }                                                                         \
  CK_BODY void inverse##N(const cv_i8 *y, cv_i8 *x) {                       \
    cv_i8 half[H], even[H];                                                 \
    for (int k = 0; k < H; k++) half[k] = y[2 * k];                         \
    inverse##H(half, even);                                                 \
    _Pragma("unroll") for (int i = 0; i < H; i++) {                         \
      cv_i8 odd = y[1] * cosine(1, i, N);                                   \
      _Pragma("unroll") for (int k = 1; k < H; k++) {                       \
        odd += y[2 * k + 1] * cosine(2 * k + 1, i, N);                      \
      }                                                                     \
      x[i] = even[i] + odd;                                                 \
      x[N - 1 - i] = even[i] - odd;                                         \
    }                                                                       \
  }
TRANSFORM(4, 2)
TRANSFORM(8, 4)
TRANSFORM(16, 8)
TRANSFORM(32, 16)

/// Columns of a block and rows of the next are in steps of eight: blocks of 4 are padded.
enum { LONGEST = 32 };
CK_BODY int64_t paddedSide(int log2) { return log2 == 2 ? 8 : 1 << log2; }

static void transposeBlock(const int16_t *in, int16_t *out, int log2) {
  int64_t side = paddedSide(log2);
  for (int64_t y = 0; y < side; y += 8) {
    for (int64_t x = 0; x < side; x += 8) transpose8(in + y * side + x, side, out + x * side + y, side);
  }
}

/// Transforms the columns of a block and divides by 2^shift.
#define COLUMNS(name, N)                                                                   \
  static void name##Columns##N(const int16_t *in, int16_t *out, int shift) {               \
    int64_t side = N < 8 ? 8 : N;                                                          \
    for (int64_t x = 0; x < N; x += 8) {                                                   \
      cv_i8 a[N], b[N];                                                                    \
      for (int i = 0; i < N; i++) a[i] = wide(s8(in + i * side + x));                      \
      name##N(a, b);                                                                       \
      for (int i = 0; i < N; i++) {                                                        \
        storeS8(out + i * side + x, narrow((b[i] + (1 << (shift - 1))) >> shift));         \
      }                                                                                    \
    }                                                                                      \
  }
#define ALL_COLUMNS(name)                                                          \
  COLUMNS(name, 4)                                                                 \
  COLUMNS(name, 8)                                                                 \
  COLUMNS(name, 16)                                                                \
  COLUMNS(name, 32)                                                                \
  static void name##Columns(const int16_t *in, int16_t *out, int log2, int shift) { \
    switch (log2) {                                                                \
      case 2: name##Columns4(in, out, shift); break;                               \
      case 3: name##Columns8(in, out, shift); break;                               \
      case 4: name##Columns16(in, out, shift); break;                              \
      default: name##Columns32(in, out, shift); break;                             \
    }                                                                              \
  }
ALL_COLUMNS(forward)
ALL_COLUMNS(inverse)

/// Both directions; `block` is overwritten.
static void forwardTransform(int16_t *block, int log2, int depth) {
  int16_t other[LONGEST * LONGEST];
  forwardColumns(block, other, log2, log2 + depth - 9);
  transposeBlock(other, block, log2);
  forwardColumns(block, other, log2, log2 + 6);
  transposeBlock(other, block, log2);
}
static void inverseTransform(int16_t *block, int log2, int depth) {
  int16_t other[LONGEST * LONGEST];
  inverseColumns(block, other, log2, 7);
  transposeBlock(other, block, log2);
  inverseColumns(block, other, log2, 20 - depth);
  transposeBlock(other, block, log2);
}
