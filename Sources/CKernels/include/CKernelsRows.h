// What several kernels of RawSensor are given.
#pragma once

/// Red, green and blue, or luma and two color differences, as whole rows.
typedef struct ck_threeRows {
  float *row[3];
} ck_threeRows;
/// A value of red, green and blue.
typedef struct ck_threeValues {
  float value[3];
} ck_threeValues;
