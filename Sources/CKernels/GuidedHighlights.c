#include "Kernel.h"

/// The color of cell `x` between two rows of cells.
CK_BODY cv_f4 cellColor(const float *upper, const float *lower, float fy, int64_t x) {
  cv_f4 a = f4(upper + 4 * x);
  return a + fy * (f4(lower + 4 * x) - a);
}

/// The color of the light at eight photosites from column `x` of row `y` on, a vector a channel: between the middles
/// of cells, and by `single` from the colors beside one saturated channel to those beside the second. A cell is wider
/// than eight photosites, so they lie between three.
CK_BODY void colorsAt(const ck_guidedHighlights *s, int64_t x, int64_t y, cv_f8 single, cv_f8 *colors) {
  float fy = ((float)y + 0.5f) / s->cellHeight - 0.5f, lastRow = (float)(s->rows - 1);
  fy = fy < 0 ? 0 : fy > lastRow ? lastRow : fy;
  int64_t top = (int64_t)fy, bottom = top + 1 < s->rows ? top + 1 : s->rows - 1;
  fy -= (float)top;
  cv_f8 lane = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
  cv_f8 column = ((float)x + lane) / s->cellWidth - 0.5f;
  column = cv_min8(cv_max8(column, (cv_f8)(0.0f)), (cv_f8)((float)(s->columns - 1)));
  int64_t left = (int64_t)column[0];
  int64_t middle = left + 1 < s->columns ? left + 1 : left, right = middle + 1 < s->columns ? middle + 1 : middle;
  column -= (float)left;
  cv_f8 first = cv_min8(column, (cv_f8)(1.0f)), second = cv_max8(column - 1, (cv_f8)(0.0f));
  cv_f4 found[2][3];
  for (int n = 0; n < 2; n++) {
    const float *upper = s->colors[n] + 4 * top * s->columns;
    const float *lower = s->colors[n] + 4 * bottom * s->columns;
    cv_f4 a = cellColor(upper, lower, fy, left), b = cellColor(upper, lower, fy, middle);
    found[n][0] = a;
    found[n][1] = b - a;
    found[n][2] = cellColor(upper, lower, fy, right) - b;
  }
  for (int c = 0; c < 4; c++) {
    cv_f8 a = found[0][0][c] + first * found[0][1][c] + second * found[0][2][c];
    cv_f8 b = found[1][0][c] + first * found[1][1][c] + second * found[1][2][c];
    colors[c] = a + single * (b - a);
  }
}

/// Rows of masks and of the pattern around a row of the picture.
typedef struct patternRows {
  int64_t masks[5];
  uint8_t channels[5];
} patternRows;

/// Evidence in the 5 × 5 around eight photosites, and that of each channel and its light, those in the 3 × 3 four
/// times. `weights` and `lights` are not set where `sum` is 0 in all lanes of `isSaturated`.
CK_BODY cv_f8 gatherAny(const ck_guidedHighlights *s, const ck_highlightRow *r, const patternRows *pattern, int64_t i,
                        cv_i8 isSaturated, cv_f8 *weights, cv_f8 *lights, const int channels) {
  cv_f8 sum = 0;
  for (int dy = -2; dy <= 2; dy++) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    for (int dx = -2; dx <= 2; dx++) sum += f8(free + dx);
  }
  if (!ck_any(isSaturated & (sum > 0))) return sum;
  for (int c = 0; c < channels; c++) weights[c] = lights[c] = 0;
  for (int dy = -2; dy <= 2; dy++) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    const float *values = r->values + dy * r->stride + i;
    for (int c = 0; c < channels; c++) {
      if (!(pattern->channels[dy + 2] & 1 << c)) continue;
      const float *mask = s->masks[c] + pattern->masks[dy + 2];
      for (int dx = -2; dx <= 2; dx++) {
        cv_f8 weight = f8(free + dx) * f8(mask + i + dx);
        if (dx * dx < 4 && dy * dy < 4) weight *= 4;
        weights[c] += weight;
        lights[c] += weight * f8(values + dx);
      }
    }
  }
  return sum;
}

