// Loops between camera RGB and display-referred values. Each is described in the Swift file of the
// same name as its C file. Included by CKernels.h; rows are those of its contract.
#pragma once
#include <stdint.h>

#include "CKernelsRows.h"

/// The rows of a matrix, and what is added to each channel.
typedef struct ck_matrix {
  ck_threeValues red, green, blue;
  float offset;
} ck_matrix;

// LuminanceGain

/// Weighted sums of `count` pixels; NaN becomes 0.
void ck_luminanceRow(ck_threeValues weights, ck_threeRows rows, float *out, int64_t count);
/// The largest channel of `count` pixels; NaN becomes 0.
void ck_brightestRow(ck_threeRows rows, float *out, int64_t count);

// RichardsonLucy

enum { CK_LUCY_RADIUS = 4 };
/// A symmetric blur of `radius` 2, 3 or 4: weights of the center and of its neighbors at 1 to 4.
typedef struct ck_blur {
  float weight[CK_LUCY_RADIUS + 1];
  int32_t radius;
} ck_blur;
/// Rows of scratch.
enum { CK_LUCY_SCRATCH = 3 * 16 + 1 };
/// A region of `rows` rows, `step` apart, of `count` samples, a multiple of eight; the blurred
/// luminance that was measured, and scratch rows, as far apart.
typedef struct ck_lucy {
  ck_blur blur;
  const float *measured;
  float *scratch;
  int64_t rows, step, count;
} ck_lucy;
/// Stores max(in, floor).
void ck_floorRow(const float *in, float floor, float *out, int64_t count);
/// Stores the next estimate, predicted from this one and the one before and corrected, in `out`,
/// which may be the one before, and the largest distance of a correction from 1 in `change`.
void ck_lucyRound(
    const ck_lucy *lucy, const float *now, const float *before, float momentum, float *out,
    float *change);
CK_MARGIN(ck_lucyRound, 0, 8);

// SharpeningMask

/// Variance of noise: value · slope + value² · relative + offset.
typedef struct ck_evidence {
  float slope, relative, offset;
} ck_evidence;
/// Evidence of edges, 0…1, from three rows of luminance; `any` becomes true where there is some.
void ck_evidenceRow(
    const ck_evidence *evidence, const float *above, const float *here, const float *below,
    float *out, int64_t count, _Bool *any);
CK_MARGIN(ck_evidenceRow, 1, 16);
/// in − limit; `any` becomes true where that is positive.
void ck_overRow(const float *in, float limit, float *out, int64_t count, _Bool *any);
CK_MARGIN(ck_overRow, 0, 15);
/// The largest of `radius` (2 or 3) samples on both sides, `step` apart, and of the sample itself.
void ck_maximumRow(const float *in, int64_t step, int32_t radius, float *out, int64_t count);
CK_MARGIN(ck_maximumRow, 3, 18);
/// 0 where `clipped` is positive.
void ck_clearRow(const float *clipped, float *out, int64_t count);
CK_MARGIN(ck_clearRow, 0, 15);
/// The columns from `first` to before `end`; none where `end` is 0.
typedef struct ck_columns {
  int64_t first, end;
} ck_columns;
/// Means of 3 × 3 samples, and the vectors that hold one of more than `minimum`.
void ck_weightRow(
    const float *above, const float *here, const float *below, float minimum, float *out,
    int64_t count, ck_columns *columns);
CK_MARGIN(ck_weightRow, 1, 16);

// SharpeningLimits

/// σ²/2, and the constants of SharpeningLimits.
typedef struct ck_limits {
  float curvature, fadeWidth, minFraction;
} ck_limits;
/// `input` = max(in, floor), from 2 columns before the first of `highest` and `lowest` to 2 behind
/// the last; these get the extremes of five samples about each.
void ck_rangeRow(
    const float *in, float floor, float *input, float *highest, float *lowest, int64_t count);
CK_MARGIN(ck_rangeRow, 0, 19);
/// Clamps `out` by the input, `center`, and its extremes; all rows are `step` apart.
void ck_limitRow(
    const ck_limits *limits, const float *center, const float *highest, const float *lowest,
    int64_t step, float *out, int64_t count);
CK_MARGIN(ck_limitRow, 1, 16);

// CaptureSharpening

/// Luminance that is left alone, the amount, and the picture's peak.
typedef struct ck_sharpening {
  float floor, amount, peak;
} ck_sharpening;
/// Scales pixels towards the sharpened luminance, as far as `weight` says.
void ck_sharpenRow(
    const ck_sharpening *sharpening, const float *luminance, const float *sharp,
    const float *weight, ck_threeRows rows, int64_t count);

// LogLuminance

