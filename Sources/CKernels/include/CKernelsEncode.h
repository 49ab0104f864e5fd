// Loops between display-referred values and code values. Each is described in the Swift file of the
// same name as its C file. Included by CKernels.h; rows are those of its contract, and rows of
// interleaved codes have no margin.
#pragma once
#include <stdint.h>

#include "CKernelsRender.h"

// PQEncoding

/// Replaces `count` pixels by their PQ signal; `scale` makes 10,000 cd/m² 1.
void ck_pqRow(float scale, ck_threeRows rows, int64_t count);

// HLGEncoding

/// `scale` makes the peak of the display 1; constants of the OETF, `aLn2` for base-2 logarithms.
typedef struct ck_hlg {
  ck_threeValues luminance;
  float scale, aLn2, b, c;
} ck_hlg;
/// Replaces `count` pixels by their HLG signal.
void ck_hlgRow(const ck_hlg *hlg, ck_threeRows rows, int64_t count);

// SDREncoding

/// slope · x up to linearEnd, scale · x^power − offset above it.
typedef struct ck_sdr {
  float linearEnd, slope, scale, offset, power;
} ck_sdr;
/// Replaces `count` pixels by their signal.
void ck_sdrRow(const ck_sdr *sdr, ck_threeRows rows, int64_t count);

// LinearEncoder, PowerEncoder

/// Values 0…1 as interleaved codes 0…65535.
void ck_linearCodes(ck_threeRows rows, uint16_t *codes, int64_t count);
/// slope · x below `cut`, a polynomial of the fourth root, c0 + c1 t …, from it on, in codes.
typedef struct ck_power {
  float slope, cut, c0, c1, c2, c3, c4, c5, c6, c7;
} ck_power;
/// Values 0…1 through a curve as interleaved codes 0…65535.
void ck_powerCodes(const ck_power *curve, ck_threeRows rows, uint16_t *codes, int64_t count);

// FloatSamples

/// Half-precision numbers, and of three rows those of each pixel side by side: NaN as 0, values of at
/// most 65504.
void ck_halfRow(const float *in, uint16_t *out, int64_t count);
void ck_halfPixels(ck_threeRows rows, uint16_t *out, int64_t count);
/// NaN as 0, infinities as the largest number; `out` may be `in`.
void ck_finiteRow(const float *in, float *out, int64_t count);

// YCbCr

/// Weights of luma in codes, factors of the color differences, codes of 1 and of neutral chroma,
/// and the left shift of codes in their words.
typedef struct ck_ycbcr {
  ck_threeValues luma;
  float toCb, toCr, top, middle;
  uint16_t shift;
} ck_ycbcr;
/// Stores the words of luma, unless NULL, and replaces green and blue by Cb and Cr in codes.
void ck_ycbcrRow(const ck_ycbcr *conversion, ck_threeRows rows, uint16_t *luma, int64_t count);
/// Rounds and clamps `count` values in codes to words.
void ck_wordsRow(const ck_ycbcr *conversion, const float *in, uint16_t *out, int64_t count);

// ChromaSiting

/// Weights of three samples in a row or column.
typedef struct ck_taps {
  float before, at, behind;
} ck_taps;
/// The weighted mean of three rows.
void ck_blendRows(
    ck_taps weights, const float *above, const float *at, const float *below, float *out,
    int64_t count);
/// The words of every second sample of `in`, each the weighted mean of three; `count` of them.
void ck_decimateRow(
    const ck_ycbcr *conversion, ck_taps weights, const float *in, uint16_t *out, int64_t count);
CK_MARGIN(ck_decimateRow, 1, 14);
