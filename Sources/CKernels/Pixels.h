// Eight neighboring pixels, a vector for each channel, as RGBLanes in ImageCore/Rows.
#pragma once
#include "Kernel.h"

typedef struct ck_pixels {
  cv_f8 red, green, blue;
} ck_pixels;

CK_BODY ck_pixels ck_loadPixels(
    const float *red, const float *green, const float *blue, int64_t i) {
  return (ck_pixels){ck_load8(red + i), ck_load8(green + i), ck_load8(blue + i)};
}
CK_BODY void ck_storePixels(
    float *red, float *green, float *blue, int64_t i, ck_pixels pixels) {
  ck_store8(red + i, pixels.red);
  ck_store8(green + i, pixels.green);
  ck_store8(blue + i, pixels.blue);
}

/// The weighted sum of the channels, such as luminance.
CK_BODY cv_f8 ck_weighted(ck_pixels p, ck_weights weights) {
  return p.red * weights.red + p.green * weights.green + p.blue * weights.blue;
}
/// The largest channel of each pixel.
CK_BODY cv_f8 ck_highest(ck_pixels p) { return cv_max8(cv_max8(p.red, p.green), p.blue); }
/// The smallest channel of each pixel.
CK_BODY cv_f8 ck_lowest(ck_pixels p) { return cv_min8(cv_min8(p.red, p.green), p.blue); }
/// All channels times one gain for each pixel.
CK_BODY ck_pixels ck_scaled(ck_pixels p, cv_f8 gain) {
  return (ck_pixels){p.red * gain, p.green * gain, p.blue * gain};
}
/// A matrix on each pixel, without its offset.
CK_BODY ck_pixels ck_product(ck_pixels p, const ck_matrix *matrix) {
  return (ck_pixels){
    ck_weighted(p, matrix->red), ck_weighted(p, matrix->green), ck_weighted(p, matrix->blue)};
}
/// The same value in eight lanes.
CK_BODY cv_f8 ck_all(float value) { return (cv_f8)(value); }
/// Whether a comparison is true in any lane.
CK_BODY _Bool ck_any(cv_i8 mask) { return __builtin_reduce_or(mask) != 0; }
