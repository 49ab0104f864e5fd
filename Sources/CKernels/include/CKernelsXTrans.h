// Loops of the demosaic of X-Trans mosaics, each over one row of all its phases: a phase is every sixth column, of
// which `count` are in a row. Part of CKernelsSensor.h. All samples are in one block of memory, `planes`.
// XTransRows.swift makes a list of offsets in it once for each row of its rings: one entry for each phase and candidate
// that the step changes. See XTransDemosaic.swift.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// An offset from `planes`, in samples: of the first sample of a phase of a row, or of a neighbor.
typedef int32_t ck_offset;

/// A row of a mosaic, from a column of phase 0 on, on the scale: phase p from offset `out` + p · `stride` on. Two
/// samples behind the row are read.
void ck_splitXTransRow(
    ck_demosaicScale scale, const float *source, ck_offset out, ck_offset stride, float *planes,
    int64_t count);
CK_MARGIN(ck_splitXTransRow, 0, 2);

/// A diagonal: a green at one step and one two steps back, the own color three steps ahead and behind; and the
/// output of its candidate.
typedef struct ck_diagonal {
  ck_offset near, far, ownAhead, ownBehind, out;
} ck_diagonal;
/// The inputs of green at red and blue: v, −v, 2v, −2v, u, −2u, 2u, and the diagonals; and the outputs of the
/// candidates along v and u.
typedef struct ck_greenLines {
  ck_offset own, v1, v2, vv1, vv2, near, far, beyond, alongV, alongU;
  ck_diagonal a, b;
} ck_greenLines;
/// Step 1: four candidates of green.
void ck_greenCandidates(
    const ck_greenLines *sites, int64_t number, float *planes, int64_t count);

/// The inputs of a refined green: two greens of a line and their chroma, and the six nearest greens.
typedef struct ck_refinement {
  ck_offset own, near, far, nearChroma, farChroma, greens[6], out;
} ck_refinement;
/// Step 1 of later passes.
void ck_refineGreen(const ck_refinement *sites, int64_t number, float *planes, int64_t count);

/// A color and green on both sides of a photosite.
typedef struct ck_colorPair {
  ck_offset colorA, colorB, greenA, greenB;
} ck_colorPair;
/// The colors around a solitary green: the color of the row is near on the row and far on the column, the other the
/// reverse. `axis`: 0 takes the row, 1 the column, 2 the axis with less variation.
typedef struct ck_solitary {
  ck_colorPair rowNear, rowFar, columnNear, columnFar;
  ck_offset green, horizontal, vertical;
  int32_t axis;
} ck_solitary;
/// Step 2.
void ck_chromaAtSolitary(
    const ck_solitary *sites, int64_t number, float *planes, int64_t count);

/// Red at blue, or blue at red: by `close`, and by `wide` if `isWide`.
typedef struct ck_opposite {
  ck_colorPair close, wide;
  ck_offset green, out;
  int32_t isWide;
} ck_opposite;
/// Step 3: green plus the mean difference of `close`; of `wide` if green changes less on it.
void ck_oppositeChroma(
    const ck_opposite *sites, int64_t number, float *planes, int64_t count);

/// Red or blue at the corner of a block, and the weights of both sides.
typedef struct ck_corner {
  ck_colorPair pair;
  float weightA, weightB;
  ck_offset green, out;
} ck_corner;
/// Step 4: green plus the weighted differences of a pair.
void ck_chromaAtCorner(const ck_corner *sites, int64_t number, float *planes, int64_t count);

/// Red, green and blue of a candidate, and luma and two color differences.
typedef struct ck_lumaSite {
  ck_offset rgb[3], out[3];
} ck_lumaSite;
/// Luma and two color differences of RGB.
void ck_lumaAndDifferences(
    const ck_lumaSite *sites, int64_t number, float *planes, int64_t count);

/// Luma of a candidate, here and on both sides of its direction; color differences follow at distances of `step`.
typedef struct ck_curvatureSite {
  ck_offset here, ahead, behind, step, out;
} ck_curvatureSite;
/// The sum of their squared second differences.
void ck_squaredCurvature(
    const ck_curvatureSite *sites, int64_t number, float *planes, int64_t count);

/// The curvatures of the first candidate at nine pixels, the fifth of which is the center; the other candidates follow
/// at distances of `step`. Output: counts, four candidates in the bytes of one number.
typedef struct ck_homogeneitySite {
  ck_offset around[9], step, out[2];
} ck_homogeneitySite;
/// For each of 4 or 8 candidates, the number of the nine pixels that have at most eight times the smallest curvature of
/// all candidates at the center.
void ck_homogeneity(
    const ck_homogeneitySite *sites, int64_t number, int64_t candidates, float *planes,
    int64_t count);
/// Counts of five rows, and the output of their sums.
typedef struct ck_countSite {
  ck_offset rows[5], out;
} ck_countSite;
void ck_sumCounts(const ck_countSite *sites, int64_t number, float *planes, int64_t count);

/// Sums of five pixels in a row for four candidates, and for the others; red, green and blue of each candidate;
/// and the result.
typedef struct ck_choiceSite {
  ck_offset counts[10], colors[24], out[3];
} ck_choiceSite;
/// The mean, in linear values, of the candidates (of 4 or 8) whose summed counts are at least seven eighths of the
/// best.
void ck_chooseCandidates(
    ck_demosaicScale scale, const ck_choiceSite *sites, int64_t number, int64_t candidates,
    float *planes, int64_t count);

/// The six phases from offset `from` on, `stride` apart, as one row; up to 44 samples behind it are written.
void ck_joinXTransRow(
    const float *planes, ck_offset from, ck_offset stride, float *out, int64_t count);
CK_MARGIN(ck_joinXTransRow, 0, 44);
