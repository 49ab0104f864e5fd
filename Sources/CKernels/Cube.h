// Looking up colors in a cube of them.
#pragma once
#include "Pixels.h"

/// Tetrahedral interpolation in a cube [r][g][b] of n entries a side, each of four floats of which
/// three count, at positions already clamped to 0...n - 1.
CK_BODY ck_pixels ck_cube(const float *table, int32_t n, ck_pixels at) {
  cv_i8 r0 = __builtin_convertvector(at.red, cv_i8);
  cv_i8 g0 = __builtin_convertvector(at.green, cv_i8);
  cv_i8 b0 = __builtin_convertvector(at.blue, cv_i8);
  r0 = r0 < n - 2 ? r0 : n - 2;
  g0 = g0 < n - 2 ? g0 : n - 2;
  b0 = b0 < n - 2 ? b0 : n - 2;
  cv_f8 fr = at.red - __builtin_convertvector(r0, cv_f8);
  cv_f8 fg = at.green - __builtin_convertvector(g0, cv_f8);
  cv_f8 fb = at.blue - __builtin_convertvector(b0, cv_f8);
  cv_i8 base = ((r0 * n + g0) * n + b0) * 4;
  int32_t toR = 4 * n * n, toG = 4 * n, toB = 4;
  ck_pixels out;
  for (int lane = 0; lane < 8; lane++) {
    float x = fr[lane], y = fg[lane], z = fb[lane];
    int32_t first = x >= y ? (x >= z ? toR : toB) : (y >= z ? toG : toB);
    int32_t last = x < y ? (x < z ? toR : toB) : (y < z ? toG : toB);
    float high = x > y ? (x > z ? x : z) : (y > z ? y : z);
    float low = x < y ? (x < z ? x : z) : (y < z ? y : z);
    float mid = (x > y ? (y > z ? y : (x > z ? z : x)) : (x > z ? x : (y > z ? z : y)));
    const float *p = table + base[lane];
    cv_f4 c0 = f4(p), c1 = f4(p + first);
    cv_f4 c2 = f4(p + (toR + toG + toB - last)), c3 = f4(p + (toR + toG + toB));
    cv_f4 v = c0 + (c1 - c0) * high + (c2 - c1) * mid + (c3 - c2) * low;
    out.red[lane] = v[0];
    out.green[lane] = v[1];
    out.blue[lane] = v[2];
  }
  return out;
}
