// Coding of the quantized coefficients of a transform block (H.265, sections 7.3.8.11 and 9.3.4.2).
#pragma once
#include "HEVCEntropy.h"

typedef int16_t ck_s16 __attribute__((ext_vector_type(16)));
typedef _Bool ck_b16 __attribute__((ext_vector_type(16)));

/// Orders in which coefficients are coded (6.5.3 to 6.5.5).
enum { DIAGONAL = 0, HORIZONTAL = 1, VERTICAL = 2 };

/// Columns and rows of 4 × 4 coefficients in each order: 4 · row + column.
static const uint8_t scan4[3][16] = {
  {0, 4, 1, 8, 5, 2, 12, 9, 6, 3, 13, 10, 7, 14, 11, 15},
  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
  {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
};

/// The same of 4 × 4 blocks: 8 · row + column. The first is for one and for 2 × 2.
static const uint8_t scan2[3][4] = {{0, 8, 1, 9}, {0, 1, 8, 9}, {0, 8, 1, 9}};
static const uint8_t diagonal4[16] = {0, 8, 1, 16, 9, 2, 24, 17, 10, 3, 25, 18, 11, 26, 19, 27};
static const uint8_t diagonal8[64] = {
  0, 8, 1, 16, 9, 2, 24, 17, 10, 3, 32, 25, 18, 11, 4, 40, 33, 26, 19, 12, 5, 48, 41, 34, 27, 20,
  13, 6, 56, 49, 42, 35, 28, 21, 14, 7, 57, 50, 43, 36, 29, 22, 15, 58, 51, 44, 37, 30, 23, 59, 52,
  45, 38, 31, 60, 53, 46, 39, 61, 54, 47, 62, 55, 63,
};

/// Context of significance within 4 × 4 coefficients in each order, by which of the blocks right
/// (1) and below (2) have coefficients; 4: the block is the whole transform.
static const uint8_t significance[3][5][16] = {
  {{2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
   {2, 1, 2, 0, 1, 2, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0},
   {2, 2, 1, 2, 1, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0},
   {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
   {0, 2, 1, 6, 3, 4, 7, 6, 4, 5, 7, 8, 5, 8, 8, 8}},
  {{2, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
   {2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
   {2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0},
   {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
   {0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8}},
  {{2, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
   {2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0},
   {2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
   {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
   {0, 2, 6, 7, 1, 3, 6, 7, 4, 4, 8, 8, 5, 5, 8, 8}},
};

/// 4 × 4 levels in the order of coding, first to last.
CK_BODY ck_s16 inOrder(const int16_t *levels, int64_t stride, int scan) {
  int16_t raster[16];
  for (int y = 0; y < 4; y++) __builtin_memcpy(raster + 4 * y, levels + y * stride, 8);
  ck_s16 v;
  __builtin_memcpy(&v, raster, sizeof v);
  if (scan == DIAGONAL) {
    return __builtin_shufflevector(v, v, 0, 4, 1, 8, 5, 2, 12, 9, 6, 3, 13, 10, 7, 14, 11, 15);
  }
  if (scan == HORIZONTAL) return v;
  return __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

/// One bit for each lane of a comparison, the first lane lowest.
CK_BODY uint32_t bitsOf(ck_s16 mask) {
  return __builtin_bit_cast(uint16_t, __builtin_convertvector(mask, ck_b16));
}

/// Codes coeff_abs_level_remaining by the Rice parameter (9.3.3.11).
CK_BODY void codeRemaining(engine *e, uint32_t value, int rice) {
  uint32_t prefix = value >> rice;
  if (prefix < 4) {
    uint32_t ones = (2u << prefix) - 2;
    codeBits(e, ones << rice | (value & ((1u << rice) - 1)), (int)prefix + 1 + rice);
    return;
  }
  value -= 4u << rice;
  // Prefix 4 is followed by rice + 1 bits, each further one by one more, from the sum of all
  // before.
  int length = rice + 1;
  while (value >= 1u << length) value -= 1u << length++;
  int ones = 3 + length - rice;
  codeBits(e, (1u << (ones + 1)) - 2, ones + 1);
  codeBits(e, value, length);
}

/// Codes the position of the last coefficient.
CK_BODY void codeLast(engine *e, uint8_t *contexts, int x, int y, int log2, _Bool isChroma) {
  int first = isChroma ? 15 : 3 * (log2 - 2) + ((log2 - 1) >> 2);
  int shift = isChroma ? log2 - 2 : (log2 + 1) >> 2;
  int position[2] = {x, y}, groups[2];
  for (int side = 0; side < 2; side++) {
    uint8_t *context = contexts + (side == 0 ? LAST_X : LAST_Y) + first;
    int p = position[side];
    // Groups 0 to 3 are one position each, then two of 2, two of 4, two of 8.
    int high = p < 4 ? 0 : 31 - __builtin_clz((uint32_t)p);
    int group = p < 4 ? p : 2 * high + (p >> (high - 1) & 1);
    groups[side] = group;
    for (int i = 0; i < group; i++) codeBin(e, context + (i >> shift), 1);
    if (group < 2 * log2 - 1) codeBin(e, context + (group >> shift), 0);
  }
  for (int side = 0; side < 2; side++) {
    int bits = (groups[side] >> 1) - 1;
    if (bits > 0) codeBits(e, (uint32_t)position[side] & ((1u << bits) - 1), bits);
  }
}

/// Codes the values of up to 16 levels. `after1`: whether the block coded before ended on a level
/// above one.
CK_BODY void codeLevels(
    engine *e, uint8_t *contexts, ck_s16 v, uint32_t mask, int set, _Bool isChroma, int *after1) {
  ck_s16 magnitudes = __builtin_elementwise_abs(v);
  uint16_t sizes[16];
  __builtin_memcpy(sizes, &magnitudes, sizeof sizes);
  uint32_t negative = bitsOf(v < 0), signs = 0;
  uint16_t values[16];
  int count = 0;
  for (uint32_t left = mask; left != 0; count++) {
    int i = 31 - __builtin_clz(left);
    left ^= 1u << i;
    values[count] = sizes[i];
    signs = signs << 1 | (negative >> i & 1);
  }
  set += *after1 == 0;
  static const uint8_t nextContext[2][4] = {{0, 2, 3, 3}, {0, 0, 0, 0}};
  int context1 = 1;
  // Those of the first eight that are greater than 1; bit 16 ends the search.
  uint32_t greater = 1 << 16;
  uint8_t *greater1 = contexts + GREATER_1 + (isChroma ? 16 : 0) + 4 * set;
  for (int i = 0; i < (count < 8 ? count : 8); i++) {
    uint32_t isGreater = values[i] > 1;
    codeBin(e, greater1 + context1, isGreater);
    context1 = nextContext[isGreater][context1];
    greater |= isGreater << i;
  }
  *after1 = context1;
  int first2 = __builtin_ctz(greater);
  if (first2 < 16) codeBin(e, contexts + GREATER_2 + (isChroma ? 4 : 0) + set, values[first2] > 2);
  codeBits(e, signs, count);
  if (first2 == 16 && count <= 8) return;
  int rice = 0;
  for (int i = first2 < 8 ? first2 : 8; i < count; i++) {
    uint32_t known = i >= 8 ? 1 : i == first2 ? 3 : 2;
    if (values[i] < known) continue;
    codeRemaining(e, values[i] - known, rice);
    if (rice < 4 && values[i] > 3u << rice) rice++;
  }
}

/// Codes the levels of a transform block of 2^log2 samples a side, of which one at least is not 0.
/// `coded`: bit 8 · row + column says whether these 4 × 4 have any.
CK_BODY void codeResidual(
    ck_hevcCoder *coder, const int16_t *levels, int64_t stride, uint64_t coded, int log2,
    _Bool isChroma, int scan) {
  engine e = opened(coder);
  uint8_t *contexts = coder->contexts;
  const uint8_t *order = log2 <= 3 ? scan2[scan] : log2 == 4 ? diagonal4 : diagonal8;
  int last = (1 << (2 * log2 - 4)) - 1;
  while (!(coded >> order[last] & 1)) last--;
  int after1 = 1, side = 1 << (log2 - 2);
  for (int n = last; n >= 0; n--) {
    int at = order[n], column = at & 7, row = at >> 3;
    _Bool right = column + 1 < side && coded >> (at + 1) & 1;
    _Bool below = row + 1 < side && coded >> (at + 8) & 1;
    _Bool isCoded = coded >> at & 1, isTold = n > 0 && n < last;
    if (isTold) {
      uint8_t *context = contexts + CODED_SUB_BLOCK + (isChroma ? 2 : 0) + (right | below);
      codeBin(&e, context, isCoded);
      if (!isCoded) continue;
    }
    ck_s16 v = inOrder(levels + 4 * row * stride + 4 * column, stride, scan);
    uint32_t mask = bitsOf(v != 0);
    int from = 15;
    if (n == last) {
      int highest = 31 - __builtin_clz(mask);
      int x = 4 * column + (scan4[scan][highest] & 3), y = 4 * row + (scan4[scan][highest] >> 2);
      codeLast(&e, contexts, scan == VERTICAL ? y : x, scan == VERTICAL ? x : y, log2, isChroma);
      from = highest - 1;
    }
    const uint8_t *pattern = significance[scan][log2 == 2 ? 4 : right | below << 1];
    uint8_t *first = contexts + SIGNIFICANT + (isChroma ? 27 : 0), *significant = first;
    if (log2 > 2) {
      significant +=
          isChroma ? (log2 == 3 ? 9 : 12)
                   : (n > 0 ? 3 : 0) + (log2 == 3 ? (scan == DIAGONAL ? 9 : 15) : 21);
    }
    for (int i = from; i > 0; i--) codeBin(&e, significant + pattern[i], mask >> i & 1);
    // Where a block is signaled as coded and has no other, the first one is inferred.
    if (from >= 0 && !(isTold && mask == 1)) {
      codeBin(&e, n == 0 ? first : significant + pattern[0], mask & 1);
    }
    if (mask == 0) continue;
    codeLevels(&e, contexts, v, mask, n > 0 && !isChroma ? 2 : 0, isChroma, &after1);
  }
  closed(coder, e);
}
