#include <math.h>

#include "Lanes.h"

/// Four samples of a row from `left` on; beyond the picture its edge.
CK_BODY cv_f4 line(const float *row, int64_t left, int64_t width) {
  if (left >= 0 && left + 3 < width) return f4(row + left);
  cv_f4 values;
  for (int64_t i = 0; i < 4; i++) {
    int64_t x = left + i;
    values[i] = row[x < 0 ? 0 : x < width ? x : width - 1];
  }
  return values;
}

CK_BODY double sum(const double *row, double x, double y) { return row[2] + row[0] * x + row[1] * y; }

CK_BODY float smallest(float a, float b) { return b < a ? b : a; }
CK_BODY float largest(float a, float b) { return b >= a ? b : a; }

CK_KERNEL(
    ck_projectRow,
    (const ck_projection *map, int64_t x, int64_t y, ck_threeRows pixels, ck_threeRows rows,
     int64_t count),
    (map, x, y, pixels, rows, count)) {
  const ck_projection m = *map;
  const double down = (double)y + 0.5;
  for (int64_t i = 0; i < count; i++) {
    const double right = (double)(x + i) + 0.5;
    const double depth = sum(m.scale, right, down);
    double atX = -1e9, atY = -1e9;
    if (depth > 1e-3) {
      atX = sum(m.across, right, down) / depth;
      atY = sum(m.down, right, down) / depth;
    }
    atX -= 0.5;
    atY -= 0.5;
    // A tiny fraction of a pixel outside is due to rounding.
    if (!(atX > -0.5 - 1e-6 && atY > -0.5 - 1e-6 && atX < (double)m.width - 0.5 + 1e-6
          && atY < (double)m.height - 0.5 + 1e-6)) {
      for (int p = 0; p < 3; p++) rows.row[p][i] = 0;
      continue;
    }
    const double leftEdge = floor(atX), topEdge = floor(atY);
    const int64_t left = (int64_t)leftEdge, top = (int64_t)topEdge;
    const float t = (float)(atX - leftEdge), u = 1 - t;
    const float a0 = -t * u * u / 2, a2 = t * (1 + t * (4 - 3 * t)) / 2, a3 = -t * t * u / 2;
    const float s = (float)(atY - topEdge), v = 1 - s;
    const float d0 = -s * v * v / 2, d2 = s * (1 + s * (4 - 3 * s)) / 2, d3 = -s * s * v / 2;
    int64_t offsets[4];
    for (int64_t j = 0; j < 4; j++) {
      int64_t row = top - 1 + j;
      row = row < 0 ? 0 : row < m.height ? row : m.height - 1;
      offsets[j] = (row - m.firstRow) * m.stride - m.firstColumn;
    }
    for (int p = 0; p < 3; p++) {
      const float *first = pixels.row[p];
      const cv_f4 b = line(first + offsets[1], left - 1, m.width);
      const cv_f4 c = line(first + offsets[2], left - 1, m.width);
      const cv_f4 above = d0 * (line(first + offsets[0], left - 1, m.width) - b);
      const cv_f4 next = d2 * (c - b);
      const cv_f4 below = d3 * (line(first + offsets[3], left - 1, m.width) - b);
      const cv_f4 column = b + above + next + below;
      const float middle = column[1];
      const float value = middle + a0 * (column[0] - middle) + a2 * (column[2] - middle)
                          + a3 * (column[3] - middle);
      const float low = smallest(smallest(b[1], b[2]), smallest(c[1], c[2]));
      const float high = largest(largest(b[1], b[2]), largest(c[1], c[2]));
      rows.row[p][i] = smallest(largest(value, low), high);
    }
  }
}
