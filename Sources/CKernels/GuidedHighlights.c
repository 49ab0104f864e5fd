#include "Lanes.h"
#include "Smoothstep.h"

/// Where eight photosites are among the middles of cells: between two rows and, as a cell is wider than eight, three
/// columns.
typedef struct cellPosition {
  int64_t top, bottom, left, middle, right;
  float below;
  /// Whether they are between the second column and the third, and how far.
  cv_i8 isRight;
  cv_f8 across;
} cellPosition;

CK_BODY cellPosition positionIn(const ck_guidedHighlights *s, int64_t x, int64_t y) {
  cellPosition p;
  float fy = ((float)y + 0.5f) / s->cellHeight - 0.5f, lastRow = (float)(s->rows - 1);
  fy = fy < 0 ? 0 : fy > lastRow ? lastRow : fy;
  p.top = (int64_t)fy;
  p.bottom = p.top + 1 < s->rows ? p.top + 1 : s->rows - 1;
  p.below = fy - (float)p.top;
  cv_f8 lane = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
  cv_f8 column = ((float)x + lane) / s->cellWidth - 0.5f;
  column = smaller(larger(column, (cv_f8)(0.0f)), (cv_f8)((float)(s->columns - 1)));
  p.left = (int64_t)column[0];
  p.middle = p.left + 1 < s->columns ? p.left + 1 : p.left;
  p.right = p.middle + 1 < s->columns ? p.middle + 1 : p.middle;
  column -= (float)p.left;
  p.isRight = column >= 1;
  p.across = p.isRight ? column - 1 : column;
  return p;
}

/// The value of cell `x` between two rows of cells.
CK_BODY cv_f4 cellValue(const float *upper, const float *lower, float below, int64_t x) {
  cv_f4 a = f4(upper + 4 * x);
  return a + below * (f4(lower + 4 * x) - a);
}

/// What `cells` are at a position, a vector a channel.
CK_BODY void valuesAt(const ck_guidedHighlights *s, const float *cells, const cellPosition *p, cv_f8 *values,
                      const int channels) {
  const float *upper = cells + 4 * p->top * s->columns, *lower = cells + 4 * p->bottom * s->columns;
  cv_f4 a = cellValue(upper, lower, p->below, p->left), b = cellValue(upper, lower, p->below, p->middle);
  cv_f4 c = cellValue(upper, lower, p->below, p->right) - b, step = b - a;
  for (int n = 0; n < channels; n++) {
    cv_f8 from = p->isRight ? (cv_f8)(b[n]) : (cv_f8)(a[n]);
    values[n] = from + p->across * (p->isRight ? (cv_f8)(c[n]) : (cv_f8)(step[n]));
  }
}

/// Rows of masks and of the pattern around a row of the picture.
typedef struct patternRows {
  int64_t masks[5];
  uint8_t channels[5];
} patternRows;

/// Sums over photosites of one channel around eight: weights and linear values; the weights that they would have as like the
/// middle, and if none of them were saturated.
typedef struct sums {
  cv_f8 weight, linear, evident, full;
} sums;

/// Adds photosites of the filter that has a `mask` of 1. `nearness`: what their value is multiplied by for what it
/// counts.
CK_BODY void addTap(const ck_guidedHighlights *s, sums *of, cv_f8 evidence, cv_f8 value, cv_f8 nearness, cv_f8 mask,
                    _Bool isNear) {
  cv_f8 full = isNear ? mask * 4 : mask;
  cv_f8 evident = smaller(evidence * s->fading, (cv_f8)(1.0f)) * full;
  cv_f8 like = smaller(larger(value * nearness - s->darker, (cv_f8)(s->minLikeness)), (cv_f8)(1.0f));
  cv_f8 weight = evident * like;
  of->weight += weight;
  of->linear += weight * value;
  of->evident += evident;
  of->full += full;
}

/// A channel of each of eight photosites: what its filter tells, and what is known of it there.
typedef struct channel {
  cv_f8 gain, clip, shortBy, color, second, whole;
  sums around;
} channel;

/// What is known of each channel at a position.
CK_BODY void describe(const ck_guidedHighlights *s, const cellPosition *p, channel *out, const int channels) {
  cv_f8 colors[4], second[4], whole[4];
  valuesAt(s, s->colors[0], p, colors, channels);
  valuesAt(s, s->colors[1], p, second, channels);
  valuesAt(s, s->allSaturated ? s->allSaturated : s->colors[0], p, whole, channels);
  for (int c = 0; c < channels; c++) {
    out[c].gain = (cv_f8)(s->gains[c]);
    out[c].clip = (cv_f8)(s->clip[c]);
    out[c].shortBy = (cv_f8)(s->shortBy[c]);
    out[c].color = colors[c];
    out[c].second = second[c];
    out[c].whole = whole[c];
  }
}

#define CK_EACH_KNOWN(all) all(gain) all(clip) all(shortBy) all(color) all(second) all(whole)

