// The loops of RawSensor: noise reduction, demosaic, levels. Included by CKernels.h. The Swift file of
// the same name as the C file says what each computes.
#pragma once
#include "AnscombeTransform.h"
#include "CKernelsBayer.h"
#include "CKernelsFourColor.h"
#include "CKernelsLateral.h"
#include "CKernelsLevels.h"
#include "CKernelsRows.h"
#include "CKernelsXTrans.h"
#include "CosineTransform.h"

/// One row of overlapping blocks, two columns apart, and the rows of the result that they overlap. A row of
/// coefficients or sums is `half` samples of even columns, then as many of odd; a row of the result
/// 2 · `half` samples, row y at y modulo 8.
typedef struct ck_blockRow {
  /// Eight rows each; all `sums` and `weights` are zero between rows of blocks.
  float *coefficients, *sums;
  /// One row, which all rows of a block share.
  float *weights;
  /// Eight rows each.
  float *results, *resultWeights;
  /// Of the 64 coefficients of a block: threshold of the square, variance of the noise.
  const float *limits, *variances;
  /// Of the eight samples of an axis.
  const float *window;
  int64_t half;
  /// Eight blocks each, 16 columns.
  int64_t groups;
} ck_blockRow;
/// Eight rows one below the other, wherever they are in memory.
typedef struct ck_eightRows {
  const float *row[8];
} ck_eightRows;
/// Transforms columns of eight rows of samples to `coefficients`.
void ck_transformColumns(const ck_blockRow *blocks, ck_eightRows samples);
/// Transforms rows, drops coefficients within their limits, adds the others, transformed back, to `sums`.
void ck_thresholdBlocks(const ck_blockRow *blocks);
/// Adds the sums, transformed back along columns, to the results of rows `y` to `y` + 7; clears them.
void ck_restoreColumns(const ck_blockRow *blocks, int64_t y);
/// Writes `sums` / `weights` to `out`.
void ck_weightedMeans(const float *sums, const float *weights, float *out, int64_t count);

/// Blocks of 8 × 8 at every fourth column, in cells: of a row of samples, array n holds column n of each cell of
/// eight columns, `length` apart from the next; so the same sample of eight blocks is a vector. Blocks of phase 0
/// and 1 begin four columns apart. Rows of samples are rings of 16, row y at y modulo 16. All arrays may be
/// read and written from one sample before them to the end of the last group and eight further.
typedef struct ck_cellBlocks {
  int64_t length;
  /// Eight cells each.
  int64_t groups;
  /// Eight rows each, transformed along columns: of the plane, and of what it is without noise by the first pass.
  float *coefficients, *pilot;
  /// Of each phase: eight rows of eight arrays, by the column of the block; and the weights of the blocks.
  float *sums[2], *weights[2];
  /// Of the 64 coefficients of a block: threshold of the square, noise of the Wiener filter, variance.
  const float *limits, *wienerNoise, *variances;
  /// Of the eight samples of an axis.
  const float *window;
} ck_cellBlocks;
/// A row of samples to cells; zeros fill the last group.
void ck_toCells(const float *samples, int64_t cells, float *out, int64_t length);
void ck_fromCells(const float *in, int64_t length, int64_t cells, float *samples);
/// Transforms columns of rows `y` to `y` + 7 of a ring to `out`.
void ck_transformCells(const ck_cellBlocks *blocks, const float *rows, int64_t y, float *out);
/// Of the `phases`, one bit each: drops coefficients within their limits, stores the others as sums, transformed
/// back along rows.
void ck_thresholdCells(const ck_cellBlocks *blocks, int phases);
/// The Wiener filter by `pilot`, of blocks that begin two columns later, as sums.
void ck_filterCells(const ck_cellBlocks *blocks, int phases);
/// Transforms sums of blocks at column `x` of their cells back along columns. Rows `y` to `y` + 3 of the ring become
/// the weighted means with the row of blocks before; `carry` holds four rows and their weights for the next.
void ck_restoreCells(
    const ck_cellBlocks *blocks, int x, int phases, float *carry, float *rows, int64_t y);

/// The bias of a channel by the mean: `count` pieces of four floats (the mean at which a piece begins, one
/// over its length, the bias that it adds, nothing); `last` from `end` on. See InverseBias.swift.
typedef struct ck_inverseBias {
  const float *pieces;
  int64_t count;
  float end, last;
} ck_inverseBias;
/// The way from the scale of noise back to linear RGB.
typedef struct ck_noiseInverse {
  ck_anscombe scale;
  ck_inverseBias bias[3];
  float removedFraction;
  ck_threeValues perSaturation;
} ck_noiseInverse;
/// Linear RGB as luma and color differences on the scale of noise.
void ck_loadNoiseColors(
    ck_anscombe scale, ck_threeRows source, ck_threeRows out, int64_t count);
/// Denoised luma and color as linear RGB; near saturation what was `stored`.
void ck_finishNoise(
    const ck_noiseInverse *inverse, ck_threeRows smoothed, ck_threeRows stored, ck_threeRows out,
    int64_t count);

/// Means of 2 × 2 samples.
void ck_halveRow(const float *top, const float *bottom, float *out, int64_t count);
/// 2 · `count` samples between those of the row `near` and, a third as much, of `far`, both from one sample
/// before; `line` is scratch memory for `count` + 10 samples.
void ck_enlargeRow(
    const float *near, const float *far, float *line, float *out, int64_t count);
/// The same, plus `base`.
void ck_addEnlargedRow(
    const float *near, const float *far, float *line, const float *base, float *out,
    int64_t count);
/// `a` − `b`.
void ck_subtractRow(const float *a, const float *b, float *out, int64_t count);

/// (RGB − `mean`) / `deviation` as luma and color differences.
void ck_loadEvenColors(
    ck_threeRows source, float mean, float deviation, ck_threeRows out, int64_t count);
/// Adds to `power` the squares of the 64 coefficients of blocks at each column but the last eight, `count` of
/// which is a multiple of eight: eight sums each, of columns 0...7 modulo 8. `rows` is scratch memory for
/// 8 · `count` samples.
void ck_addBlockPowers(
    const float *samples, int64_t stride, float *rows, int64_t count, float *power);

/// What false color is replaced by, and where it is not.
typedef struct ck_moire {
  ck_anscombe scale;
  ck_threeValues perSaturation;
  float amount;
} ck_moire;
/// How much luma alternates, and how much color varies, around each pixel; reads two rows and columns around.
void ck_moirePatterns(
    ck_threeRows planes, int64_t stride, float *pattern, float *color, int64_t count);
/// Where false color is, 0...1, by what `ck_moirePatterns` found two rows and columns around.
void ck_moireMask(
    const float *luma, int64_t lumaStride, const float *pattern, const float *color,
    int64_t stride, float noise, float *out, int64_t count);
/// Color averaged over 5 × 5 by the likeness of luma.
void ck_moireAverage(
    ck_threeRows planes, int64_t stride, float perSoftness, float *u, float *v, int64_t count);
/// Blends color with `wide`, of which luma is not used, by `mask`.
void ck_finishMoire(
    const ck_moire *settings, ck_threeRows now, ck_threeRows wide, const float *mask,
    ck_threeRows stored, ck_threeRows out, int64_t count);

/// The noise of a channel, how many of its deviations a pixel may stand out, and where it saturates.
typedef struct ck_speckLimits {
  float shot, read, deviations, saturation;
} ck_speckLimits;
/// Limits each sample to the range of the ring of sixteen around it.
void ck_limitSpecks(
    const ck_speckLimits *limits, const float *plane, int64_t stride, float *out, int64_t count);
