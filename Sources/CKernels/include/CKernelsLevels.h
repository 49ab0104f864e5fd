// Loops over stored samples and the balanced mosaic before the demosaic: levels, defects, highlights, extrema.
// Part of CKernelsSensor.h. Nothing behind `count` is read or written where this is said.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// How stored samples of a row become linear values, (sample − `black` − `delta`) · gain: `gains` of each column,
/// or `gain` of all where that is null. Samples are `step` apart.
typedef struct ck_levelRow {
  const float *black;
  float delta;
  const float *gains;
  float gain;
  int64_t step;
} ck_levelRow;
/// Balanced values of counts; nothing behind `count`.
void ck_balanceCounts(
    const ck_levelRow *row, const uint16_t *samples, float *out, int64_t count);
/// Balanced values of counts by a `curve`, which replaces black and delta; nothing behind `count`.
void ck_balanceByCurve(
    const ck_levelRow *row, const float *curve, const uint16_t *samples, float *out,
    int64_t count);
/// Balanced values of floats, 0 for NaN, at most `largest` in magnitude; nothing behind `count`.
void ck_balanceFloats(
    const ck_levelRow *row, float largest, const float *samples, float *out, int64_t count);
/// Balanced values of counts of three samples each; `rows`: levels of each. Nothing behind `count`.
void ck_balancePixels(
    const ck_levelRow *rows, const uint16_t *samples, ck_threeRows out, int64_t count);

/// Of one sample of some pixels: the smallest, the largest, and how many reach a limit.
typedef struct ck_pixelRange {
  uint16_t low, high;
  int64_t reached;
} ck_pixelRange;
/// Those of each of three samples of a block of `pixels` columns, rows `stride` samples apart; at most 65535
/// times 16 pixels.
void ck_pixelRanges(
    const uint16_t *samples, int64_t stride, int64_t pixels, int64_t rows, const uint16_t *limits,
    ck_pixelRange *ranges);

/// The smallest and the largest count of a photosite of the pattern.
typedef struct ck_siteRange {
  uint16_t low, high;
} ck_siteRange;
/// Those of the four of a mosaic of two by two, row by row, in a block of it, rows `stride` samples apart.
void ck_mosaicRanges(
    const uint16_t *samples, int64_t stride, int64_t columns, int64_t rows, ck_siteRange *ranges);

/// Smallest and largest of each `block` of the `count` samples of a row, of even and odd columns modulo 8:
/// sixteen numbers a block. Nothing behind `count` counts.
void ck_blockRanges(const float *row, int64_t count, int64_t block, float *ranges);
/// Whether any of `count` samples has reached its clip level, 1 or 0; nothing behind counts.
void ck_anySaturated(const float *row, const float *clip, int64_t count, int32_t *any);
/// The columns, whole vectors of eight, between which samples have reached their clip level; none: `end` is 0.
void ck_saturatedSpan(
    const float *row, const float *clip, int64_t count, int64_t *start, int64_t *end);
/// The first vector from `x` on, of eight and before `end`, with a sample at its clip level or below `minimum`;
/// `end` or more where there is none.
void ck_nextUnusual(
    const float *row, const float *clip, float minimum, int64_t x, int64_t end, int64_t *found);
/// 1 at 0.9 of the clip level, 0 from that on.
void ck_clipEvidence(const float *row, const float *clip, float *out, int64_t count);