/// Whether any photosite in the 5 × 5 around eight is not saturated.
CK_BODY _Bool hasEvidence(const ck_highlightRow *r, int64_t i) {
  cv_f8 all = 0;
  for (int dy = -2; dy <= 2; dy++) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    all += f8(free - 2) + f8(free + 2);
  }
  return anyOf(all > 0);
}

/// The sums of each channel in the 5 × 5 around eight photosites, none in the lanes of which it is their `own`.
CK_BODY void gatherAny(const ck_guidedHighlights *s, const ck_highlightRow *r, const patternRows *pattern, int64_t i,
                       const cv_f8 *own, const cv_f8 *nearness, channel *others, const int channels) {
  for (int c = 0; c < channels; c++) {
    sums around = {0};
    for (int dy = -2; dy <= 2; dy++) {
      if (!(pattern->channels[dy + 2] & 1 << c)) continue;
      const float *free = r->evidence + dy * r->evidenceStride + i;
      const float *values = r->values + dy * r->stride + i;
      const float *mask = s->masks[c] + pattern->masks[dy + 2] + i;
      for (int dx = -2; dx <= 2; dx++) {
        addTap(s, &around, f8(free + dx), f8(values + dx), nearness[c], f8(mask + dx) * (1 - own[c]),
               dx * dx < 4 && dy * dy < 4);
      }
    }
    others[c].around = around;
  }
}

/// The taps of the 5 × 5 that have one filter of a Bayer pattern: every second column and row from `dx`, `dy` on.
CK_BODY void addFilter(const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t i, int firstX, int firstY,
                       cv_f8 nearness, sums *of) {
  for (int dy = firstY; dy <= 2; dy += 2) {
    const float *free = r->evidence + dy * r->evidenceStride + i;
    const float *values = r->values + dy * r->stride + i;
    for (int dx = firstX; dx <= 2; dx += 2) {
      addTap(s, of, f8(free + dx), f8(values + dx), nearness, (cv_f8)(1.0f), dx * dx < 4 && dy * dy < 4);
    }
  }
}

/// The sums of the channel beside eight photosites of a Bayer mosaic and of the third: what is above and below is of
/// one of them, by whether a photosite `isGreen`.
CK_BODY void gatherBayer(const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t i, cv_i8 isGreen,
                         const cv_f8 *nearness, channel *others) {
  sums beside = {0}, below = {0}, diagonal = {0};
  addFilter(s, r, i, -1, -2, nearness[0], &beside);
  addFilter(s, r, i, -2, -1, isGreen ? nearness[1] : nearness[0], &below);
  addFilter(s, r, i, -1, -1, nearness[1], &diagonal);
  const cv_f8 none = 0;
#define CK_PART(field)                                                    \
  others[0].around.field = beside.field + (isGreen ? none : below.field); \
  others[1].around.field = isGreen ? below.field : diagonal.field;
  CK_PART(weight) CK_PART(linear) CK_PART(evident) CK_PART(full)
#undef CK_PART
}

/// Sums of the least squares of linear values of a color and neutral ones, a·d + b.
typedef struct squares {
  cv_f8 weight, color, square, linear, linearColor;
} squares;

CK_BODY void addValue(squares *sums, cv_f8 weight, cv_f8 linear, cv_f8 color) {
  sums->weight += weight;
  sums->color += weight * color;
  sums->square += weight * color * color;
  sums->linear += linear;
  sums->linearColor += linear * color;
}

CK_BODY void solve(const ck_guidedHighlights *s, const squares *sums, cv_f8 glossCost, cv_f8 *a, cv_f8 *b) {
  cv_f8 m = sums->square + s->colorCost * sums->weight, n = (1 + glossCost) * sums->weight;
  cv_f8 determinant = m * n - sums->color * sums->color;
  cv_f8 color = sums->linearColor * n - sums->linear * sums->color, gloss = sums->linear * m - sums->linearColor * sums->color;
  const cv_f8 none = 0;
  cv_i8 isColorless = color < 0, isGlossless = gloss < 0;
  *a = (isColorless ? none : isGlossless ? sums->linearColor : color) / (isGlossless ? sums->square : determinant);
  *b = (isColorless ? sums->linear : isGlossless ? none : gloss) / (isColorless ? sums->weight : determinant);
}

