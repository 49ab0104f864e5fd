// Loops of LateralMosaic, LateralWindows and LateralComparison. Part of CKernelsSensor.h. Rows are of the roots of the mosaic.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// Roots of a row of the mosaic from an even column on, those of green in a row of their own. `isGreenFirst` here and
/// below: whether even columns of the row are green. `count` of each.
void ck_lateralRoots(
    const float *mosaic, float offset, int64_t isGreenFirst, float *greens, float *others, int64_t count);
CK_MARGIN(ck_lateralRoots, 0, 30);
/// Steps of green at the others, along rows and along columns; two greens on both sides and three rows around are read.
void ck_lateralSteps(
    const float *greens, int64_t stride, int64_t isGreenFirst, float *across, float *down, int64_t count);
CK_MARGIN(ck_lateralSteps, 2, 17);
/// Green at all photosites, twice `count`. The same is read, and steps one around.
void ck_lateralGreen(
    const float *greens, int64_t stride, const float *across, const float *down,
    int64_t stepStride, int64_t isGreenFirst, float *out, int64_t count);
CK_MARGIN(ck_lateralGreen, 2, 30);

/// The first of four rows and columns from which a block of 16 columns is interpolated, and their weights.
typedef struct ck_lateralTaps {
  int64_t across, down;
  float acrossWeights[4], downWeights[4];
} ck_lateralTaps;
/// Eight differences a block of a color, whose photosites are `others` and every second of `green`, the first
/// included.
void ck_lateralDifferences(
    const ck_lateralTaps *taps, const float *green, int64_t stride, const float *others,
    float *out, int64_t blocks);
/// Eight values a block of that color, in every second of `out`.
void ck_lateralValues(
    const ck_lateralTaps *taps, const float *differences, int64_t stride, const float *green,
    float offset, float *out, int64_t blocks);

/// Roots of values, negative ones 0, plus `floor`.
void ck_windowRoots(const float *values, float floor, float *out, int64_t count);
/// The sum of squared steps to the right and down over `side`² samples; one more column and row are read.
void ck_windowEdges(const float *roots, int64_t stride, int64_t side, float *sum);
CK_MARGIN(ck_windowEdges, 0, 8);
/// Such roots of `side`² values, 32² at most, smoothed by (1, 2, 1)/4 along both axes, packed; those at the borders lack
/// a neighbor. Eight samples more may be written.
void ck_smoothWindow(const float *values, int64_t stride, float floor, int64_t side, float *out);
CK_MARGIN(ck_smoothWindow, 0, 8);

/// Sums over a window: products of green and another color less their means; the mean gradient along rows and columns
/// and its products, those with what remains of the color, and the square of that.
typedef struct ck_lateralSums {
  float gg, rr, gr, x, y, xx, xy, yy, xe, ye, ee;
} ck_lateralSums;
/// Compares `side`² samples, 14² at most, of `green` with those of `other` read by `taps`; both begin at the window's
/// first sample and hold at least six around it and eight behind it, all finite.
void ck_compareLateral(
    const ck_lateralTaps *taps, const float *green, const float *other, int64_t stride, int64_t side,
    ck_lateralSums *sums);
