// Loops of the demosaic of four colors, each over a row. Part of CKernelsSensor.h. A row of sites has every other
// column of the mosaic; see GreenEquilibration.swift and FourColorDemosaic.swift.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// Every other sample of a row, from the second on if `odd` is 1.
void ck_takeColumns(const float *row, int64_t odd, float *out, int64_t count);
CK_MARGIN(ck_takeColumns, 0, 14);
/// Differences of each site to the four nearest of its color, two rows away and beside it.
void ck_siteVariation(const float *row, int64_t stride, float *out, int64_t count);
CK_MARGIN(ck_siteVariation, 1, 8);
/// Sums over every other row, from `farthest` above to as far below, the outer ones by half if that is even.
void ck_sumSiteRows(
    const float *row, int64_t stride, int64_t farthest, float *out, int64_t count);

/// Sums over rows, from the site on that is the first of the result: of the row's color and of the other, over
/// seventeen rows, over five, and of their variation over five.
typedef struct ck_siteSums {
  const float *own, *other, *nearOwn, *nearOther, *detailOwn, *detailOther;
  /// What the sums of both colors are raised by, and the smallest ratio.
  float lift, nearLift, minRatio;
  /// Whether the row's color is the first of the pair.
  _Bool isFirst;
} ck_siteSums;
/// ρ of `count` photosites; `odd`: 1 when the row's color is in odd columns.
void ck_siteRatios(const ck_siteSums *sums, int64_t odd, float *out, int64_t count);
CK_MARGIN(ck_siteRatios, 4, 15);

/// The offset of sums and ratios, and three rows of four weights.
typedef struct ck_fourColors {
  float offset;
  float matrix[12];
} ck_fourColors;
/// Makes three colors, the second of the pair being the first over `ratio`, in place.
void ck_reduceFourColors(
    const ck_fourColors *colors, const float *ratio, ck_threeRows rows, int64_t count);