/// Replaces luminance by log2(max(luminance, floor)).
void ck_stopsRow(float *row, float floor, int64_t count);

// GuidedDetail

/// Samples on each side of a window.
enum { CK_GUIDED_RADIUS = 2 };
/// ε, and the noise: slope · Y + offset, times `noiseFactor`.
typedef struct ck_guided {
  float epsilon, slope, offset, noiseFactor;
} ck_guided;
/// q and q · m of a row from the windows around it in `stops`, rows `step` apart, from the radius
/// of columns before its first on; `sums` and `squares` are scratch of twice the radius more.
void ck_guidedRow(
    const ck_guided *guided, const float *stops, int64_t step, float *sums, float *squares,
    float *slope, float *offset, int64_t count);
CK_MARGIN(ck_guidedRow, 0, 11);
/// Means over windows, the first one the radius of columns behind the first of `in`; `out` holds
/// twice the radius more meanwhile.
void ck_windowMeans(const float *in, int64_t step, float *out, int64_t count);
CK_MARGIN(ck_windowMeans, 0, 11);

// FineDetail

/// Multiplies pixels by 2 to the power of (slope · stops − offset) · gain, bounded by `limit`, up to
/// `peak`.
void ck_detailRow(
    const float *slope, const float *offset, const float *stops, float gain, float limit,
    float peak, ck_threeRows rows, int64_t count);

// LocalMedian

/// Most pairs of samples.
enum { CK_MEDIAN_PAIRS = 48 };
/// `pairs` of samples at distances of `offsets` to both sides, the stops up to which they count and
/// those over which their sign turns, and steps of the bisection.
typedef struct ck_localMedian {
  const int64_t *offsets;
  int32_t pairs, steps;
  float reach, softness;
} ck_localMedian;
/// Stops of `count` samples above the median of those around them.
void ck_localMedianRow(
    const ck_localMedian *median, const float *stops, float *detail, int64_t count);

// LocalToneGains, MappedChange

/// Bounds of the change, the picture's peak, the stops below it over which the change fades, and
/// the floor of luminance.
typedef struct ck_localTone {
  float lowest, highest, peak, fade, floor;
} ck_localTone;
/// Weighted change and weight of pixels from their stops, line and largest channel.
void ck_toneChangeRow(
    const ck_localTone *tone, const float *stops, const float *slope, const float *offset,
    const float *brightest, float *change, float *weight, int64_t count);
/// Multiplies pixels by 2 to the power of `amount` times their change; it fades from `fadeStart`
/// on.
void ck_localToneRow(
    const ck_localTone *tone, ck_threeValues weights, float fadeStart, float amount, float peak,
    const float *slope, const float *offset, ck_threeRows rows, int64_t count);

// Dehaze

/// The linear values of the air, the weights and the floor of luminance, the largest part that is air, how much of
/// it is removed, else added, and the picture's peak.
typedef struct ck_haze {
  ck_threeValues air, weights;
  float floor, maxPart, removed, added, peak;
} ck_haze;
/// Takes the air out of `count` pixels, or adds some, by the line of each.
void ck_dehazeRow(
    const ck_haze *haze, const float *slope, const float *offset, ck_threeRows rows,
    int64_t count);

// ToneAdjustment

/// Gains as in OctaveTable.h of the largest channel times `scale`; constant on both sides.
typedef struct ck_toneAdjustment {
  const float *gains;
  int32_t lowest;
  float scale;
} ck_toneAdjustment;
/// Multiplies `count` pixels by the gains of their largest channels; NaN becomes 0.
void ck_toneAdjustmentRow(const ck_toneAdjustment *gains, ck_threeRows rows, int64_t count);

// ColorAdjustment

/// Matrices to lms, from its cube roots to Lab, and back; `hues`, `hueCount` of four values and one
/// more, NULL for none; `levels` of four values from the bits `lowest` on, 32 an octave, NULL for
/// none, at L times `scale`; factor of chroma, vibrance, and the scene's peak.
typedef struct ck_color {
  ck_matrix toLMS, toLab, fromLab, fromLMS;
  const float *hues;
  int32_t hueCount;
  const float *levels;
  int32_t lowest;
  float scale, saturation, vibrance, peak;
} ck_color;
/// Changes the colors of `count` pixels; NaN becomes 0.
void ck_colorRow(const ck_color *color, ck_threeRows rows, int64_t count);

// Vignette

