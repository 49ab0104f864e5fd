// Sizes of blocks in 32 × 32 samples of an intra picture and their prediction modes, compared as
// IntraSpectrum.h says. What four modes leave is counted by each coder.
#pragma once
#include "IntraSpectrum.h"

enum { SPLIT_BLOCK = 255 };

/// Modes of the 32 × 32 samples, of 16 × 16 and of 8 × 8, or `SPLIT_BLOCK`.
typedef struct blockTree {
  uint8_t whole, quarters[4], eighths[16];
} blockTree;

/// Four modes, and the bits that they take in the stream.
typedef struct fourModes {
  uint8_t modes[4];
  float bits[4];
} fourModes;

/// Sums of absolute coefficients that the four modes leave of the block of 2^`log2` samples at 8 × 8
/// samples `column`, `row` of those at `x`, `y`.
typedef void modeCosts(
    const void *coder, const lumaSource *luma, const spectrum *s, int64_t x, int64_t y, int column,
    int row, int log2, int costs[4]);

/// What the choice depends on.
typedef struct treeChoice {
  const void *coder;
  modeCosts *costs;
  fourModes modes;
  /// Cost of a bit in the sum of absolute differences.
  float bitCost;
} treeChoice;

CK_BODY float cheapest(
    const treeChoice *c, const lumaSource *luma, const spectrum *s, int64_t x, int64_t y, int column,
    int row, int log2, uint8_t *mode) {
  int costs[4] = {0};
  c->costs(c->coder, luma, s, x, y, column, row, log2, costs);
  float lowest = __builtin_inff();
  for (int i = 0; i < 4; i++) {
    float cost = 0.25f * (float)costs[i] + c->modes.bits[i] * c->bitCost;
    if (cost >= lowest) continue;
    lowest = cost;
    *mode = c->modes.modes[i];
  }
  return lowest;
}

/// Chooses blocks and modes of the 32 × 32 samples at `x`, `y`. Smaller blocks must gain more than the
/// costs say: they have smaller transforms of chroma, and more of everything that is not counted here.
CK_BODY void chooseTree(
    const treeChoice *c, const lumaSource *luma, int64_t x, int64_t y, blockTree *tree) {
  static const float gain16 = 1.06f, gain8 = 1.1f;
  spectrum s;
  measure(luma, x, y, &s);
  float split = c->bitCost;
  for (int n = 0; n < 4; n++) {
    int column = 2 * (n & 1), row = n & 2;
    float cost = cheapest(c, luma, &s, x, y, column, row, 4, &tree->quarters[n]), parts = c->bitCost;
    for (int i = 0; i < 4; i++) {
      parts += cheapest(
          c, luma, &s, x, y, column + (i & 1), row + (i >> 1), 3, &tree->eighths[4 * n + i]);
    }
    if (parts * gain8 < cost) {
      cost = parts;
      tree->quarters[n] = SPLIT_BLOCK;
    }
    split += cost;
  }
  float cost = cheapest(c, luma, &s, x, y, 0, 0, 5, &tree->whole);
  if (split * gain16 < cost) tree->whole = SPLIT_BLOCK;
}
