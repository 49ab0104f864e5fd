// Sizes of coding units and their prediction modes, from the picture itself.
//
// The cost of a mode is the sum of absolute Hadamard coefficients of what it leaves, in blocks of 8
// × 8, with the neighbors in the source in place of decoded ones. As the transform is linear, that
// of the source is made once; what a mode predicts has coefficients in closed form: one for DC, a
// row or column of eight for the two directions, and sums of outer products with ramps for planar.
// Neighbors are taken unfiltered: that chooses no worse.
#pragma once
#include "HEVCPrediction.h"

enum { UNITS = 4, SPLIT_UNIT = 255 };

/// Coefficients of the 8 × 8 blocks of a coding tree unit and of the samples around them, less half
/// the range.
typedef struct spectrum {
  /// [block][horizontal · 8 + vertical frequency].
  int16_t blocks[UNITS * UNITS][64];
  int32_t sums[UNITS * UNITS];
  /// Of eight samples above block rows ([row][column]) and left of block columns ([column][row]).
  int32_t above[UNITS][UNITS][8], left[UNITS][UNITS][8];
} spectrum;

/// Modes of the 32 × 32 samples, of 16 × 16 and of 8 × 8, or `SPLIT_UNIT`.
typedef struct codingTree {
  uint8_t whole, quarters[4], eighths[16];
} codingTree;

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

CK_BODY int sumOf(cv_i8 v) { return __builtin_reduce_add(v); }
CK_BODY cv_i8 i8(const int32_t *in) {
  cv_i8 v;
  __builtin_memcpy(&v, in, sizeof v);
  return v;
}

/// The sample at `x`, `y`, less half the range; those outside are the nearest inside.
CK_BODY int sourceAt(const ck_hevcPicture *p, int64_t x, int64_t y) {
  const ck_hevcPlane *luma = p->planes;
  x = x < 0 ? 0 : x;
  y = y < 0 ? 0 : y;
  return (luma->source[y * luma->sourceStride + x] >> p->sourceShift) - (1 << (p->depth - 1));
}

CK_BODY void lineSpectrum(
    const ck_hevcPicture *p, int64_t x, int64_t y, int64_t stepX, int64_t stepY, int32_t *out) {
  int32_t v[8];
  // Nothing is known outside the picture but the sample that comes before.
  _Bool isKnown = stepX ? y >= 0 : x >= 0;
  for (int i = 0; i < 8; i++) {
    v[i] = isKnown ? sourceAt(p, x + i * stepX, y + i * stepY)
                   : sourceAt(p, x - stepX, y - stepY);
  }
  HADAMARD(int32_t, v)
  __builtin_memcpy(out, v, sizeof v);
}

