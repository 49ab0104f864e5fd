// Coding of rows of 64 samples of an intra picture of AV1, compiled for one set of instructions.
//
// A block is 32, 16 or 8 samples a side and has one prediction mode and one transform for each
// component, of the block's own size. Chroma is predicted as luma is. No filter reaches prediction, so
// samples are those that a decoder has before its filters.
#include "AV1Analysis.h"
#include "AV1Coefficients.h"
#include "AV1Residual.h"

/// Class of a mode as a context (Intra_Mode_Context).
CK_BODY int modeClass(int mode) { return mode == VERTICAL ? 1 : mode == HORIZONTAL ? 2 : 0; }

/// Codes how the samples of 2^log2 a side at `x`, `y` are divided: not at all, or into four.
static void codePartition(ck_av1Tile *t, int64_t x, int64_t y, int log2, _Bool isSplit) {
  ck_av1State *s = t->state;
  int64_t half = 1 << (log2 - 1);
  _Bool hasRows = y + half < t->height, hasColumns = x + half < t->width;
  if (!hasRows && !hasColumns) return;
  int isAboveSmaller = s->aboveSizes[x / 8] < log2, isLeftSmaller = s->leftSizes[(y & 63) / 8] < log2;
  int context = 2 * isLeftSmaller + isAboveSmaller;
  engine e = s->coder;
  if (log2 == 3) {
    codeSmall(&e, &s->d, PARTITION_8 + context, isSplit ? 3 : 0, 4);
  } else if (hasRows && hasColumns) {
    codeLarge(&e, &s->d, PARTITION + 4 * (log2 - 4) + context, isSplit ? 3 : 0, 10);
  } else {
    // Of what the distribution holds, only division into four and in two halves is left.
    const uint16_t *f = (const uint16_t *)(s->d.large + PARTITION + 4 * (log2 - 4) + context);
#define PART(n) (f[(n) - 1] - f[n])
    int four = hasColumns ? PART(2) + PART(3) + PART(4) + PART(6) + PART(7) + PART(9)
                          : PART(1) + PART(3) + PART(4) + PART(5) + PART(6) + PART(8);
#undef PART
    codeFixed(&e, 1, (uint32_t)four);
  }
  s->coder = e;
}

/// Contexts from the transform blocks above and left of one in `plane`: how many of the two sides have
/// coefficients, and the sum of the signs of their first ones.
CK_BODY int neighborsWithLevels(const uint8_t *above, const uint8_t *left, int count, int *signs) {
  int isAbove = 0, isLeft = 0, sum = 0;
  for (int i = 0; i < count; i++) {
    isAbove |= above[i], isLeft |= left[i];
    sum += (above[i] >> 7) - (above[i] >> 6 & 1) + (left[i] >> 7) - (left[i] >> 6 & 1);
  }
  *signs = sum < 0 ? 1 : sum > 0 ? 2 : 0;
  return (isAbove != 0) + (isLeft != 0);
}

