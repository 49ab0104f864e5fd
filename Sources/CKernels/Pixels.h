// Eight neighboring pixels, a vector for each channel, as RGBLanes in ImageCore/Rows.
#pragma once
#include "Kernel.h"

typedef struct ck_pixels {
  cv_f8 red, green, blue;
} ck_pixels;

CK_BODY ck_pixels ck_loadPixels(ck_threeRows rows, int64_t i) {
  return (ck_pixels){f8(rows.row[0] + i), f8(rows.row[1] + i), f8(rows.row[2] + i)};
}
CK_BODY void ck_storePixels(ck_threeRows rows, int64_t i, ck_pixels pixels) {
  ck_store8(rows.row[0] + i, pixels.red);
  ck_store8(rows.row[1] + i, pixels.green);
  ck_store8(rows.row[2] + i, pixels.blue);
}

/// The weighted sum of the channels, such as luminance.
CK_BODY cv_f8 ck_weighted(ck_pixels p, ck_threeValues weights) {
  return p.red * weights.value[0] + p.green * weights.value[1] + p.blue * weights.value[2];
}
/// The largest channel of each pixel.
CK_BODY cv_f8 ck_highest(ck_pixels p) { return cv_max8(cv_max8(p.red, p.green), p.blue); }
/// The smallest channel of each pixel.
CK_BODY cv_f8 ck_lowest(ck_pixels p) { return cv_min8(cv_min8(p.red, p.green), p.blue); }
/// The pixels with 0 for NaN.
CK_BODY ck_pixels ck_numbers(ck_pixels p) {
  return (ck_pixels){cv_number8(p.red), cv_number8(p.green), cv_number8(p.blue)};
}
/// The pixels with each channel within two limits.
CK_BODY ck_pixels ck_clamped(ck_pixels p, cv_f8 low, cv_f8 high) {
  return (ck_pixels){
    cv_clamp8(p.red, low, high), cv_clamp8(p.green, low, high), cv_clamp8(p.blue, low, high)};
}
/// All channels times one gain for each pixel.
CK_BODY ck_pixels ck_scaled(ck_pixels p, cv_f8 gain) {
  return (ck_pixels){p.red * gain, p.green * gain, p.blue * gain};
}
/// A matrix on each pixel, without its offset.
CK_BODY ck_pixels ck_product(ck_pixels p, const ck_matrix *matrix) {
  return (ck_pixels){
    ck_weighted(p, matrix->red), ck_weighted(p, matrix->green), ck_weighted(p, matrix->blue)};
}
