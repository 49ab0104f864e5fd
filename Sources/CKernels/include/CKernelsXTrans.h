// Loops of the demosaic of X-Trans mosaics, each over the `count` samples of one phase of a row: every sixth
// column. Part of CKernelsSensor.h. Offsets lead from a sample to a neighbor. See XTransDemosaic.swift.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// Every sixth of the `width` samples of `source` from number `first` on, on the scale; samples outside repeat
/// those at the ends.
void ck_loadPhase(
    ck_demosaicScale scale, const float *source, int64_t first, int64_t width, float *out,
    int64_t count);

/// Where the samples of a diagonal are: a green at one step and one two steps back, the own color three steps
/// ahead and behind.
typedef struct ck_diagonal {
  int64_t near, far, ownAhead, ownBehind;
} ck_diagonal;
/// Where green comes from at red and blue: v, −v, 2v, −2v, u, −2u, 2u, and the diagonals; and where the four
/// candidates go.
typedef struct ck_greenLines {
  int64_t v1, v2, vv1, vv2, near, far, beyond;
  ck_diagonal a, b;
  float *alongV, *alongU, *alongA, *alongB;
} ck_greenLines;
/// Step 1: four candidates of green.
void ck_greenCandidates(const ck_greenLines *lines, const float *mosaic, int64_t count);

/// Where a refined green comes from: two greens of a line and their chroma, and the six nearest greens.
typedef struct ck_refinement {
  int64_t near, far;
  const float *nearChroma, *farChroma;
  int64_t greens[6];
} ck_refinement;
/// Step 1 of later passes.
void ck_refineGreen(
    const ck_refinement *refinement, const float *mosaic, float *out, int64_t count);

/// A color and green on both sides of a photosite.
typedef struct ck_colorPair {
  const float *colorA, *colorB, *greenA, *greenB;
} ck_colorPair;
/// The colors around a solitary green: those of the row are near on it, those of the column far, and the
/// reverse.
typedef struct ck_solitary {
  ck_colorPair rowNear, rowFar, columnNear, columnFar;
  float *horizontal, *vertical;
} ck_solitary;
/// Step 2. `axis`: 0 takes the row, 1 the column, 2 that on which less varies.
void ck_chromaAtSolitary(
    const ck_solitary *site, int64_t axis, const float *green, int64_t count);
/// Step 3: green plus the mean difference of `close`; of `wide`, unless null, where green changes less on it.
void ck_oppositeChroma(
    const ck_colorPair *close, const ck_colorPair *wide, const float *green, float *out,
    int64_t count);
/// Step 4: green plus the weighted differences of a pair.
void ck_chromaAtCorner(
    const ck_colorPair *pair, float weightA, float weightB, const float *green, float *out,
    int64_t count);

/// Luma and two color differences of RGB.
void ck_lumaAndDifferences(ck_threeRows rgb, ck_threeRows out, int64_t count);
/// The squared second difference of these to the samples `ahead` and `behind`.
void ck_squaredCurvature(
    ck_threeRows planes, int64_t ahead, int64_t behind, float *out, int64_t count);
/// Of each of 4 or 8 candidates, how many of the nine samples `around` have at most eight times the smallest
/// curvature of all at the center.
void ck_homogeneity(
    int64_t candidates, const float *const *curvatures, const int64_t *around, float *const *outs,
    int64_t count);
/// The mean of those of 4 or 8 candidates (`colors`: three for each) whose `sums`, added up over the five
/// samples `around`, are at least seven eighths of the best, in linear values.
void ck_chooseCandidates(
    ck_demosaicScale scale, int64_t candidates, const float *const *sums,
    const float *const *colors, const int64_t *around, ck_threeRows out, int64_t count);
/// Writes the samples of a phase to every sixth sample of `out`.
void ck_joinPhase(const float *samples, float *out, int64_t count);