/// `colors` of cells beside one saturated channel and beside the second, and the linear values where all channels are
/// saturated (NULL if unknown): four numbers each, `columns` × `rows`; sides of a cell in photosites; gains to the white
/// in use, levels under it from which channels are saturated, and the factor of the distance of a fit below them; the
/// maximum result, the weight of the photosite itself, the costs of the fit, of gloss with two unsaturated channels and
/// with one. Evidence is multiplied by `fading`, up to 1; a value relative to the photosite's has the weight `nearness`
/// times itself minus `darker`, from `minLikeness` to 1; the remaining fraction of evidence is multiplied by `trust`, and
/// the distance of a value beyond a level by `beyond`. `masks` of each of `channels`: 1 where a photosite has its filter,
/// else 0, `maskRows` rows of `maskStride` from column 0. `channelsOfRows`: for each of these rows a bit for each channel
/// in it. `isBayer`: whether channel 1 is on one diagonal of each 2 × 2, the other two on the other.
typedef struct ck_guidedHighlights {
  const float *colors[2], *allSaturated, *masks[4];
  const uint8_t *channelsOfRows;
  int64_t isBayer;
  int64_t columns, rows;
  float cellWidth, cellHeight;
  int64_t channels, maskRows, maskStride;
  float gains[4], clip[4], shortBy[4];
  float maximum, own, colorCost, glossCosts[2], fading;
  float nearness, darker, minLikeness, trust, beyond;
} ck_guidedHighlights;
/// A row of the mosaic, the evidence of its photosites and of those around, and their clip levels.
typedef struct ck_highlightRow {
  const float *values, *evidence, *clip;
  int64_t stride, evidenceStride;
} ck_highlightRow;
/// Saturated photosites of the columns `from`..<`end`, whole vectors of eight, of a row whose first is at `x`, `y`,
/// rebuilt; the others of a vector that has one are copied.
void ck_guideHighlights(
    const ck_guidedHighlights *settings, const ck_highlightRow *row, int64_t x, int64_t y,
    int64_t from, int64_t end, float *out);

/// What makes a photosite a suspect: standing out of the second largest and smallest of its neighbors by more than
/// `deviations` of noise, and `spreads` of what their distance exceeds `noise` deviations by.
typedef struct ck_outlierLimits {
  float deviations, spreads, noise;
} ck_outlierLimits;
/// The first vector from `x` on, of eight and before `end`, with a suspect among eight neighbors two rows and
/// columns away by the noise of each photosite, variance per unit and at black; and by how much each of its samples is
/// above the limit; `end` or more where there is none.
void ck_nextOutliers(
    ck_outlierLimits limits, const float *shot, const float *read, const float *row,
    const float *above, const float *below, int64_t x, int64_t end, float *over, int64_t *found);
CK_MARGIN(ck_nextOutliers, 2, 17);
/// Widest pattern, and lanes of a row of it that a vector begins in any column of.
enum { ck_maxColumns = 8, ck_columnLanes = 16 };
/// Where a photosite is, from another.
typedef struct ck_neighbor {
  int32_t dx, dy;
} ck_neighbor;
/// Four neighbors for each of the `period` columns of a pattern; and which of as many `columns` lanes are each
/// column of it, all ones, the first of which is column 0.
typedef struct ck_neighborPattern {
  const ck_neighbor *near;
  const int32_t *columns;
  int64_t period;
} ck_neighborPattern;
/// The same by the four neighbors of a pattern; `column` of that is column `x`.
void ck_nextPatternOutliers(
    ck_outlierLimits limits, const float *shot, const float *read, const float *row,
    ck_neighborPattern pattern, int64_t stride, int64_t column, int64_t x, int64_t end,
    float *over, int64_t *found);

/// Where channels of pixels saturate, both under the white in use, the gains to it, what all become, and how much
/// of the level the start of the change and the trace of neutral are.
typedef struct ck_linearHighlights {
  ck_threeValues clip, gains;
  float ceiling, start, trace;
} ck_linearHighlights;
/// Reconstructs saturated channels in place.
void ck_rebuildLinear(
    const ck_linearHighlights *settings, ck_threeRows rows, int64_t count);

/// Green, red or blue of 2 × 2 photosites: the mean of the greens, `topEven` 1 where one is in even columns of
/// `top`, and the others.
void ck_reduceBayer(
    const float *top, const float *bottom, int64_t topEven, float *green, float *topChroma,
    float *bottomChroma, int64_t count);
CK_MARGIN(ck_reduceBayer, 0, 14);
/// The mean of each channel in blocks of 3 × 3 photosites; `channels` of the sites of a block in an even and in an
/// odd column, nine each. `count` is a multiple of 16.
void ck_reduceXTrans(
    const float *top, int64_t stride, const int64_t *channels, ck_threeRows out, int64_t count);
CK_MARGIN(ck_reduceXTrans, 0, 2);
