// Operations of vectors. `lanes` has as many as the file is compiled for: eight, or the sixteen of wide
// kernels with AVX-512. `cv_f8` and `cv_f16` have eight and sixteen. Functions of one name take each of
// them, and a number in place of a vector counts in all lanes. Pixels.h has those of pixels.
#pragma once
#include <Kernel.h>

#include "CKernels.h"

typedef ck_lanes lanes;
enum { LANES = CK_LANES };
#if CK_LANES == 16
typedef cv_i16 integers;
#else
typedef cv_i8 integers;
#endif

/// Sixteen lanes of two vectors.
CK_BODY cv_f16 ck_joined(cv_f8 low, cv_f8 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// Eight samples in a row, at any address.
CK_BODY cv_f8 f8(const float *in) {
  cv_f8 values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
/// Four of them, such as an entry of a table of colors.
CK_BODY cv_f4 f4(const float *in) {
  cv_f4 values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
/// As many as there are lanes.
CK_BODY lanes at(const float *in) {
  lanes values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}

#define CK_OVERLOADED CK_BODY __attribute__((overloadable))
#define CK_VOCABULARY(n, floats, integers)                                                   \
  CK_OVERLOADED void put(float *out, floats values) {                                        \
    __builtin_memcpy(out, &values, sizeof values);                                           \
  }                                                                                          \
  CK_OVERLOADED floats larger(floats a, floats b) { return a > b ? a : b; }                  \
  CK_OVERLOADED floats smaller(floats a, floats b) { return a < b ? a : b; }                 \
  CK_OVERLOADED floats limited(floats x, floats low, floats high) {                          \
    return smaller(larger(x, low), high);                                                    \
  }                                                                                          \
  CK_OVERLOADED floats magnitude(floats x) { return __builtin_elementwise_abs(x); }          \
  CK_OVERLOADED floats root(floats x) { return __builtin_elementwise_sqrt(x); }              \
  CK_OVERLOADED floats rounded(floats x) { return cv_round##n(x); }                          \
  CK_OVERLOADED floats logarithm(floats x) { return cv_log2_##n(x); }                        \
  CK_OVERLOADED floats powerOfTwo(floats x) { return cv_exp2_##n(x); }                       \
  /* x, and zero for NaN. */                                                                 \
  CK_OVERLOADED floats number(floats x) { return x == x ? x : 0; }                           \
  /* Whether a comparison is true in any lane. */                                            \
  CK_OVERLOADED _Bool anyOf(integers mask) { return __builtin_reduce_or(mask) != 0; }
CK_VOCABULARY(8, cv_f8, cv_i8)
CK_VOCABULARY(16, cv_f16, cv_i16)

// Rows of `count` samples end with a vector of eight. Sixteen lanes that would reach beyond it have
// the eight before once more instead, and store them twice: what `putRow` is given comes from `atRow`
// alone. Planes whose margins are wider are read and written by `at` and `put`.
#if CK_LANES == 16
CK_BODY int64_t secondHalf(int64_t i, int64_t count) { return i + 8 < count ? i + 8 : i; }
CK_BODY lanes atRow(const float *row, int64_t i, int64_t count) {
  return ck_joined(f8(row + i), f8(row + secondHalf(i, count)));
}
CK_BODY void putRow(float *row, int64_t i, int64_t count, lanes values) {
  put(row + i, values.lo);
  put(row + secondHalf(i, count), values.hi);
}
/// The values of lanes within the row, some of them twice where others lie beyond.
CK_BODY lanes ofRow(lanes values, int64_t i, int64_t count) {
  return i + 8 < count ? values : ck_joined(values.lo, values.lo);
}
/// The values, the last one within the row repeated beyond it.
CK_BODY lanes toEnd(lanes values, int64_t i, int64_t count) {
  return i + 8 < count ? values : ck_joined(values.lo, values[7]);
}
/// Eight of the lanes, the `first` of them 0 or 8.
CK_BODY cv_f8 eightOf(lanes values, int first) { return first == 0 ? values.lo : values.hi; }
/// How many columns behind column `i` each lane is.
CK_BODY lanes ramp(int64_t i, int64_t count) {
  const cv_f8 first = {0, 1, 2, 3, 4, 5, 6, 7};
  return ck_joined(first, first + (float)(secondHalf(i, count) - i));
}
/// LANES lanes in a row of those of `a` and `b`, from lane `n` on.
#define SLID(a, b, n)                                                                          \
  __builtin_shufflevector(                                                                     \
      a, b, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11,  \
      n + 12, n + 13, n + 14, n + 15)
#else
CK_BODY lanes atRow(const float *row, int64_t i, int64_t count) { return at(row + i); }
CK_BODY void putRow(float *row, int64_t i, int64_t count, lanes values) { put(row + i, values); }
CK_BODY lanes ofRow(lanes values, int64_t i, int64_t count) { return values; }
CK_BODY lanes toEnd(lanes values, int64_t i, int64_t count) { return values; }
CK_BODY cv_f8 eightOf(lanes values, int first) { return values; }
CK_BODY lanes ramp(int64_t i, int64_t count) { return (lanes){0, 1, 2, 3, 4, 5, 6, 7}; }
#define SLID(a, b, n) \
  __builtin_shufflevector(a, b, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7)
#endif

/// Two numbers that lie side by side in memory, in each lane.
typedef struct ck_pairs {
  lanes first, second;
} ck_pairs;
typedef double ck_d4 __attribute__((ext_vector_type(4)));

/// The pairs of four and four lanes in the order in which one shuffle within each half parts first
/// and second: lanes 0, 1, 4 and 5 in `a`.
CK_BODY void ck_loadPairs(const float *table, int step, cv_i8 index, cv_f8 *a, cv_f8 *b) {
  uint32_t offsets[8];
  double p[8];
  __builtin_memcpy(offsets, &index, sizeof offsets);
  // Through memory: compilers would move lane by lane, which takes longer.
  __asm__("" : "+m"(offsets));
  for (int lane = 0; lane < 8; lane++) {
    __builtin_memcpy(p + lane, table + step * (uint64_t)offsets[lane], sizeof *p);
  }
  *a = __builtin_bit_cast(cv_f8, (ck_d4){p[0], p[1], p[4], p[5]});
  *b = __builtin_bit_cast(cv_f8, (ck_d4){p[2], p[3], p[6], p[7]});
}

/// The number of `table` that each lane of `index` says, in steps of `step` and none of them
/// negative, and the next number. Both are one load.
CK_BODY ck_pairs ck_lookUp(const float *table, int step, integers index) {
#if CK_LANES == 16
  cv_f8 a, b, c, d;
  ck_loadPairs(table, step, index.lo, &a, &b);
  ck_loadPairs(table, step, index.hi, &c, &d);
  lanes x = ck_joined(a, c), y = ck_joined(b, d);
  return (ck_pairs){
    __builtin_shufflevector(
        x, y, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30),
    __builtin_shufflevector(
        x, y, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31)};
#else
  cv_f8 x, y;
  ck_loadPairs(table, step, index, &x, &y);
  return (ck_pairs){
    __builtin_shufflevector(x, y, 0, 2, 8, 10, 4, 6, 12, 14),
    __builtin_shufflevector(x, y, 1, 3, 9, 11, 5, 7, 13, 15)};
#endif
}

/// Lanes 0, 2, 4 … of two vectors side by side, and 1, 3, 5 …; and the lanes of two vectors in turn,
/// the first half and the second.
CK_OVERLOADED cv_f8 evenLanes(cv_f8 a, cv_f8 b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}
CK_OVERLOADED cv_f16 evenLanes(cv_f16 a, cv_f16 b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
CK_OVERLOADED cv_f8 oddLanes(cv_f8 a, cv_f8 b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
CK_OVERLOADED cv_f16 oddLanes(cv_f16 a, cv_f16 b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
CK_OVERLOADED cv_f8 zippedLow(cv_f8 even, cv_f8 odd) {
  return __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
}
CK_OVERLOADED cv_f16 zippedLow(cv_f16 even, cv_f16 odd) {
  return __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
CK_OVERLOADED cv_f8 zippedHigh(cv_f8 even, cv_f8 odd) {
  return __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
}
CK_OVERLOADED cv_f16 zippedHigh(cv_f16 even, cv_f16 odd) {
  return __builtin_shufflevector(
      even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
/// Writes the lanes of two vectors in turn.
CK_BODY void putInTurn(float *out, lanes even, lanes odd) {
  put(out, zippedLow(even, odd));
  put(out + LANES, zippedHigh(even, odd));
}
