// Kernels for vectors of any number of lanes: CK_LANES_KERNEL(name, (parameters), (arguments))
// { body } in a file that is compiled twice, by itself for eight lanes and, with CK_WIDE, in another
// file for the sixteen of AVX-512.
#pragma once
#include "Kernel.h"

typedef ck_lanes lanes;
#if defined(CK_WIDE)
enum { LANES = 16 };
typedef cv_i16 integers;
#define CK_LANES_KERNEL(name, parameters, arguments) \
  void name##_wide parameters;                       \
  void name##_wide parameters
#define CK_OF_LANES(function) function##16
#else
enum { LANES = 8 };
typedef cv_i8 integers;
#define CK_LANES_KERNEL CK_KERNEL_WITH_WIDE
#define CK_OF_LANES(function) function##8
#endif

CK_BODY lanes at(const float *in) {
  lanes values;
  __builtin_memcpy(&values, in, sizeof values);
  return values;
}
CK_BODY void put(float *out, lanes values) { __builtin_memcpy(out, &values, sizeof values); }

// Rows of `count` samples end with a vector of eight. Sixteen lanes that would reach beyond it have
// the eight before once more instead, and store them twice: what `putRow` is given comes from `atRow`
// alone. Planes whose margins are wider are read and written by `at` and `put`.
#if defined(CK_WIDE)
CK_BODY int64_t secondHalf(int64_t i, int64_t count) { return i + 8 < count ? i + 8 : i; }
CK_BODY lanes atRow(const float *row, int64_t i, int64_t count) {
  return ck_joined(f8(row + i), f8(row + secondHalf(i, count)));
}
CK_BODY void putRow(float *row, int64_t i, int64_t count, lanes values) {
  ck_store8(row + i, values.lo);
  ck_store8(row + secondHalf(i, count), values.hi);
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

CK_BODY lanes larger(lanes a, lanes b) { return a > b ? a : b; }
CK_BODY lanes smaller(lanes a, lanes b) { return a < b ? a : b; }
CK_BODY lanes limited(lanes x, lanes low, lanes high) { return smaller(larger(x, low), high); }
CK_BODY lanes magnitude(lanes x) { return __builtin_elementwise_abs(x); }
CK_BODY lanes root(lanes x) { return __builtin_elementwise_sqrt(x); }
CK_BODY lanes logarithm(lanes x) { return CK_OF_LANES(cv_log2_)(x); }
CK_BODY lanes powerOfTwo(lanes x) { return CK_OF_LANES(cv_exp2_)(x); }
/// x, and zero for NaN.
CK_BODY lanes number(lanes x) { return x == x ? x : 0; }
/// Whether a comparison is true in any lane.
CK_BODY _Bool anyOf(integers mask) { return __builtin_reduce_or(mask) != 0; }

/// Two numbers that lie side by side in memory, in each lane.
typedef struct ck_pairs {
  lanes first, second;
} ck_pairs;
typedef double ck_d4 __attribute__((ext_vector_type(4)));

/// The pairs of four and four lanes in the order in which one shuffle within each half parts first
/// and second: lanes 0, 1, 4 and 5 in `a`.
CK_BODY void ck_loadPairs(const float *table, int step, cv_i8 index, cv_f8 *a, cv_f8 *b) {
  uint32_t places[8];
  double p[8];
  __builtin_memcpy(places, &index, sizeof places);
  // Through memory: compilers would move lane by lane, which takes longer.
  __asm__("" : "+m"(places));
  for (int lane = 0; lane < 8; lane++) {
    __builtin_memcpy(p + lane, table + step * (uint64_t)places[lane], sizeof *p);
  }
  *a = __builtin_bit_cast(cv_f8, (ck_d4){p[0], p[1], p[4], p[5]});
  *b = __builtin_bit_cast(cv_f8, (ck_d4){p[2], p[3], p[6], p[7]});
}

/// The number of `table` that each lane of `index` says, in steps of `step` and none of them
/// negative, and the next number. Both are one load.
CK_BODY ck_pairs ck_lookUp(const float *table, int step, integers index) {
#if defined(CK_WIDE)
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
#if defined(CK_WIDE)
CK_BODY lanes evenLanes(lanes a, lanes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
CK_BODY lanes oddLanes(lanes a, lanes b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
CK_BODY lanes zippedLow(lanes even, lanes odd) {
  return __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
CK_BODY lanes zippedHigh(lanes even, lanes odd) {
  return __builtin_shufflevector(
      even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#else
CK_BODY lanes evenLanes(lanes a, lanes b) { return ck_even8(a, b); }
CK_BODY lanes oddLanes(lanes a, lanes b) { return ck_odd8(a, b); }
CK_BODY lanes zippedLow(lanes even, lanes odd) { return ck_zipLow8(even, odd); }
CK_BODY lanes zippedHigh(lanes even, lanes odd) { return ck_zipHigh8(even, odd); }
#endif
/// Writes the lanes of two vectors in turn.
CK_BODY void putInTurn(float *out, lanes even, lanes odd) {
  put(out, zippedLow(even, odd));
  put(out + LANES, zippedHigh(even, odd));
}