CK_BODY void measure(const ck_hevcPicture *p, int64_t x, int64_t y, spectrum *s) {
  ck_s8 middle = (int16_t)(1 << (p->depth - 1));
  for (int n = 0; n < UNITS * UNITS; n++) {
    const uint16_t *from =
        p->planes->source + (y + 8 * (n / UNITS)) * p->planes->sourceStride + x + 8 * (n % UNITS);
    ck_s8 v[8];
    for (int i = 0; i < 8; i++) {
      ck_u8 words = u8(from + i * p->planes->sourceStride) >> (ck_u8)(uint16_t)p->sourceShift;
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
    lineSpectrum(p, x + 8 * column, y + 8 * row - 1, 1, 0, s->above[row][column]);
    lineSpectrum(p, x + 8 * column - 1, y + 8 * row, 0, 1, s->left[column][row]);
  }
}

/// Coefficients of a ramp of eight samples that begins at `first` and rises by one.
CK_BODY cv_i8 ramp(int first) { return (cv_i8){8 * first + 28, -4, -8, 0, -16, 0, 0, 0}; }

/// Cost of planar prediction in the block at `column`, `row` of a unit of 2^log2 samples a side, in
/// which x runs from 8 · column: the sum of (side - 1 - x) left(y), (side - 1 - y) above(x), (x +
/// 1) right and (y + 1) bottom, over 2 · side.
CK_BODY int planarCost(
    const int16_t *block, const int32_t *above, const int32_t *left, int right, int bottom,
    int column, int row, int log2) {
  int side = 1 << log2;
  cv_i8 risingX = ramp(8 * column + 1), fallingX = ramp(8 * column + 1 - side) * -1;
  cv_i8 risingY = ramp(8 * row + 1), fallingY = ramp(8 * row + 1 - side) * -1;
  cv_i8 l = i8(left), sum = 0;
  for (int u = 0; u < 8; u++) {
    cv_i8 made = l * fallingX[u] + fallingY * above[u];
    made[0] += 8 * right * risingX[u];
    if (u == 0) made += risingY * (8 * bottom);
    sum += __builtin_elementwise_abs(wide(s8(block + 8 * u)) - (made >> (log2 + 1)));
  }
  return sumOf(sum);
}

/// The cheapest mode of the unit at block `column`, `row` of the coding tree unit at `x`, `y`.
CK_BODY float cheapest(
    const ck_hevcPicture *p, const spectrum *s, int64_t x, int64_t y, int column, int row, int log2,
    uint8_t *mode) {
  int units = 1 << (log2 - 3), side = 1 << log2;
  int64_t left = x + 8 * column, top = y + 8 * row;
  int mean = 0;
  for (int i = 0; i < units; i++) mean += s->above[row][column + i][0] + s->left[column][row + i][0];
  int flat = (64 * mean) >> (log2 + 1);
  int toRight = hasAboveRight(p, left, top, side) ? side : side - 1;
  int toBottom = hasBelowLeft(left, top, side) ? side : side - 1;
  int right = sourceAt(p, left + toRight, top - 1), bottom = sourceAt(p, left - 1, top + toBottom);
  int costs[4] = {0};
  for (int j = 0; j < units; j++) {
    for (int i = 0; i < units; i++) {
      int n = (row + j) * UNITS + column + i;
      const int16_t *block = s->blocks[n];
      const int32_t *above = s->above[row][column + i], *beside = s->left[column][row + j];
      costs[0] += planarCost(block, above, beside, right, bottom, i, j, log2);
      costs[1] += s->sums[n] - __builtin_abs(block[0]) + __builtin_abs(block[0] - flat);
      cv_i8 vertical = wide(s8(block)), horizontal;
      for (int u = 0; u < 8; u++) horizontal[u] = block[8 * u];
      costs[2] += s->sums[n] + sumOf(
          __builtin_elementwise_abs(vertical - 8 * i8(beside)) - __builtin_elementwise_abs(vertical));
      costs[3] += s->sums[n] + sumOf(
          __builtin_elementwise_abs(horizontal - 8 * i8(above)) - __builtin_elementwise_abs(horizontal));
    }
  }
  static const uint8_t modes[4] = {PLANAR, DC, ALONG_ROWS, ALONG_COLUMNS};
  static const float bits[4] = {2.5f, 2.5f, 6, 2.5f};
  float least = __builtin_inff();
  for (int i = 0; i < 4; i++) {
    float cost = 0.25f * (float)costs[i] + bits[i] * p->bitCost;
    if (cost >= least) continue;
    least = cost;
    *mode = modes[i];
  }
  return least;
}

/// Chooses units and modes of the coding tree unit at `x`, `y`. Smaller units must gain more than
/// the costs say: they have smaller transforms of chroma, and more of everything that is not
/// counted here.
static void analyze(const ck_hevcPicture *p, int64_t x, int64_t y, codingTree *tree) {
  static const float gain16 = 1.06f, gain8 = 1.1f;
  spectrum s;
  measure(p, x, y, &s);
  float split = p->bitCost;
  for (int n = 0; n < 4; n++) {
    int column = 2 * (n & 1), row = n & 2;
    float cost = cheapest(p, &s, x, y, column, row, 4, &tree->quarters[n]), parts = p->bitCost;
    for (int i = 0; i < 4; i++) {
      parts += cheapest(
          p, &s, x, y, column + (i & 1), row + (i >> 1), 3, &tree->eighths[4 * n + i]);
    }
    if (parts * gain8 < cost) {
      cost = parts;
      tree->quarters[n] = SPLIT_UNIT;
    }
    split += cost;
  }
  float cost = cheapest(p, &s, x, y, 0, 0, 5, &tree->whole);
  if (split * gain16 < cost) tree->whole = SPLIT_UNIT;
}
