// Neighboring pixels, a vector for each channel, as RGBLanes in ImageCore/Rows.
#pragma once
#include "Lanes.h"

typedef struct ck_pixels {
  lanes red, green, blue;
} ck_pixels;

CK_BODY ck_pixels ck_loadPixels(ck_threeRows rows, int64_t i) {
  return (ck_pixels){at(rows.row[0] + i), at(rows.row[1] + i), at(rows.row[2] + i)};
}
CK_BODY void ck_storePixels(ck_threeRows rows, int64_t i, ck_pixels pixels) {
  put(rows.row[0] + i, pixels.red);
  put(rows.row[1] + i, pixels.green);
  put(rows.row[2] + i, pixels.blue);
}
/// The same in rows of `count` pixels, for kernels of any number of lanes.
CK_BODY ck_pixels ck_pixelsAt(ck_threeRows rows, int64_t i, int64_t count) {
  return (ck_pixels){
    atRow(rows.row[0], i, count), atRow(rows.row[1], i, count), atRow(rows.row[2], i, count)};
}
CK_BODY void ck_putPixels(ck_threeRows rows, int64_t i, int64_t count, ck_pixels pixels) {
  putRow(rows.row[0], i, count, pixels.red);
  putRow(rows.row[1], i, count, pixels.green);
  putRow(rows.row[2], i, count, pixels.blue);
}

/// The weighted sum of the channels, such as luminance.
CK_BODY lanes ck_weighted(ck_pixels p, ck_threeValues weights) {
  return p.red * weights.value[0] + p.green * weights.value[1] + p.blue * weights.value[2];
}
/// The largest channel of each pixel.
CK_BODY lanes ck_highest(ck_pixels p) { return larger(larger(p.red, p.green), p.blue); }
/// The smallest channel of each pixel.
CK_BODY lanes ck_lowest(ck_pixels p) { return smaller(smaller(p.red, p.green), p.blue); }
/// The pixels with 0 for NaN.
CK_BODY ck_pixels ck_numbers(ck_pixels p) {
  return (ck_pixels){number(p.red), number(p.green), number(p.blue)};
}
/// The pixels with each channel within two limits.
CK_BODY ck_pixels ck_clamped(ck_pixels p, lanes low, lanes high) {
  return (ck_pixels){
    limited(p.red, low, high), limited(p.green, low, high), limited(p.blue, low, high)};
}
/// All channels times one gain for each pixel.
CK_BODY ck_pixels ck_scaled(ck_pixels p, lanes gain) {
  return (ck_pixels){p.red * gain, p.green * gain, p.blue * gain};
}
/// A matrix on each pixel, without its offset.
CK_BODY ck_pixels ck_product(ck_pixels p, const ck_matrix *matrix) {
  return (ck_pixels){
    ck_weighted(p, matrix->red), ck_weighted(p, matrix->green), ck_weighted(p, matrix->blue)};
}