/// Center of the frame in pixels, its turn, one over its half sides, exponent of its shape, where the
/// falloff begins and how steep it is, its stops, and the scene's peak.
typedef struct ck_vignette {
  float centerX, centerY, cosine, sine, scaleX, scaleY, power, start, slope, stops, peak;
} ck_vignette;
/// Darkens or brightens `count` pixels of row `y` from column `x` on.
void ck_vignetteRow(
    const ck_vignette *vignette, int64_t x, int64_t y, ck_threeRows rows, int64_t count);

// Grain

/// The turn of a lattice over its cells' size in pixels, and its weight.
typedef struct ck_grainLayer {
  float cosine, sine, weight;
} ck_grainLayer;
/// Two lattices, their seed, the stops of a deviation, and the scene's peak.
typedef struct ck_grain {
  ck_grainLayer layers[2];
  uint32_t seed;
  float stops, peak;
} ck_grain;
/// Adds grain to `count` pixels of row `y` from column `x` on.
void ck_grainRow(const ck_grain *grain, int64_t x, int64_t y, ck_threeRows rows, int64_t count);

// ProjectedSource

/// From positions of the result to those of a picture of `width` × `height`, three sums each; the
/// pixels of it that are given begin with column `firstColumn`, row `firstRow`, rows `stride` apart.
typedef struct ck_projection {
  double across[3], down[3], scale[3];
  int64_t width, height, firstColumn, firstRow, stride;
} ck_projection;
/// Makes `count` pixels of row `y` of the result from column `x` on, from the given `pixels`, which
/// hold all that lies around their positions.
void ck_projectRow(
    const ck_projection *map, int64_t x, int64_t y, ck_threeRows pixels, ck_threeRows rows,
    int64_t count);

// HueSatMapping

/// A table [value][hue][saturation] of three changes in four floats, the curve of sRGB by which values
/// are encoded, and whether they are compressed around it (OverRange.h).
typedef struct ck_hueSat {
  const float *table;
  int32_t saturations, hues, values;
  float linearEnd, signalEnd, slope, scale, offset, exponent;
  _Bool isEncoded, isCompressed;
} ck_hueSat;
/// Maps `count` pixels and multiplies them by `gain`.
void ck_hueSatRow(const ck_hueSat *map, float gain, ck_threeRows rows, int64_t count);

// RGBTableMapping

/// A cube [red][green][blue] of colors in four floats, the curves before and behind it, pairs of a
/// value and the step to the next at even steps, NULL for none, and the matrices around it.
typedef struct ck_rgbTable {
  const float *cube, *encoding, *decoding;
  int32_t side, cells;
  ck_matrix toTable, fromTable;
  _Bool hasMatrix, extends, isHighRange;
} ck_rgbTable;
/// Maps `count` pixels.
void ck_rgbTableRow(const ck_rgbTable *table, ck_threeRows rows, int64_t count);

// CameraGamut

/// What CameraGamut.swift names: of violet its edge, width, gain and slope, the reddest it counts
/// for; the lowest red for one of green; the softness of red's, green's and blue's floor.
typedef struct ck_cameraGamut {
  float edge, width, gain, slope, reddest, locus;
  ck_threeValues softness;
} ck_cameraGamut;
/// Maps `count` pixels.
void ck_cameraGamutRow(const ck_cameraGamut *gamut, ck_threeRows rows, int64_t count);

// GainTableMap

/// A row of a grid of gains, `columns` curves of `points`, at least 2, or two of them, `down` gains
/// apart, between which `part` of the way; `down` is 0 for one. Pixel n is at grid column n · step +
/// first; its point is that of the weighted sum of channels, smallest and largest, to the power of
/// gamma. All gains are multiplied by `scale`.
typedef struct ck_gainTable {
  const float *gains;
  int32_t columns, points, down;
  float part, first, step, scale, gamma, lowestWeight, highestWeight;
  ck_threeValues weights;
} ck_gainTable;
/// Multiplies `count` pixels, numbered from `firstPixel` on, by their gains.
void ck_gainTableRow(const ck_gainTable *map, int64_t firstPixel, ck_threeRows rows, int64_t count);

// ColorMatrix

/// Multiplies `count` pixels by the matrix and adds the offset.
void ck_matrixRow(const ck_matrix *matrix, ck_threeRows rows, int64_t count);

// ToneTable

/// A tone curve over signed values: `pairs`, `lowest` and `below` as in OctaveTable.h, of |x| times
/// `scale`. `bleaching` and `saturating`: how far the smallest channel moves from constant
/// chromaticity to its own value on the curve; the first, at the hue in Oklab, by cones' signals.
/// `paling`: the fraction of chroma that bright blue lamps lose, at that hue, at most.
/// `mixing`, whose rows add up to 1, is applied before the curve where `mixes`.
typedef struct ck_tone {
  const float *pairs;
  int32_t lowest;
  float below, scale, bleaching, saturating, paling;
  ck_matrix mixing, toLMS, fromLMS;
  _Bool mixes;
} ck_tone;
/// Tones `count` pixels in place.
void ck_toneRow(const ck_tone *tone, ck_threeRows rows, int64_t count);

