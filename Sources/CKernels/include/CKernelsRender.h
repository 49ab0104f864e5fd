// Loops between camera RGB and display-referred values. Each is described in the Swift file of the
// same name as its C file. Included by CKernels.h; rows are those of its contract.
#pragma once
#include <stdint.h>

/// Factors of the channels in a sum.
typedef struct ck_weights {
  float red, green, blue;
} ck_weights;

// LuminanceGain

/// Weighted sums of `count` pixels; NaN becomes 0.
void ck_luminanceRow(
    ck_weights weights, const float *red, const float *green, const float *blue, float *out,
    int64_t count);
/// The largest channel of `count` pixels; NaN becomes 0.
void ck_brightestRow(
    const float *red, const float *green, const float *blue, float *out, int64_t count);

// RichardsonLucy

/// A symmetric blur of `radius` 2, 3 or 4: weights of the center and of its neighbors at 1 to 4.
typedef struct ck_blur {
  float center, first, second, third, fourth;
  int32_t radius;
} ck_blur;
/// Stores max(in, floor) in two rows.
void ck_floorRow(const float *in, float floor, float *first, float *second, int64_t count);
/// Predicts the next estimate from this one and the one before, NULL for none, and stores it
/// blurred along the row in `out`. `count` is a multiple of eight; the margins of `predicted` are
/// overwritten.
void ck_lucyPredictRow(
    ck_blur blur, const float *now, const float *before, float momentum, float *predicted,
    float *out, int64_t count);
/// Divides `measured` by `line` blurred along columns, rows `step` apart, and stores the quotient
/// in `ratio` and blurred along the row in `out`; as above.
void ck_lucyCompareRow(
    ck_blur blur, const float *line, int64_t step, const float *measured, float *ratio,
    float *out, int64_t count);
/// Multiplies `predicted` by `line` blurred along columns; `change` keeps the largest distance of
/// these factors from 1, by lane.
void ck_lucyCorrectRow(
    ck_blur blur, const float *line, int64_t step, const float *predicted, float *out,
    float change[8], int64_t count);

// SharpeningMask

/// Variance of noise: value · slope + value² · relative + offset.
typedef struct ck_evidence {
  float slope, relative, offset;
} ck_evidence;
/// Evidence of edges, 0…1, from three rows of luminance; `any` becomes true where there is some.
void ck_evidenceRow(
    const ck_evidence *evidence, const float *above, const float *here, const float *below,
    float *out, int64_t count, _Bool *any);
/// in − limit; `any` becomes true where that is positive.
void ck_overRow(const float *in, float limit, float *out, int64_t count, _Bool *any);
/// The largest of `radius` (2 or 3) samples on both sides, `step` apart, and of the sample itself.
void ck_maximumRow(const float *in, int64_t step, int32_t radius, float *out, int64_t count);
/// 0 where `clipped` is positive.
void ck_clearRow(const float *clipped, float *out, int64_t count);
/// The columns from `first` to before `end`; none where `end` is 0.
typedef struct ck_columns {
  int64_t first, end;
} ck_columns;
/// Means of 3 × 3 samples, and the vectors that hold one of more than `least`.
void ck_weightRow(
    const float *above, const float *here, const float *below, float least, float *out,
    int64_t count, ck_columns *columns);

// SharpeningLimits

/// σ²/2, and the constants of SharpeningLimits.
typedef struct ck_limits {
  float curvature, fadeWidth, minFraction;
} ck_limits;
/// `input` = max(in, floor), from 2 columns before the first of `highest` and `lowest` to 2 behind
/// the last; these get the extremes of five samples about each.
void ck_rangeRow(
    const float *in, float floor, float *input, float *highest, float *lowest, int64_t count);
/// Clamps `out` by the input, `center`, and its extremes; all rows are `step` apart.
void ck_limitRow(
    const ck_limits *limits, const float *center, const float *highest, const float *lowest,
    int64_t step, float *out, int64_t count);

// CaptureSharpening

/// Luminance that is left alone, the amount, and the picture's peak.
typedef struct ck_sharpening {
  float floor, amount, peak;
} ck_sharpening;
/// Scales pixels towards the sharpened luminance, as far as `weight` says.
void ck_sharpenRow(
    const ck_sharpening *sharpening, const float *luminance, const float *sharp,
    const float *weight, float *red, float *green, float *blue, int64_t count);

// GainTableMap

/// A row of a grid of gains, `columns` curves of `points` each, or two of them, `down` gains apart,
/// between which `part` of the way; `down` is 0 for one. Pixel n is at grid column n · step +
/// first; its point is that of the weighted sum of channels, smallest and largest, to the power of
/// gamma. All gains are multiplied by `scale`.
typedef struct ck_gainTable {
  const float *gains;
  int32_t columns, points, down;
  float part, first, step, scale, gamma, lowestWeight, highestWeight;
  ck_weights weights;
} ck_gainTable;
/// Multiplies `count` pixels, numbered from `firstPixel` on, by their gains.
void ck_gainTableRow(
    const ck_gainTable *map, int64_t firstPixel, float *red, float *green, float *blue,
    int64_t count);

// ColorMatrix

/// The rows of a matrix, and what is added to each channel.
typedef struct ck_matrix {
  ck_weights red, green, blue;
  float offset;
} ck_matrix;
/// Multiplies `count` pixels by the matrix and adds the offset.
void ck_matrixRow(
    const ck_matrix *matrix, float *red, float *green, float *blue, int64_t count);

// GamutMapping

/// Weights of luminance, saturation from which colors move, largest value.
typedef struct ck_gamut {
  ck_weights weights;
  float knee, headroom;
} ck_gamut;
/// Maps `count` pixels into the gamut.
void ck_gamutRow(
    const ck_gamut *gamut, float *red, float *green, float *blue, int64_t count);

// LogRatioKernel

/// Values are clamped to 0…limit before the offset is added; `isLuminance`: of luminance alone.
typedef struct ck_logRatio {
  ck_weights weights;
  float offset, limit;
  _Bool isLuminance;
} ck_logRatio;
/// Replaces `count` pixels by their gain over the standard ones, in stops: red for luminance.
void ck_logRatioRow(
    const ck_logRatio *ratio, const float *standardRed, const float *standardGreen,
    const float *standardBlue, float *red, float *green, float *blue, int64_t count);

// GainMapPrefilter

/// Filters rows and columns of a map whose channels, 1 or 3, are interleaved.
void ck_prefilter(float *values, int64_t width, int64_t height, int64_t channels);
