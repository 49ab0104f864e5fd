// Sizes of blocks and their prediction modes, from the picture itself, as IntraSpectrum.h says.
#pragma once
#include "AV1Prediction.h"
#include "IntraSpectrum.h"

enum { SPLIT_BLOCK = 255 };

/// Modes of 32 × 32 samples, of 16 × 16 and of 8 × 8, or `SPLIT_BLOCK`.
typedef struct blockTree {
  uint8_t whole, quarters[4], eighths[16];
} blockTree;

/// The cheapest mode of the block of 2^log2 samples at 8 × 8 samples `column`, `row` of those at `x`, `y`.
CK_BODY float cheapest(
    const ck_av1Tile *t, const lumaSource *luma, const spectrum *s, int64_t x, int64_t y, int column,
    int row, int log2, uint8_t *mode) {
  int units = 1 << (log2 - 3), side = 1 << log2;
  int64_t left = x + 8 * column, top = y + 8 * row;
  int flat = flatCoefficient(s, column, row, units);
  int right = sourceAt(luma, left + side - 1, top - 1), bottom = sourceAt(luma, left - 1, top + side - 1);
  const int32_t(*weights)[8] = t->state->weights + units - 1;
  cv_i8 ones = {2048};
  int costs[4] = {0};
  for (int j = 0; j < units; j++) {
    for (int i = 0; i < units; i++) {
      int n = (row + j) * UNITS + column + i;
      const int16_t *block = s->blocks[n];
      const int32_t *above = s->above[row][column + i], *beside = s->left[column][row + j];
      cv_i8 fallingX = i8(weights[i]), fallingY = i8(weights[j]);
      costs[0] += blendCost(
          block, above, beside, right, bottom, fallingX, ones - fallingX, fallingY, ones - fallingY, 9);
      addCosts(block, s->sums[n], above, beside, flat, costs + 1);
    }
  }
  static const uint8_t modes[4] = {SMOOTH, DC, HORIZONTAL, VERTICAL};
  static const float bits[4] = {2.5f, 1.5f, 3, 3};
  float least = __builtin_inff();
  for (int i = 0; i < 4; i++) {
    float cost = 0.25f * (float)costs[i] + bits[i] * t->bitCost;
    if (cost >= least) continue;
    least = cost;
    *mode = modes[i];
  }
  return least;
}

/// Chooses blocks and modes of the 32 × 32 samples at `x`, `y`. Smaller blocks must gain more than the
/// costs say: they have smaller transforms of chroma, and more of everything that is not counted here.
static void analyze(const ck_av1Tile *t, int64_t x, int64_t y, blockTree *tree) {
  static const float gain16 = 1.06f, gain8 = 1.1f;
  int excess = t->depth > 10 ? t->depth - 10 : 0;
  lumaSource luma = {
    t->planes->source, t->planes->sourceStride, t->sourceShift + excess, t->depth - excess};
  spectrum s;
  measure(&luma, x, y, &s);
  float split = t->bitCost;
  for (int n = 0; n < 4; n++) {
    int column = 2 * (n & 1), row = n & 2;
    float cost = cheapest(t, &luma, &s, x, y, column, row, 4, &tree->quarters[n]), parts = t->bitCost;
    for (int i = 0; i < 4; i++) {
      parts += cheapest(
          t, &luma, &s, x, y, column + (i & 1), row + (i >> 1), 3, &tree->eighths[4 * n + i]);
    }
    if (parts * gain8 < cost) {
      cost = parts;
      tree->quarters[n] = SPLIT_BLOCK;
    }
    split += cost;
  }
  float cost = cheapest(t, &luma, &s, x, y, 0, 0, 5, &tree->whole);
  if (split * gain16 < cost) tree->whole = SPLIT_BLOCK;
}