/// Codes the block of 2^log2 samples at `x`, `y`.
static void codeBlock(ck_av1Tile *t, int64_t x, int64_t y, int log2, int mode) {
  ck_av1State *s = t->state;
  int64_t column = x / 8, row = (y & 63) / 8;
  uint64_t units = 1u << (log2 - 3);
  _Bool isEmpty = 1;
  for (int plane = 0; plane < t->planeCount; plane++) {
    int shift = plane > 0 ? t->chromaShift : 0;
    makeBlock(t, plane, x >> shift, y >> shift, log2 - shift, mode, s->blocks + plane);
    isEmpty &= s->blocks[plane].last < 0;
  }
  engine e = s->coder;
  codeSmall(&e, &s->d, SKIP + s->aboveSkips[column] + s->leftSkips[row], isEmpty, 2);
  int classes = 5 * modeClass(s->aboveModes[column]) + modeClass(s->leftModes[row]);
  codeLarge(&e, &s->d, LUMA_MODE + classes, mode, 13);
  _Bool isDirectional = mode == VERTICAL || mode == HORIZONTAL;
  if (isDirectional) codeSmall(&e, &s->d, ANGLE + mode - 1, 3, 7);
  if (t->planeCount > 1) {
    codeLarge(&e, &s->d, CHROMA_MODE_1 + mode, mode, 14);
    if (isDirectional) codeSmall(&e, &s->d, ANGLE + mode - 1, 3, 7);
  }
  __builtin_memset(s->aboveSizes + column, log2, units);
  __builtin_memset(s->leftSizes + row, log2, units);
  __builtin_memset(s->aboveModes + column, mode, units);
  __builtin_memset(s->leftModes + row, mode, units);
  __builtin_memset(s->aboveSkips + column, isEmpty, units);
  __builtin_memset(s->leftSkips + row, isEmpty, units);
  for (int plane = 0; plane < t->planeCount; plane++) {
    int shift = plane > 0 ? t->chromaShift : 0, size = log2 - shift, count = 1 << (size - 2);
    uint8_t *above = s->aboveLevels[plane] + (x >> shift) / 4;
    uint8_t *left = s->leftLevels[plane] + ((y & 63) >> shift) / 4;
    const block *b = s->blocks + plane;
    int signs, coded = neighborsWithLevels(above, left, count, &signs), levels = 0;
    if (!isEmpty) {
      codeSmall(&e, &s->d, ALL_ZERO + 13 * (size - 2) + (plane > 0 ? 7 + coded : 0), b->last < 0, 2);
    }
    if (b->last >= 0) {
      if (plane == 0 && size < 5) {
        int kind = mode == DC ? 1 : mode == VERTICAL ? 3 : mode == HORIZONTAL ? 4 : 2;
        codeSmall(&e, &s->d, TRANSFORM_TYPE + 13 * (size - 2) + mode, kind, 5);
      }
      codeLevels(&e, &s->d, s->orders + size - 2, b, size, plane > 0, signs);
      levels = b->sum;
      if (b->sizes[size - 2][0] > 0) levels |= b->levels[0] < 0 ? 64 : 128;
    }
    __builtin_memset(above, levels, (uint64_t)count);
    __builtin_memset(left, levels, (uint64_t)count);
  }
  s->coder = e;
}

/// Codes what lies inside the tile of the 32 × 32 samples at `x`, `y`.
static void codeTree(ck_av1Tile *t, int64_t x, int64_t y) {
  blockTree tree;
  analyze(t, x, y, &tree);
  _Bool isSplit = tree.whole == SPLIT_BLOCK || x + 32 > t->width || y + 32 > t->height;
  codePartition(t, x, y, 5, isSplit);
  if (!isSplit) codeBlock(t, x, y, 5, tree.whole);
  for (int n = 0; isSplit && n < 4; n++) {
    int64_t left = x + 16 * (n & 1), top = y + 16 * (n >> 1);
    if (left >= t->width || top >= t->height) continue;
    _Bool isQuarterSplit =
        tree.quarters[n] == SPLIT_BLOCK || left + 16 > t->width || top + 16 > t->height;
    codePartition(t, left, top, 4, isQuarterSplit);
    if (!isQuarterSplit) codeBlock(t, left, top, 4, tree.quarters[n]);
    for (int i = 0; isQuarterSplit && i < 4; i++) {
      int64_t eighthX = left + 8 * (i & 1), eighthY = top + 8 * (i >> 1);
      if (eighthX >= t->width || eighthY >= t->height) continue;
      codePartition(t, eighthX, eighthY, 3, 0);
      codeBlock(t, eighthX, eighthY, 3, tree.eighths[4 * n + i]);
    }
  }
}

CK_KERNEL(ck_av1Row, (ck_av1Tile *t, int64_t y), (t, y)) {
  ck_av1State *s = t->state;
  s->coder.out = t->out;
  __builtin_memset(s->leftSizes, 7, sizeof s->leftSizes);
  __builtin_memset(s->leftModes, 0, sizeof s->leftModes);
  __builtin_memset(s->leftSkips, 0, sizeof s->leftSkips);
  __builtin_memset(s->leftLevels, 0, sizeof s->leftLevels);
  for (int64_t x = 0; x < t->width; x += 64) {
    if (x % 512 == 0) ck_av1MakeThresholds(s);
    codePartition(t, x, y, 6, 1);
    for (int n = 0; n < 4; n++) {
      int64_t left = x + 32 * (n & 1), top = y + 32 * (n >> 1);
      if (left < t->width && top < t->height) codeTree(t, left, top);
    }
  }
  t->out = s->coder.out;
}
