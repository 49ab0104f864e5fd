#include "Transpose.h"

CK_KERNEL(
    ck_reduceBayer,
    (const float *top, const float *bottom, int64_t topEven, float *green, float *topChroma,
     float *bottomChroma, int64_t count),
    (top, bottom, topEven, green, topChroma, bottomChroma, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 a = f8(top + 2 * x), b = f8(top + 2 * x + 8);
    cv_f8 c = f8(bottom + 2 * x), d = f8(bottom + 2 * x + 8);
    cv_f8 evenTop = evenLanes(a, b), oddTop = oddLanes(a, b);
    cv_f8 evenBottom = evenLanes(c, d), oddBottom = oddLanes(c, d);
    put(green + x, (topEven ? evenTop + oddBottom : oddTop + evenBottom) * 0.5f);
    put(topChroma + x, topEven ? oddTop : evenTop);
    put(bottomChroma + x, topEven ? evenBottom : oddBottom);
  }
}

CK_KERNEL(
    ck_reduceXTrans,
    (const float *top, int64_t stride, const int64_t *channels, ck_threeRows out, int64_t count),
    (top, stride, channels, out, count)) {
  // Of the blocks in even and in odd columns.
  float counts[2][3] = {{0, 0, 0}, {0, 0, 0}};
  for (int site = 0; site < 18; site++) counts[site / 9][channels[site]] += 1;
  for (int64_t x = 0; x < count; x += 16) {
    cv_f8 sums[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int dy = 0; dy < 3; dy++) {
      cv_f8 v[8];
      for (int k = 0; k < 8; k++) v[k] = f8(top + dy * stride + 3 * x + 6 * k);
      transpose(v);
      for (int dx = 0; dx < 6; dx++) {
        int block = dx / 3;
        sums[block][channels[9 * block + 3 * dy + dx % 3]] += v[dx];
      }
    }
    for (int c = 0; c < 3; c++) {
      cv_f8 even = sums[0][c] / counts[0][c], odd = sums[1][c] / counts[1][c];
      put(out.row[c] + x, zippedLow(even, odd));
      put(out.row[c] + x + 8, zippedHigh(even, odd));
    }
  }
}
