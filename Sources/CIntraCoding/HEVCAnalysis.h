// Sizes of coding units and their prediction modes, from the picture itself (IntraTree.h).
//
// Neighbors are taken unfiltered: that chooses no worse.
#pragma once
#include "HEVCPrediction.h"
#include "IntraTree.h"

/// Coefficients of a ramp of eight samples that begins at `first` and rises by one.
CK_BODY cv_i8 ramp(int first) { return (cv_i8){8 * first + 28, -4, -8, 0, -16, 0, 0, 0}; }

CK_BODY void unitCosts(
    const void *coder, const lumaSource *luma, const spectrum *s, int64_t x, int64_t y, int column,
    int row, int log2, int costs[4]) {
  const ck_hevcPicture *p = coder;
  int units = 1 << (log2 - 3), side = 1 << log2;
  int64_t left = x + 8 * column, top = y + 8 * row;
  int flat = flatCoefficient(s, column, row, units);
  int toRight = hasAboveRight(p, left, top, side) ? side : side - 1;
  int toBottom = hasBelowLeft(left, top, side) ? side : side - 1;
  int right = sourceAt(luma, left + toRight, top - 1);
  int bottom = sourceAt(luma, left - 1, top + toBottom);
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
}

/// Chooses units and modes of the coding tree unit at `x`, `y`.
static void analyze(const ck_hevcPicture *p, int64_t x, int64_t y, blockTree *tree) {
  lumaSource luma = {p->planes->source, p->planes->sourceStride, p->sourceShift, p->depth};
  treeChoice choice = {
    p, unitCosts, {{PLANAR, DC, ALONG_ROWS, ALONG_COLUMNS}, {2.5f, 2.5f, 6, 2.5f}}, p->bitCost};
  chooseTree(&choice, &luma, x, y, tree);
}
