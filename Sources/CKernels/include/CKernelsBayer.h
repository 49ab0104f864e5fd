// Loops of the demosaic of Bayer mosaics, each over one row, in the order in which they are needed. Part of
// CKernelsSensor.h.
//
// A row is split into halves: its green photosites, and those of its chroma (red or blue). `shift` is 1 when
// the chroma of the row is in odd columns, else 0; `count` is the length of a half. See
// RatioCorrectedDemosaic.swift.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// Rows of which memory holds the last: row y is `stride` · (y modulo this) behind the first.
enum { ck_ringRows = 16 };

/// A quantity of both halves.
typedef struct ck_halfRows {
  float *green, *chroma;
} ck_halfRows;

/// The last rows of all intermediate planes; RatioCorrectedRows.swift says what they hold.
typedef struct ck_bayerRows {
  int64_t stride;
  ck_halfRows mosaic;
  ck_halfRows vertical, horizontal;
  float *falling, *rising;
  ck_halfRows direction;
  float *diagonal, *lowPass;
  float *greenAtChroma, *oppositeAtChroma, *ownAtGreen, *oppositeAtGreen;
  // For the best quality.
  ck_halfRows along, alongVariation, down, downVariation;
  float *rowWeight, *columnWeight, *ownColumns, *betweenColumns;
  // For the dual demosaic.
  float *activity, *activitySums, *blendedGreen, *blendedOpposite;
} ck_bayerRows;
/// Of all kernels that are given them.
CK_MARGIN(ck_bayerRows, 16, 16);

/// Splits a row of linear samples.
void ck_splitBayerRow(
    const ck_bayerRows *rows, int64_t y, int64_t shift, ck_demosaicScale scale,
    const float *source, int64_t count);
CK_MARGIN(ck_splitBayerRow, 0, 30);
/// lpf at chroma photosites; reads one row on.
void ck_lowPass(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// Squared high-pass along columns and diagonals; reads three rows on.
void ck_highPass(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// VH_Dir of both halves, PQ_Dir of chroma; reads one row on.
void ck_directions(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// Step 3; reads low-pass two rows on, photosites four.
void ck_greenAtChroma(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// Step 4, the chroma that a chroma photosite lacks; reads green two rows on.
void ck_oppositeAtChroma(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// Step 4, both chromas of green photosites; reads the opposite chroma three rows on.
void ck_chromaAtGreen(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// Interleaves two halves and returns them to the linear scale: `count` samples of a row.
void ck_joinBayerRow(
    ck_demosaicScale scale, const float *even, const float *odd, float *out, int64_t count);
CK_MARGIN(ck_joinBayerRow, 0, 15);

/// DirectionalDifference.c, step 1; reads two rows on.
void ck_differences(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// The variation of the differences between neighbors; reads one row on.
void ck_variations(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// The weights of the differences around chroma photosites; reads two rows on.
void ck_differenceWeights(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);
/// Steps 2 to 4, in place over the estimate by ratio; reads weights two rows on.
void ck_averageGreen(const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count);

/// The noise of each channel by linear value, and the activity between which the result changes from
/// bilinear to edge-directed.
typedef struct ck_dualBlend {
  float shot[3], read[3];
  float low, high;
  ck_demosaicScale scale;
} ck_dualBlend;
/// The sum of e of each pair of photosites, of which `chroma` is the second channel; reads two rows on.
void ck_activity(
    const ck_bayerRows *rows, int64_t y, const ck_dualBlend *blend, int64_t chroma, int64_t count);
/// Blends the edge-directed result with means of neighbors; reads activity three rows on.
void ck_blendRow(
    const ck_bayerRows *rows, int64_t y, int64_t shift, const ck_dualBlend *blend, int64_t count);
