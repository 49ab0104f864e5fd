// Colors of one hue and lightness in Oklab, by their chroma.
#pragma once
#include "CubeRoot.h"

/// A color's channels where `k` times its chroma is left: a cubic each.
typedef struct ck_hueLine {
  cv_f8 gray;
  ck_pixels first, second, third;
} ck_hueLine;

/// That through the color of `lightness` and of `a` and `b`.
CK_BODY ck_hueLine ck_hueLineOf(
    cv_f8 lightness, cv_f8 a, cv_f8 b, const ck_matrix *fromLab, const ck_matrix *fromLMS) {
  const cv_f8 none = 0;
  ck_pixels d = ck_product((ck_pixels){none, a, b}, fromLab);
  ck_pixels squares = {d.red * d.red, d.green * d.green, d.blue * d.blue};
  ck_pixels cubes = {squares.red * d.red, squares.green * d.green, squares.blue * d.blue};
  return (ck_hueLine){
    lightness * lightness * lightness, ck_scaled(ck_product(d, fromLMS), 3 * lightness * lightness),
    ck_scaled(ck_product(squares, fromLMS), 3 * lightness), ck_product(cubes, fromLMS)};
}

CK_BODY cv_f8 ck_cubic(cv_f8 gray, cv_f8 a, cv_f8 b, cv_f8 c, cv_f8 k) {
  return gray + k * (a + k * (b + k * c));
}
/// The color where `k` times the chroma is left.
CK_BODY ck_pixels ck_along(const ck_hueLine *line, cv_f8 k) {
  return (ck_pixels){
    ck_cubic(line->gray, line->first.red, line->second.red, line->third.red, k),
    ck_cubic(line->gray, line->first.green, line->second.green, line->third.green, k),
    ck_cubic(line->gray, line->first.blue, line->second.blue, line->third.blue, k)};
}

/// A range of `k` with how far the color is inside a gamut at both ends, negative at the second.
typedef struct ck_crossing {
  cv_f8 low, high, before, behind;
} ck_crossing;
/// Narrows the range by what is `left` at `k`.
CK_BODY void ck_narrow(ck_crossing *c, cv_f8 k, cv_f8 left) {
  cv_i8 further = left >= 0;
  c->low = further ? k : c->low;
  c->before = further ? left : c->before;
  c->high = further ? c->high : k;
  c->behind = further ? c->behind : left;
}
