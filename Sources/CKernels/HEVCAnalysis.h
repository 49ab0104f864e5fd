// Sizes of coding units and their prediction modes, from the picture itself.
//
// Modes are compared as IntraSpectrum.h says. Neighbors are taken unfiltered: that chooses no worse.
#pragma once
#include "HEVCPrediction.h"
#include "IntraSpectrum.h"

enum { SPLIT_UNIT = 255 };

/// Modes of the 32 × 32 samples, of 16 × 16 and of 8 × 8, or `SPLIT_UNIT`.
typedef struct codingTree {
  uint8_t whole, quarters[4], eighths[16];
} codingTree;

/// Coefficients of a ramp of eight samples that begins at `first` and rises by one.
CK_BODY cv_i8 ramp(int first) { return (cv_i8){8 * first + 28, -4, -8, 0, -16, 0, 0, 0}; }

/// The cheapest mode of the unit at block `column`, `row` of the coding tree unit at `x`, `y`.
CK_BODY float cheapest(
    const ck_hevcPicture *p, const lumaSource *luma, const spectrum *s, int64_t x, int64_t y, int column,
    int row, int log2, uint8_t *mode) {
  int units = 1 << (log2 - 3), side = 1 << log2;
  int64_t left = x + 8 * column, top = y + 8 * row;
  int flat = flatCoefficient(s, column, row, units);
  int toRight = hasAboveRight(p, left, top, side) ? side : side - 1;
  int toBottom = hasBelowLeft(left, top, side) ? side : side - 1;
  int right = sourceAt(luma, left + toRight, top - 1);
  int bottom = sourceAt(luma, left - 1, top + toBottom);
  int costs[4] = {0};
  for (int j = 0; j < units; j++) {
    for (int i = 0; i < units; i++) {
      int n = (row + j) * UNITS + column + i;
      const int16_t *block = s->blocks[n];
      const int32_t *above = s->above[row][column + i], *beside = s->left[column][row + j];
      // The sum of (side - 1 - x) left(y), (side - 1 - y) above(x), (x + 1) right and (y + 1) bottom,
      // over 2 · side.
      costs[0] += blendCost(
          block, above, beside, right, bottom, ramp(8 * i + 1 - side) * -1, ramp(8 * i + 1),
          ramp(8 * j + 1 - side) * -1, ramp(8 * j + 1), log2 + 1);
      addCosts(block, s->sums[n], above, beside, flat, costs + 1);
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
  lumaSource luma = {p->planes->source, p->planes->sourceStride, p->sourceShift, p->depth};
  spectrum s;
  measure(&luma, x, y, &s);
  float split = p->bitCost;
  for (int n = 0; n < 4; n++) {
    int column = 2 * (n & 1), row = n & 2;
    float cost = cheapest(p, &luma, &s, x, y, column, row, 4, &tree->quarters[n]), parts = p->bitCost;
    for (int i = 0; i < 4; i++) {
      parts += cheapest(
          p, &luma, &s, x, y, column + (i & 1), row + (i >> 1), 3, &tree->eighths[4 * n + i]);
    }
    if (parts * gain8 < cost) {
      cost = parts;
      tree->quarters[n] = SPLIT_UNIT;
    }
    split += cost;
  }
  float cost = cheapest(p, &luma, &s, x, y, 0, 0, 5, &tree->whole);
  if (split * gain16 < cost) tree->whole = SPLIT_UNIT;
}