/// The kernel for a number of channels, which loops over them are unrolled by.
CK_BODY void guide(const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t x, int64_t y,
                   int64_t from, int64_t end, float *out, const int channels, const _Bool isBayer) {
  patternRows pattern;
  for (int dy = -2; dy <= 2; dy++) {
    int64_t row = (y + dy) % s->maskRows;
    row = row < 0 ? row + s->maskRows : row;
    pattern.masks[dy + 2] = row * s->maskStride + x;
    pattern.channels[dy + 2] = s->channelsOfRows[row];
  }
  // Of a Bayer mosaic the two that a photosite has not, of others all, without what is its own.
  const int count = isBayer ? 2 : channels, inRow = pattern.channels[2] & 1 ? 0 : 2;
  for (int64_t i = from; i < end; i += 8) {
    cv_f8 stored = f8(r->values + i);
    cv_i8 isSaturated = stored >= f8(r->clip + i);
    if (!anyOf(isSaturated)) continue;
    cellPosition p = positionIn(s, x + i, y);
    channel all[4], others[4], own;
    describe(s, &p, all, channels);
    cv_f8 masks[4];
    for (int c = 0; c < channels; c++) masks[c] = f8(s->masks[c] + pattern.masks[2] + i);
    cv_i8 isGreen = masks[1] > 0;
    if (isBayer) {
#define CK_CHOOSE(field)                                                \
  own.field = isGreen ? all[1].field : all[inRow].field;                \
  others[0].field = isGreen ? all[inRow].field : all[1].field;          \
  others[1].field = all[2 - inRow].field;
      CK_EACH_KNOWN(CK_CHOOSE)
#undef CK_CHOOSE
    } else {
#define CK_CHOOSE(field)                                                \
  own.field = 0;                                                        \
  for (int c = 0; c < channels; c++) own.field += masks[c] * all[c].field;
      CK_EACH_KNOWN(CK_CHOOSE)
#undef CK_CHOOSE
      for (int c = 0; c < channels; c++) others[c] = all[c];
    }
    cv_f8 value = stored * own.gain;
    cv_f8 whole = s->allSaturated ? larger(own.whole, value) : value;
    if (!hasEvidence(r, i)) {
      put(out + i, isSaturated ? whole / own.gain : stored);
      continue;
    }
    cv_f8 nearness[4], near = own.color * s->nearness / value;
    for (int n = 0; n < count; n++) nearness[n] = others[n].gain * near / others[n].color;
    if (isBayer) {
      gatherBayer(s, r, i, isGreen, nearness, others);
    } else {
      gatherAny(s, r, &pattern, i, masks, nearness, others, channels);
    }
    cv_f8 clipped[4], colors[4], a, b;
    cv_f8 total = 0, largest = 0, known = 0, smallest = 1e9f;
    for (int n = 0; n < count; n++) {
      const sums *around = &others[n].around;
      clipped[n] = larger(around->full - around->evident, (cv_f8)(0.0f));
      total += around->weight;
      largest = larger(largest, around->weight);
      known = larger(known, around->weight / (around->weight + clipped[n] + 1e-9f));
      smallest = smaller(smallest, isBayer ? clipped[n] : clipped[n] + masks[n] * 1e9f);
    }
    // 1 where no other channel is left in the 5 × 5 without saturated photosites: the value may be beyond all.
    cv_f8 beyond = s->allSaturated ? ck_boundedSmoothstep8(smallest) : (cv_f8)(0.0f);
    // 1 where the others are one channel, 0 where a quarter of their evidence is not the largest's.
    cv_f8 single = larger(4 * (largest / larger(total, (cv_f8)(1e-9f))) - 3, (cv_f8)(0.0f));
    cv_f8 glossCost = s->glossCosts[0] + (s->glossCosts[1] - s->glossCosts[0]) * single;
    cv_f8 ownColor = own.color + single * (own.second - own.color);
    squares fit = {0};
    addValue(&fit, (cv_f8)(s->own), s->own * value, ownColor);
    for (int n = 0; n < count; n++) {
      colors[n] = others[n].color + single * (others[n].second - others[n].color);
      addValue(&fit, others[n].around.weight, others[n].around.linear * others[n].gain, colors[n]);
    }
    solve(s, &fit, glossCost, &a, &b);
    // Saturated photosites that it puts below their level.
    cv_f8 missing[4], any = 0;
    for (int n = 0; n < count; n++) {
      missing[n] = clipped[n] * ck_boundedSmoothstep8((others[n].clip - (a * colors[n] + b)) * others[n].shortBy);
      any += missing[n];
    }
    if (anyOf(any > 0)) {
      for (int n = 0; n < count; n++) {
        cv_f8 further = beyond * s->beyond * larger(others[n].whole - others[n].clip, (cv_f8)(0.0f));
        addValue(&fit, missing[n], missing[n] * (others[n].clip + further), colors[n]);
      }
      solve(s, &fit, glossCost, &a, &b);
    }
    cv_f8 guess = smaller(larger(value, a * ownColor + b), larger(value, (cv_f8)(s->maximum)));
    cv_f8 unknown = (1 - ck_boundedSmoothstep8(known * s->trust)) * beyond;
    cv_f8 rebuilt = known > 0 ? larger(guess + (whole - guess) * unknown, value) : whole;
    put(out + i, isSaturated ? rebuilt / own.gain : stored);
  }
}

CK_KERNEL(
    ck_guideHighlights,
    (const ck_guidedHighlights *s, const ck_highlightRow *r, int64_t x, int64_t y, int64_t from,
     int64_t end, float *out),
    (s, r, x, y, from, end, out)) {
  if (s->isBayer) {
    guide(s, r, x, y, from, end, out, 3, 1);
  } else if (s->channels == 3) {
    guide(s, r, x, y, from, end, out, 3, 0);
  } else {
    guide(s, r, x, y, from, end, out, 4, 0);
  }
}
