#include "Lanes.h"

/// Columns of a window and one beside it on each side, in whole vectors.
enum { wide = 16 };

/// `rows` rows from one above a window on, `other` its first sample, interpolated along rows and columns.
CK_BODY void displace(const ck_lateralTaps *t, const float *other, int64_t stride, int64_t rows, float *out) {
  float lines[(wide + 3) * wide];
  const float *from = other + (t->down - 1) * stride + t->across - 1;
  for (int64_t y = 0; y < rows + 3; y++, from += stride) {
    for (int64_t x = 0; x < wide; x += 8) {
      cv_f8 sum = f8(from + x) * t->acrossWeights[0];
      for (int k = 1; k < 4; k++) sum += f8(from + x + k) * t->acrossWeights[k];
      put(lines + y * wide + x, sum);
    }
  }
  for (int64_t i = 0; i < rows * wide; i += 8) {
    cv_f8 sum = f8(lines + i) * t->downWeights[0];
    for (int k = 1; k < 4; k++) sum += f8(lines + i + k * wide) * t->downWeights[k];
    put(out + i, sum);
  }
}

CK_BODY float sumOf(cv_f8 v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

CK_KERNEL(
    ck_compareLateral,
    (const ck_lateralTaps *taps, const float *green, const float *other, int64_t stride, int64_t side,
     ck_lateralSums *sums),
    (taps, green, other, stride, side, sums)) {
  float displaced[wide * wide] = {0};
  displace(taps, other, stride, side + 2, displaced);
  const float *red = displaced + wide + 1;
  cv_f8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  // Only as far as the window reaches.
  cv_f8 inside[2] = {0, 0};
  for (int v = 0; v < 2; v++) inside[v] = lane < (float)(side - 8 * v) ? (cv_f8)(1.0f) : (cv_f8)(0.0f);
  cv_f8 meanG = 0, meanR = 0;
  for (int64_t y = 0; y < side; y++) {
    for (int v = 0; v < 2; v++) {
      meanG += f8(green + y * stride + 8 * v) * inside[v];
      meanR += f8(red + y * wide + 8 * v) * inside[v];
    }
  }
  float count = (float)(side * side);
  float mg = sumOf(meanG) / count, mr = sumOf(meanR) / count;
  cv_f8 gg = 0, rr = 0, gr = 0;
  for (int64_t y = 0; y < side; y++) {
    for (int v = 0; v < 2; v++) {
      cv_f8 g = (f8(green + y * stride + 8 * v) - mg) * inside[v];
      cv_f8 r = (f8(red + y * wide + 8 * v) - mr) * inside[v];
      gg += g * g;
      rr += r * r;
      gr += g * r;
    }
  }
  sums->gg = sumOf(gg);
  sums->rr = sumOf(rr);
  sums->gr = sumOf(gr);
  float contrast = sums->gr / (sums->gg > 1e-12f ? sums->gg : 1e-12f);
  cv_f8 sx = 0, sy = 0, xx = 0, xy = 0, yy = 0, xe = 0, ye = 0, ee = 0;
  for (int64_t y = 0; y < side; y++) {
    for (int v = 0; v < 2; v++) {
      const float *g = green + y * stride + 8 * v, *r = red + y * wide + 8 * v;
      cv_f8 dx = (f8(g + 1) - f8(g - 1)) * contrast + (f8(r + 1) - f8(r - 1));
      cv_f8 dy = (f8(g + stride) - f8(g - stride)) * contrast + (f8(r + wide) - f8(r - wide));
      dx *= 0.25f * inside[v];
      dy *= 0.25f * inside[v];
      cv_f8 e = (f8(r) - mr - contrast * (f8(g) - mg)) * inside[v];
      sx += dx;
      sy += dy;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
      xe += dx * e;
      ye += dy * e;
      ee += e * e;
    }
  }
  sums->x = sumOf(sx);
  sums->y = sumOf(sy);
  sums->xx = sumOf(xx);
  sums->xy = sumOf(xy);
  sums->yy = sumOf(yy);
  sums->xe = sumOf(xe);
  sums->ye = sumOf(ye);
  sums->ee = sumOf(ee);
}
