// Sizes of blocks and their prediction modes, from the picture itself (IntraTree.h).
#pragma once
#include "AV1Prediction.h"
#include "IntraTree.h"

CK_BODY void blockCosts(
    const void *coder, const lumaSource *luma, const spectrum *s, int64_t x, int64_t y, int column,
    int row, int log2, int costs[4]) {
  const ck_av1Tile *t = coder;
  int units = 1 << (log2 - 3), side = 1 << log2;
  int64_t left = x + 8 * column, top = y + 8 * row;
  int flat = flatCoefficient(s, column, row, units);
  int right = sourceAt(luma, left + side - 1, top - 1);
  int bottom = sourceAt(luma, left - 1, top + side - 1);
  const int32_t(*weights)[8] = t->state->weights + units - 1;
  cv_i8 ones = {2048};
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
}

/// Chooses blocks and modes of the 32 × 32 samples at `x`, `y`.
static void analyze(const ck_av1Tile *t, int64_t x, int64_t y, blockTree *tree) {
  int excess = t->depth > 10 ? t->depth - 10 : 0;
  lumaSource luma = {
    t->planes->source, t->planes->sourceStride, t->sourceShift + excess, t->depth - excess};
  treeChoice choice = {
    t, blockCosts, {{SMOOTH, DC, HORIZONTAL, VERTICAL}, {2.5f, 1.5f, 3, 3}}, t->bitCost};
  chooseTree(&choice, &luma, x, y, tree);
}