/// The taps of the 5 × 5 that have one filter of a pattern of 2 × 2: every second column and row from `dx`, `dy` on.
/// Adds the evidence to `sum`.
CK_BODY void gatherFilter(const ck_highlightRow *r, int64_t i, int firstX, int firstY, cv_f8 *sum, cv_f8 *weight,
                          cv_f8 *light) {
  cv_f8 near = 0, far = 0, nearLight = 0, farLight = 0;
  for (int dy = firstY; dy <= 2; dy += 2) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    const float *values = r->values + dy * r->stride + i;
    for (int dx = firstX; dx <= 2; dx += 2) {
      cv_f8 e = f8(free + dx), v = e * f8(values + dx);
      if (dx * dx < 4 && dy * dy < 4) {
        near += e;
        nearLight += v;
      } else {
        far += e;
        farLight += v;
      }
    }
  }
  *sum += near + far;
  *weight = near * 4 + far;
  *light = nearLight * 4 + farLight;
}

/// The same for patterns of 2 × 2, in which all taps of one column and row parity have one filter: without masks. The
/// photosite's own filter tells nothing of the others.
CK_BODY cv_f8 gatherTwoByTwo(const ck_guidedHighlights *s, const ck_highlightRow *r, const patternRows *pattern,
                             int64_t i, cv_i8 isSaturated, cv_f8 *weights, cv_f8 *lights, const int channels) {
  cv_f8 sum = 0, weight[3], light[3];
  for (int dy = -2; dy <= 2; dy += 2) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    for (int dx = -2; dx <= 2; dx += 2) sum += f8(free + dx);
  }
  gatherFilter(r, i, -1, -2, &sum, &weight[0], &light[0]);
  gatherFilter(r, i, -2, -1, &sum, &weight[1], &light[1]);
  gatherFilter(r, i, -1, -1, &sum, &weight[2], &light[2]);
  if (!ck_any(isSaturated & (sum > 0))) return sum;
  for (int c = 0; c < channels; c++) {
    const float *own = s->masks[c] + pattern->masks[2] + i, *other = s->masks[c] + pattern->masks[3] + i;
    cv_f8 beside = f8(own + 1), below = f8(other), diagonal = f8(other + 1);
    weights[c] = weight[0] * beside + weight[1] * below + weight[2] * diagonal;
    lights[c] = light[0] * beside + light[1] * below + light[2] * diagonal;
  }
  return sum;
}

/// The kernel for a number of channels, which loops over them are unrolled by, and a size of the pattern.
CK_BODY void guide(const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t x, int64_t y,
                   int64_t from, int64_t end, float *out, const int channels, const _Bool isTwoByTwo) {
  patternRows pattern;
  for (int dy = -2; dy <= 2; dy++) {
    int64_t row = (y + dy) % s->maskRows;
    row = row < 0 ? row + s->maskRows : row;
    pattern.masks[dy + 2] = row * s->maskStride + x;
    pattern.channels[dy + 2] = s->channelsOfRows[row];
  }
  const int64_t *masks = pattern.masks;
  for (int64_t i = from; i < end; i += 8) {
    cv_f8 value = f8(r->values + i);
    cv_i8 isSaturated = value >= f8(r->clip + i);
    if (!ck_any(isSaturated)) continue;
    cv_f8 gain = 0, weights[4], lights[4];
    for (int c = 0; c < channels; c++) gain += f8(s->masks[c] + masks[2] + i) * s->gains[c];
    cv_f8 sum = isTwoByTwo ? gatherTwoByTwo(s, r, &pattern, i, isSaturated, weights, lights, channels)
                           : gatherAny(s, r, &pattern, i, isSaturated, weights, lights, channels);
    if (!ck_any(isSaturated & (sum > 0))) {
      ck_store8(out + i, isSaturated ? s->ceiling / gain : value);
      continue;
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
  if (s->channels == 3 && s->isTwoByTwo) {
    guide(s, r, x, y, from, end, out, 3, 1);
  } else if (s->channels == 3) {
    guide(s, r, x, y, from, end, out, 3, 0);
  } else {
    guide(s, r, x, y, from, end, out, 4, 0);
  }
}
