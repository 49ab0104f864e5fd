// What kernels of several stages are given, and what they share. Part of CKernels.h.
#pragma once
#include <stdint.h>

/// How many samples `kernel` accesses before the first and behind the last of the columns of a row; of
/// a row that is said to be twice as long, behind twice the columns. A kernel without this keeps the
/// contract of rows: none before, and `ck_row_behind`. Swift asserts it (`SampleRow.kernel`).
#define CK_MARGIN(kernel, before, behind) \
  enum { kernel##_before = before, kernel##_behind = behind }
CK_MARGIN(ck_row, 0, 7);

/// Red, green and blue, or luma and two color differences, as whole rows.
typedef struct ck_threeRows {
  float *row[3];
} ck_threeRows;
/// A value of red, green and blue, such as their weights in a sum.
typedef struct ck_threeValues {
  float value[3];
} ck_threeValues;

/// The scale on which a demosaic interpolates; see DemosaicScale.swift.
typedef struct ck_demosaicScale {
  float offset;
  _Bool isLinear;
} ck_demosaicScale;

// ContentLightStatistics

/// The highest channels of `count` pixels, a multiple of eight, none below 0: the largest and the
/// sum of every eighth.
void ck_contentLightRow(ck_threeRows rows, int64_t count, float top[8], float total[8]);
