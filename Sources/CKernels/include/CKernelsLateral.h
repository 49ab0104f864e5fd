// Loops of LateralMosaic. Part of CKernelsSensor.h. Rows are of the roots of the mosaic.
#pragma once
#include <stdint.h>

/// The roots of a row of the mosaic.
void ck_lateralRoots(const float *mosaic, float offset, float *out, int64_t count);
/// Steps of the roots along rows and along columns; three photosites around are read.
void ck_lateralSteps(
    const float *roots, int64_t stride, float *across, float *down, int64_t count);
/// Green at every photosite; `isGreen`: whether it is there at the first. Three photosites around are read, of steps
/// one.
void ck_lateralGreen(
    const float *roots, int64_t stride, const float *across, const float *down,
    int64_t stepStride, int64_t isGreen, float *out, int64_t count);

/// The first of four rows and columns from which a block of 16 columns is interpolated, and their weights.
typedef struct ck_lateralTaps {
  int64_t across, down;
  float acrossWeights[4], downWeights[4];
} ck_lateralTaps;
/// Eight differences a block of a color whose photosites are the even ones of `roots`, and where `green` begins.
void ck_lateralDifferences(
    const ck_lateralTaps *taps, const float *green, int64_t stride, const float *roots,
    float *out, int64_t blocks);
/// Eight values a block of that color.
void ck_lateralValues(
    const ck_lateralTaps *taps, const float *differences, int64_t stride, const float *green,
    float offset, float *out, int64_t blocks);