// PointCurves

/// A curve less its value at 0, `black`, over 0…1 as in OctaveTable.h; above 1 the factor `white`.
typedef struct ck_pointCurve {
  const float *pairs;
  int32_t lowest;
  float below, black, white;
} ck_pointCurve;
/// Applies the curve to the largest and smallest channel of `count` pixels, hue kept.
void ck_pointCurveRow(const ck_pointCurve *master, ck_threeRows rows, int64_t count);
/// Applies the curve to `count` values.
void ck_channelCurveRow(const ck_pointCurve *channel, float *row, int64_t count);

// ColorLookup

/// A cube [red][green][blue] of colors in four floats, `side` a side, or NULL and three curves of
/// `side` pairs at even steps; where signals start and one over their range; the curve from linear
/// values of 0…1, as in OctaveTable.h, and back, at even steps; matrices around them, one over the
/// peak of the signal, amount, and largest value.
typedef struct ck_lookup {
  const float *cube;
  const float *curves[3];
  int32_t side;
  ck_threeValues start, scale;
  const float *encoding;
  int32_t lowest;
  float below;
  const float *decoding;
  int32_t cells;
  ck_matrix toSignal, fromSignal;
  float range, amount, ceiling;
} ck_lookup;
/// Maps `count` pixels; NaN becomes 0.
void ck_lookupRow(const ck_lookup *lookup, ck_threeRows rows, int64_t count);

// GamutMapping

/// Linear values to and from Oklab, by cone signals and their cube roots; fraction of the way to the
/// gamut's surface from which colors move, largest value, and its cube root.
typedef struct ck_gamut {
  ck_matrix toLMS, toLab, fromLab, fromLMS;
  float knee, headroom, headroomRoot;
} ck_gamut;
/// Maps `count` pixels into the gamut.
void ck_gamutRow(const ck_gamut *gamut, ck_threeRows rows, int64_t count);

// LogRatioKernel

/// Values are clamped to 0…limit before the offset is added; `isLuminance`: of luminance alone.
typedef struct ck_logRatio {
  ck_threeValues weights;
  float offset, limit;
  _Bool isLuminance;
} ck_logRatio;
/// The gains of `count` pixels over the standard ones, in stops: red for luminance. `out` may be
/// either of both.
void ck_logRatioRow(
    const ck_logRatio *ratio, ck_threeRows standard, ck_threeRows high, ck_threeRows out,
    int64_t count);

// GainMapPrefilter

/// Filters rows and columns of a map whose channels, 1 or 3, are interleaved.
void ck_prefilter(float *values, int64_t width, int64_t height, int64_t channels);

// GainRatios

/// Pixels from `first` to before `end`, the weights of the first and the last, those between
/// counting fully, and the sum of all.
typedef struct ck_area {
  int32_t first, end;
  float firstWeight, lastWeight, total;
} ck_area;
/// Means over the areas of one line and `count` columns, stored `channels` apart. `row` is the
/// first of the line, rows are `step` apart. `isPairs`: column n is pixels 2n and 2n + 1.
void ck_areaMeans(
    const ck_area *line, const ck_area *columns, _Bool isPairs, const float *row, int64_t step,
    float *out, int64_t channels, int64_t count);

// GainMapApplication

/// The parameters of one channel of a gain map, gains in stops.
typedef struct ck_gain {
  float minimum, span, exponent, baseOffset, alternateOffset, maxStops;
} ck_gain;
/// Applies a map to `count` pixels; `greenMap` and `blueMap` are NULL where red's gain counts for
/// all.
void ck_gainMapRow(
    const ck_gain gains[3], const float *map, const float *greenMap, const float *blueMap,
    ck_threeRows rows, int64_t count);

// DisplayStage

/// Scales pixels above the limit down to it.
void ck_fitRow(float limit, ck_threeRows rows, int64_t count);
/// Clips each channel at the limit; NaN becomes 0.
void ck_cutRow(float limit, ck_threeRows rows, int64_t count);

// ReferenceWhiteToneMapping

/// Gains as in OctaveTable.h of the largest channel in BT.2020, divided by the peak.
typedef struct ck_whiteTone {
  const float *pairs;
  int32_t lowest;
  float peak;
  ck_matrix toBT2020;
} ck_whiteTone;
/// Maps `count` pixels.
void ck_whiteToneRow(const ck_whiteTone *tone, ck_threeRows rows, int64_t count);
