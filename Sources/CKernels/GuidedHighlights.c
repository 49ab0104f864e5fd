#include "Kernel.h"
#include "Smoothstep.h"

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

/// Sums over photosites of one channel around eight: weights, light, and both by columns and rows from the middle.
typedef struct moments {
  cv_f8 weight, light, x, y, lightX, lightY, xx, yy;
} moments;

CK_BODY void addTap(moments *m, cv_f8 weight, cv_f8 value, float dx, float dy) {
  cv_f8 light = weight * value;
  m->weight += weight;
  m->light += light;
  m->x += weight * dx;
  m->y += weight * dy;
  m->lightX += light * dx;
  m->lightY += light * dy;
  m->xx += weight * (dx * dx);
  m->yy += weight * (dy * dy);
}

CK_BODY void addFilter(moments *m, const moments *filter, cv_f8 mask) {
  m->weight += filter->weight * mask;
  m->light += filter->light * mask;
  m->x += filter->x * mask;
  m->y += filter->y * mask;
  m->lightX += filter->lightX * mask;
  m->lightY += filter->lightY * mask;
  m->xx += filter->xx * mask;
  m->yy += filter->yy * mask;
}

/// Evidence in the 5 × 5 around eight photosites, and the sums of each channel, those in the 3 × 3 four times. `sums`
/// are not set where `sum` is 0 in all lanes of `isSaturated`.
CK_BODY cv_f8 gatherAny(const ck_guidedHighlights *s, const ck_highlightRow *r, const patternRows *pattern, int64_t i,
                        cv_i8 isSaturated, moments *sums, const int channels) {
  cv_f8 sum = 0;
  for (int dy = -2; dy <= 2; dy++) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    for (int dx = -2; dx <= 2; dx++) sum += f8(free + dx);
  }
  if (!ck_any(isSaturated & (sum > 0))) return sum;
  for (int c = 0; c < channels; c++) sums[c] = (moments){0};
  for (int dy = -2; dy <= 2; dy++) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    const float *values = r->values + dy * r->stride + i;
    for (int c = 0; c < channels; c++) {
      if (!(pattern->channels[dy + 2] & 1 << c)) continue;
      const float *mask = s->masks[c] + pattern->masks[dy + 2];
      for (int dx = -2; dx <= 2; dx++) {
        cv_f8 weight = cv_min8(f8(free + dx) * s->fading, (cv_f8)(1.0f)) * f8(mask + i + dx);
        if (dx * dx < 4 && dy * dy < 4) weight *= 4;
        addTap(&sums[c], weight, f8(values + dx), dx, dy);
      }
    }
  }
  return sum;
}

/// The taps of the 5 × 5 that have one filter of a pattern of 2 × 2: every second column and row from `dx`, `dy` on.
/// Adds the evidence to `sum`.
CK_BODY void gatherFilter(const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t i, int firstX,
                          int firstY, cv_f8 *sum, moments *sums) {
  *sums = (moments){0};
  for (int dy = firstY; dy <= 2; dy += 2) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    const float *values = r->values + dy * r->stride + i;
    for (int dx = firstX; dx <= 2; dx += 2) {
      cv_f8 e = f8(free + dx);
      *sum += e;
      e = cv_min8(e * s->fading, (cv_f8)(1.0f));
      addTap(sums, dx * dx < 4 && dy * dy < 4 ? e * 4 : e, f8(values + dx), dx, dy);
    }
  }
}

/// The same for patterns of 2 × 2, in which all taps of one column and row parity have one filter: without masks. The
/// photosite's own filter tells nothing of the others.
CK_BODY cv_f8 gatherTwoByTwo(const ck_guidedHighlights *s, const ck_highlightRow *r, const patternRows *pattern,
                             int64_t i, cv_i8 isSaturated, moments *sums, const int channels) {
  cv_f8 sum = 0;
  moments filters[3];
  for (int dy = -2; dy <= 2; dy += 2) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    for (int dx = -2; dx <= 2; dx += 2) sum += f8(free + dx);
  }
  gatherFilter(s, r, i, -1, -2, &sum, &filters[0]);
  gatherFilter(s, r, i, -2, -1, &sum, &filters[1]);
  gatherFilter(s, r, i, -1, -1, &sum, &filters[2]);
  if (!ck_any(isSaturated & (sum > 0))) return sum;
  for (int c = 0; c < channels; c++) {
    const float *own = s->masks[c] + pattern->masks[2] + i, *other = s->masks[c] + pattern->masks[3] + i;
    cv_f8 beside = f8(own + 1), below = f8(other), diagonal = f8(other + 1);
    sums[c] = (moments){0};
    addFilter(&sums[c], &filters[0], beside);
    addFilter(&sums[c], &filters[1], below);
    addFilter(&sums[c], &filters[2], diagonal);
  }
  return sum;
}

/// Weight and light of each channel as they would be if its evidence were around the middle, where the light rises by
/// a factor a photosite across and down, that of all channels but the photosite's own.
CK_BODY void moved(const ck_guidedHighlights *s, const moments *sums, int64_t mask, cv_f8 *weights, cv_f8 *lights,
                   const int channels) {
  cv_f8 risesX = 0, risesY = 0, spreadX = 0, spreadY = 0, per[4];
  for (int c = 0; c < channels; c++) {
    const moments *m = &sums[c];
    per[c] = 1 / cv_max8(m->weight, (cv_f8)(1e-9f));
    cv_f8 mean = m->light * per[c], gain = s->gains[c] * (1 - f8(s->masks[c] + mask));
    risesX += (m->lightX - m->x * mean) * gain;
    risesY += (m->lightY - m->y * mean) * gain;
    spreadX += ((m->xx - m->x * m->x * per[c]) * mean + s->slopeCost * m->light) * gain;
    spreadY += ((m->yy - m->y * m->y * per[c]) * mean + s->slopeCost * m->light) * gain;
  }
  cv_f8 slopeX = risesX / cv_max8(spreadX, (cv_f8)(1e-9f)), slopeY = risesY / cv_max8(spreadY, (cv_f8)(1e-9f));
  for (int c = 0; c < channels; c++) {
    const moments *m = &sums[c];
    cv_f8 away = (m->x * slopeX + m->y * slopeY) * per[c];
    weights[c] = m->weight;
    lights[c] = m->light * (1 - cv_clamp8(away, -s->farthest, s->farthest));
  }
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
    moments sums[4];
    for (int c = 0; c < channels; c++) gain += f8(s->masks[c] + masks[2] + i) * s->gains[c];
    cv_f8 sum = isTwoByTwo ? gatherTwoByTwo(s, r, &pattern, i, isSaturated, sums, channels)
                           : gatherAny(s, r, &pattern, i, isSaturated, sums, channels);
    if (!ck_any(isSaturated & (sum > 0))) {
      ck_store8(out + i, isSaturated ? s->ceiling / gain : value);
      continue;
    }
    moved(s, sums, masks[2] + i, weights, lights, channels);
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
    cv_f8 known = ck_smoothstep8(cv_min8(sum * s->trust, (cv_f8)(1.0f)));
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
