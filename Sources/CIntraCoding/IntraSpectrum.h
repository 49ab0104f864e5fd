// Hadamard coefficients of 8 × 8 samples of a picture and of their neighbors, by which prediction modes of
// intra pictures are compared before anything is coded.
//
// The cost of a mode is the sum of absolute coefficients of what it leaves, with the neighbors in the
// source in place of decoded ones. As the transform is linear, that of the source is made once; what a
// mode predicts has coefficients in closed form: one for a mean, a row or column of eight for the two
// directions, and sums of outer products for a blend of the neighbors.
#pragma once
#include "IntraVectors.h"

/// Blocks along a side of a unit.
enum { UNITS = 4 };

/// Coefficients of the 8 × 8 blocks of 32 × 32 samples and of the samples around them, less half
/// the range.
typedef struct spectrum {
  /// [block][horizontal · 8 + vertical frequency].
  int16_t blocks[UNITS * UNITS][64];
  int32_t sums[UNITS * UNITS];
  /// Of eight samples above block rows ([row][column]) and left of block columns ([column][row]).
  int32_t above[UNITS][UNITS][8], left[UNITS][UNITS][8];
} spectrum;

/// Samples of luma: words that are shifted down by `shift`, at most 10 bits of them left.
typedef struct lumaSource {
  const uint16_t *samples;
  int64_t stride;
  int shift, depth;
} lumaSource;

/// The Hadamard transform of eight numbers, or of eight vectors of them.
#define HADAMARD(type, v)                   \
  for (int step = 1; step < 8; step *= 2) { \
    for (int i = 0; i < 8; i++) {           \
      if (i & step) continue;               \
      type a = v[i], b = v[i + step];       \
      v[i] = a + b;                         \
      v[i + step] = a - b;                  \
    }                                       \
  }

/// The sample at `x`, `y`, less half the range; those outside are the nearest inside.
CK_BODY int sourceAt(const lumaSource *luma, int64_t x, int64_t y) {
  x = x < 0 ? 0 : x;
  y = y < 0 ? 0 : y;
  return (luma->samples[y * luma->stride + x] >> luma->shift) - (1 << (luma->depth - 1));
}

CK_BODY void lineSpectrum(
    const lumaSource *luma, int64_t x, int64_t y, int64_t stepX, int64_t stepY, int32_t *out) {
  int32_t v[8];
  // Nothing is known outside the picture but the sample that comes before.
  _Bool isKnown = stepX ? y >= 0 : x >= 0;
  for (int i = 0; i < 8; i++) {
    v[i] = isKnown ? sourceAt(luma, x + i * stepX, y + i * stepY)
                   : sourceAt(luma, x - stepX, y - stepY);
  }
  HADAMARD(int32_t, v)
  __builtin_memcpy(out, v, sizeof v);
}

CK_BODY void measure(const lumaSource *luma, int64_t x, int64_t y, spectrum *s) {
  ck_s8 middle = (int16_t)(1 << (luma->depth - 1));
  for (int n = 0; n < UNITS * UNITS; n++) {
    const uint16_t *from =
        luma->samples + (y + 8 * (n / UNITS)) * luma->stride + x + 8 * (n % UNITS);
    ck_s8 v[8];
    for (int i = 0; i < 8; i++) {
      ck_u8 words = u8(from + i * luma->stride) >> (ck_u8)(uint16_t)luma->shift;
      v[i] = (ck_s8)words - middle;
    }
    HADAMARD(ck_s8, v)
    for (int i = 0; i < 8; i++) storeS8(s->blocks[n] + 8 * i, v[i]);
    transpose8(s->blocks[n], 8, s->blocks[n], 8);
    for (int i = 0; i < 8; i++) v[i] = s8(s->blocks[n] + 8 * i);
    HADAMARD(ck_s8, v)
    cv_i8 sum = 0;
    for (int i = 0; i < 8; i++) {
      storeS8(s->blocks[n] + 8 * i, v[i]);
      sum += __builtin_elementwise_abs(wide(v[i]));
    }
    s->sums[n] = sumOf(sum);
    int column = n % UNITS, row = n / UNITS;
    lineSpectrum(luma, x + 8 * column, y + 8 * row - 1, 1, 0, s->above[row][column]);
    lineSpectrum(luma, x + 8 * column - 1, y + 8 * row, 0, 1, s->left[column][row]);
  }
}

/// Cost of a blend of neighbors in an 8 × 8 block: of the samples left(y), above(x), `right` and `bottom`,
/// weighted by numbers that fall and rise with x and y, whose coefficients these are, over 2^shift.
CK_BODY int blendCost(
    const int16_t *block, const int32_t *above, const int32_t *left, int right, int bottom,
    cv_i8 fallingX, cv_i8 risingX, cv_i8 fallingY, cv_i8 risingY, int shift) {
  cv_i8 l = i8(left), sum = 0;
  for (int u = 0; u < 8; u++) {
    cv_i8 made = l * fallingX[u] + fallingY * above[u];
    made[0] += 8 * right * risingX[u];
    if (u == 0) made += risingY * (8 * bottom);
    sum += __builtin_elementwise_abs(wide(s8(block + 8 * u)) - (made >> shift));
  }
  return sumOf(sum);
}

/// Eight times the mean of the neighbors of a unit of `units` blocks, as a coefficient.
CK_BODY int flatCoefficient(const spectrum *s, int column, int row, int units) {
  int sum = 0;
  for (int i = 0; i < units; i++) sum += s->above[row][column + i][0] + s->left[column][row + i][0];
  return 4 * sum / units;
}

/// Adds the costs of an 8 × 8 block of a unit: of the mean `flat`, of rows that continue the samples
/// left of it, of columns that continue those above.
CK_BODY void addCosts(
    const int16_t *block, int sum, const int32_t *above, const int32_t *left, int flat, int *costs) {
  costs[0] += sum - __builtin_abs(block[0]) + __builtin_abs(block[0] - flat);
  cv_i8 vertical = wide(s8(block)), horizontal;
  for (int u = 0; u < 8; u++) horizontal[u] = block[8 * u];
  costs[1] += sum + sumOf(
      __builtin_elementwise_abs(vertical - 8 * i8(left)) - __builtin_elementwise_abs(vertical));
  costs[2] += sum + sumOf(
      __builtin_elementwise_abs(horizontal - 8 * i8(above)) - __builtin_elementwise_abs(horizontal));
}
