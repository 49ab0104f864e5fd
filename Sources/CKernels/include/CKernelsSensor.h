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

/// Blocks of 8 × 8 at every fourth column, in cells of eight columns. A vector is the same column of as many cells as
/// it has lanes, and of n vectors for each column lane l has the cells from l · n on: so the cell beside that of a
/// lane is in the same lane of the next vector. A row of samples is the eight columns of the first cells, then those
/// of the cells beside them …. Blocks of phase 0 and 1 begin four columns apart. Rings have row y at y modulo their
/// number of rows.
typedef struct ck_cellBlocks {
  /// Of a row.
  int64_t cells;
  /// Samples from one row to the next: at least those of the cells, rounded up to sixteen.
  int64_t stride;
  /// Rings of 16 rows: the plane, and what it is without noise by the first pass.
  const float *source, *pilot;
  /// Four rows each and their weights, which rows of blocks leave for the next; zero in the beginning.
  float *carry, *wienerCarry;
  /// Of the 64 coefficients of a block: threshold of the square, noise of the Wiener filter, variance.
  const float *limits, *wienerNoise, *variances;
  /// Of the eight samples of an axis.
  const float *window;
} ck_cellBlocks;
/// A row of samples to cells; lanes without cells become zero.
void ck_toCells(const float *samples, int64_t cells, float *row);
/// Cells `begin` to `end` of a row to samples.
void ck_fromCells(const float *row, int64_t cells, int64_t begin, int64_t end, float *samples);
/// Drops coefficients within their limits, of the blocks at rows `y` to `y` + 7 and of the `phases`, one bit each.
/// Rows `y` to `y` + 3 of `rows`, a ring of `ring` rows, become the weighted means with the row of blocks before.
void ck_thresholdCells(
    const ck_cellBlocks *blocks, int phases, int64_t y, float *rows, int64_t ring);
/// The same by the Wiener filter that `pilot` allows, of blocks that begin two columns later.
void ck_filterCells(
    const ck_cellBlocks *blocks, int phases, int64_t y, float *rows, int64_t ring);

/// The bias of a channel by the mean: `count` segments of four floats (the mean at which a segment begins, one
/// over its length, the bias that it adds, nothing); `last` from `end` on. See InverseBias.swift.
typedef struct ck_inverseBias {
  const float *segments;
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
CK_MARGIN(ck_loadNoiseColors, 0, 15);
/// Denoised luma and color as linear RGB; near saturation what was `stored`.
void ck_finishNoise(
    const ck_noiseInverse *inverse, ck_threeRows smoothed, ck_threeRows stored, ck_threeRows out,
    int64_t count);
CK_MARGIN(ck_finishNoise, 0, 15);

/// Means of 2 × 2 samples.
void ck_halveRow(const float *top, const float *bottom, float *out, int64_t count);
CK_MARGIN(ck_halveRow, 0, 30);
/// 2 · `count` samples between those of the row `near` and, a third as much, of `far`, both from one sample
/// before; `line` is scratch memory for `count` + 18 samples.
void ck_enlargeRow(
    const float *near, const float *far, float *line, float *out, int64_t count);
CK_MARGIN(ck_enlargeRow, 0, 17);
/// The same, plus `base`.
void ck_addEnlargedRow(
    const float *near, const float *far, float *line, const float *base, float *out,
    int64_t count);
CK_MARGIN(ck_addEnlargedRow, 0, 17);
/// `a` − `b`.
void ck_subtractRow(const float *a, const float *b, float *out, int64_t count);
CK_MARGIN(ck_subtractRow, 0, 15);

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
CK_MARGIN(ck_moirePatterns, 2, 9);
/// Where false color is, 0...1, by what `ck_moirePatterns` found two rows and columns around.
void ck_moireMask(
    const float *luma, int64_t lumaStride, const float *pattern, const float *color,
    int64_t stride, float noise, float *out, int64_t count);
CK_MARGIN(ck_moireMask, 4, 11);
/// Color averaged over 5 × 5 by the likeness of luma.
void ck_moireAverage(
    ck_threeRows planes, int64_t stride, float perSoftness, float *u, float *v, int64_t count);
CK_MARGIN(ck_moireAverage, 2, 9);
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
CK_MARGIN(ck_limitSpecks, 2, 9);
