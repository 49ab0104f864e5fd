#include "Kernel.h"

/// The color of the light at eight photosites from column `x` of row `y` on, a vector a channel: between four cells,
/// and by `single` from the colors beside one saturated channel to those beside the second.
CK_BODY void colorsAt(const ck_guidedHighlights *s, int64_t x, int64_t y, cv_f8 single, cv_f8 *colors) {
  float fy = ((float)y + 0.5f) / s->cellHeight - 0.5f, last = (float)(s->rows - 1);
  fy = fy < 0 ? 0 : fy > last ? last : fy;
  int64_t top = (int64_t)fy, bottom = top + 1 < s->rows ? top + 1 : s->rows - 1;
  fy -= (float)top;
  float lanes[4][8];
  for (int k = 0; k < 8; k++) {
    float place = ((float)(x + k) + 0.5f) / s->cellWidth - 0.5f;
    float end = (float)(s->columns - 1);
    place = place < 0 ? 0 : place > end ? end : place;
    int64_t left = (int64_t)place, right = left + 1 < s->columns ? left + 1 : s->columns - 1;
    float fx = place - (float)left;
    cv_f4 found[2];
    for (int n = 0; n < 2; n++) {
      const float *upper = s->colors[n] + 4 * top * s->columns;
      const float *lower = s->colors[n] + 4 * bottom * s->columns;
      cv_f4 a = f4(upper + 4 * left), b = f4(lower + 4 * left);
      a += fx * (f4(upper + 4 * right) - a);
      b += fx * (f4(lower + 4 * right) - b);
      found[n] = a + fy * (b - a);
    }
    cv_f4 color = found[0] + single[k] * (found[1] - found[0]);
    for (int c = 0; c < 4; c++) lanes[c][k] = color[c];
  }
  for (int c = 0; c < 4; c++) colors[c] = f8(lanes[c]);
}

/// The kernel for a number of channels, which loops over them are unrolled by.
CK_BODY void guide(const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t x, int64_t y,
                   int64_t from, int64_t end, float *out, const int channels) {
  int64_t masks[5];
  for (int dy = -2; dy <= 2; dy++) {
    int64_t row = (y + dy) % s->maskRows;
    masks[dy + 2] = (row < 0 ? row + s->maskRows : row) * s->maskStride + x;
  }
  for (int64_t i = from; i < end; i += 8) {
    cv_f8 value = f8(r->values + i);
    cv_i8 isSaturated = value >= f8(r->clip + i);
    if (!ck_any(isSaturated)) continue;
    cv_f8 sum = 0, gain = 0;
    for (int c = 0; c < channels; c++) gain += f8(s->masks[c] + masks[2] + i) * s->gains[c];
    for (int dy = -2; dy <= 2; dy++) {
      const float *free = r->evidence + dy * r->evidenceStride + i;
      for (int dx = -2; dx <= 2; dx++) sum += f8(free + dx);
    }
    if (!ck_any(isSaturated & (sum > 0))) {
      ck_store8(out + i, isSaturated ? s->ceiling / gain : value);
      continue;
    }
    cv_f8 weights[4] = {0, 0, 0, 0}, lights[4] = {0, 0, 0, 0};
    for (int dy = -2; dy <= 2; dy++) {
      const float *free = r->evidence + dy * r->evidenceStride + i;
      const float *values = r->values + dy * r->stride + i;
      for (int dx = -2; dx <= 2; dx++) {
        cv_f8 evidence = f8(free + dx), near = f8(values + dx);
        if (dx * dx < 4 && dy * dy < 4) evidence *= 4;
        for (int c = 0; c < channels; c++) {
          cv_f8 weight = evidence * f8(s->masks[c] + masks[dy + 2] + i + dx);
          weights[c] += weight;
          lights[c] += weight * near;
        }
      }
    }
    cv_f8 all = 0, largest = 0;
    for (int c = 0; c < channels; c++) {
      weights[c] *= 1 - f8(s->masks[c] + masks[2] + i);
      all += weights[c];
      largest = cv_max8(largest, weights[c]);
    }
    // 1 where the others are one channel, 0 where a quarter of their evidence is not the largest's.
    cv_f8 single = cv_max8(4 * (largest / cv_max8(all, (cv_f8)(1e-9f))) - 3, (cv_f8)(0.0f));
    cv_f8 glossCost = s->glossCosts[0] + (s->glossCosts[1] - s->glossCosts[0]) * single;
    cv_f8 colors[4];
    colorsAt(s, x + i, y, single, colors);
    // Sums of the least squares.
    cv_f8 weight = 0, color = 0, square = 0, light = 0, litColor = 0, ownColor = 0;
    for (int c = 0; c < channels; c++) {
      cv_f8 own = f8(s->masks[c] + masks[2] + i);
      cv_f8 w = weights[c] + s->own * own;
      cv_f8 v = (lights[c] * (1 - own) + s->own * own * value) * s->gains[c];
      weight += w;
      color += w * colors[c];
      square += w * colors[c] * colors[c];
      light += v;
      litColor += v * colors[c];
      ownColor += own * colors[c];
    }
    cv_f8 m = square + s->colorCost * weight, n = (1 + glossCost) * weight;
    cv_f8 determinant = m * n - color * color;
    cv_f8 a = (litColor * n - light * color) / determinant;
    cv_f8 b = (light * m - litColor * color) / determinant;
    cv_f8 fitted = b < 0 ? litColor / square * ownColor : a * ownColor + b;
    fitted = a < 0 ? light / weight : fitted;
    value *= gain;
    cv_f8 most = cv_max8(value, (cv_f8)(s->excess * s->ceiling));
    cv_f8 guess = cv_min8(cv_max8(value, fitted), most);
    cv_f8 t = cv_min8(sum * 0.25f, (cv_f8)(1.0f));
    cv_f8 known = t * t * (3 - 2 * t);
    cv_f8 rebuilt = (s->ceiling + (guess - s->ceiling) * known) / gain;
    rebuilt = sum > 0 ? rebuilt : s->ceiling / gain;
    ck_store8(out + i, isSaturated ? rebuilt : f8(r->values + i));
  }
}

CK_KERNEL(
    ck_guideHighlights,
    (const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t x, int64_t y, int64_t from,
     int64_t end, float *out),
    (s, r, x, y, from, end, out)) {
  if (s->channels == 3) {
    guide(s, r, x, y, from, end, out, 3);
  } else {
    guide(s, r, x, y, from, end, out, 4);
  }
}
