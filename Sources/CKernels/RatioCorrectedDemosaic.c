#include "BayerRows.h"

CK_KERNEL(
    ck_splitBayerRow,
    (const ck_bayerRows *rows, int64_t y, int64_t shift, ck_demosaicScale scale,
     const float *source, int64_t count),
    (rows, y, shift, scale, source, count)) {
  float *green = rowOf(rows, rows->mosaic.green, y), *chroma = rowOf(rows, rows->mosaic.chroma, y);
  float *even = shift ? green : chroma, *odd = shift ? chroma : green;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 low = ck_scaled8(scale, f8(source + 2 * i));
    cv_f8 high = ck_scaled8(scale, f8(source + 2 * i + 8));
    ck_store8(even + i, ck_even8(low, high));
    ck_store8(odd + i, ck_odd8(low, high));
  }
}

CK_KERNEL(
    ck_joinBayerRow,
    (ck_demosaicScale scale, const float *even, const float *odd, float *out, int64_t count),
    (scale, even, odd, out, count)) {
  for (int64_t x = 0; x < count; x += 16) {
    cv_f8 e = ck_unscaled8(scale, f8(even + x / 2)), o = ck_unscaled8(scale, f8(odd + x / 2));
    ck_store8(out + x, ck_zipLow8(e, o));
    ck_store8(out + x + 8, ck_zipHigh8(e, o));
  }
}

// MARK: - Steps 1 and 2: directions and low-pass

CK_BAYER_KERNEL(ck_lowPass) {
  const float *c = rowOf(rows, rows->mosaic.chroma, y);
  const float *cN = rowOf(rows, rows->mosaic.chroma, y - 1);
  const float *cS = rowOf(rows, rows->mosaic.chroma, y + 1);
  const float *g = rowOf(rows, rows->mosaic.green, y);
  const float *gN = rowOf(rows, rows->mosaic.green, y - 1);
  const float *gS = rowOf(rows, rows->mosaic.green, y + 1);
  float *out = rowOf(rows, rows->lowPass, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t left = i - 1 + shift, right = i + shift;
    cv_f8 edges = f8(g + left) + f8(g + right) + f8(gN + i) + f8(gS + i);
    cv_f8 above = f8(cN + left) + f8(cN + right);
    cv_f8 below = f8(cS + left) + f8(cS + right);
    ck_store8(out + i, f8(c + i) + edges * 0.5f + (above + below) * 0.25f);
  }
}

/// The filter 1, −3, −1, 6, −1, −3, 1, squared: invariant to levels and slopes, and to a constant
/// difference between the two colors of the line.
CK_BODY cv_f8 squaredHighPass(
    cv_f8 a3, cv_f8 a2, cv_f8 a1, cv_f8 center, cv_f8 b1, cv_f8 b2, cv_f8 b3) {
  cv_f8 outer = (a3 + b3) - (a1 + b1);
  cv_f8 h = outer - (a2 + b2) * 3 + center * 6;
  return h * h;
}

CK_BODY void columnHighPass(
    const ck_bayerRows *rows, float *own, float *other, int64_t y, float *out, int64_t count) {
  const float *p0 = rowOf(rows, own, y);
  const float *a1 = rowOf(rows, other, y - 1), *b1 = rowOf(rows, other, y + 1);
  const float *a2 = rowOf(rows, own, y - 2), *b2 = rowOf(rows, own, y + 2);
  const float *a3 = rowOf(rows, other, y - 3), *b3 = rowOf(rows, other, y + 3);
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(
        out + i,
        squaredHighPass(
            f8(a3 + i), f8(a2 + i), f8(a1 + i), f8(p0 + i), f8(b1 + i), f8(b2 + i), f8(b3 + i)));
  }
}

CK_BODY void diagonalHighPass(
    const ck_bayerRows *rows, int64_t y, int64_t shift, int64_t count) {
  float *chroma = rows->mosaic.chroma;
  const float *c0 = rowOf(rows, chroma, y);
  const float *a1 = rowOf(rows, chroma, y - 1), *b1 = rowOf(rows, chroma, y + 1);
  const float *a2 = rowOf(rows, chroma, y - 2), *b2 = rowOf(rows, chroma, y + 2);
  const float *a3 = rowOf(rows, chroma, y - 3), *b3 = rowOf(rows, chroma, y + 3);
  float *falling = rowOf(rows, rows->falling, y), *rising = rowOf(rows, rows->rising, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t l1 = i - 1 + shift, r1 = i + shift, l3 = i - 2 + shift, r3 = i + 1 + shift;
    ck_store8(
        falling + i,
        squaredHighPass(
            f8(a3 + l3), f8(a2 + i - 1), f8(a1 + l1), f8(c0 + i), f8(b1 + r1), f8(b2 + i + 1),
            f8(b3 + r3)));
    ck_store8(
        rising + i,
        squaredHighPass(
            f8(a3 + r3), f8(a2 + i + 1), f8(a1 + r1), f8(c0 + i), f8(b1 + l1), f8(b2 + i - 1),
            f8(b3 + l3)));
  }
}

CK_BAYER_KERNEL(ck_highPass) {
  float *green = rows->mosaic.green, *chroma = rows->mosaic.chroma;
  columnHighPass(rows, chroma, green, y, rowOf(rows, rows->vertical.chroma, y), count);
  columnHighPass(rows, green, chroma, y, rowOf(rows, rows->vertical.green, y), count);
  diagonalHighPass(rows, y, shift, count);
}

/// Squared high-pass along a row at the photosites `own`, whose neighbors are `other`.
CK_BODY void rowHighPass(
    const float *own, const float *other, int64_t s, float *out, int64_t count) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(
        out + i,
        squaredHighPass(
            f8(other + i - 2 + s), f8(own + i - 1), f8(other + i - 1 + s), f8(own + i),
            f8(other + i + s), f8(own + i + 1), f8(other + i + 1 + s)));
  }
}

/// The fraction of the variation that is along the first of two lines; one half where there is none.
CK_BODY cv_f8 fractionOf(cv_f8 first, cv_f8 second) {
  cv_f8 epsilon = 1e-10f;
  cv_f8 a = cv_max8(first, epsilon);
  return a / (a + cv_max8(second, epsilon));
}

CK_BAYER_KERNEL(ck_directions) {
  const float *g = rowOf(rows, rows->mosaic.green, y), *c = rowOf(rows, rows->mosaic.chroma, y);
  float *hg = rowOf(rows, rows->horizontal.green, y);
  float *hc = rowOf(rows, rows->horizontal.chroma, y);
  rowHighPass(c, g, shift, hc, count);
  rowHighPass(g, c, 1 - shift, hg, count);
  const float *vg = rowOf(rows, rows->vertical.green, y);
  const float *vgN = rowOf(rows, rows->vertical.green, y - 1);
  const float *vgS = rowOf(rows, rows->vertical.green, y + 1);
  const float *vc = rowOf(rows, rows->vertical.chroma, y);
  const float *vcN = rowOf(rows, rows->vertical.chroma, y - 1);
  const float *vcS = rowOf(rows, rows->vertical.chroma, y + 1);
  float *atChroma = rowOf(rows, rows->direction.chroma, y);
  float *atGreen = rowOf(rows, rows->direction.green, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t left = i - 1 + shift, right = i + shift;
    ck_store8(
        atChroma + i,
        fractionOf(
            f8(vgN + i) + f8(vc + i) + f8(vgS + i), f8(hg + left) + f8(hc + i) + f8(hg + right)));
    ck_store8(
        atGreen + i,
        fractionOf(
            f8(vcN + i) + f8(vg + i) + f8(vcS + i),
            f8(hc + i - shift) + f8(hg + i) + f8(hc + i + 1 - shift)));
  }
  const float *f = rowOf(rows, rows->falling, y), *fN = rowOf(rows, rows->falling, y - 1);
  const float *fS = rowOf(rows, rows->falling, y + 1);
  const float *r = rowOf(rows, rows->rising, y), *rN = rowOf(rows, rows->rising, y - 1);
  const float *rS = rowOf(rows, rows->rising, y + 1);
  float *diagonal = rowOf(rows, rows->diagonal, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t left = i - 1 + shift, right = i + shift;
    ck_store8(
        diagonal + i,
        fractionOf(
            f8(fN + left) + f8(f + i) + f8(fS + right),
            f8(rN + right) + f8(r + i) + f8(rS + left)));
  }
}

/// Of a fraction at `i` and the mean of the four around it, at `left` and `right` in the rows above and below,
/// the more decided one, farther from one half.
CK_BODY cv_f8 decided(
    const float *here, const float *above, const float *below, int64_t i, int64_t left,
    int64_t right) {
  cv_f8 corners = f8(above + left) + f8(above + right) + f8(below + left) + f8(below + right);
  cv_f8 own = f8(here + i), around = corners * 0.25f;
  return cv_abs8(own - 0.5f) >= cv_abs8(around - 0.5f) ? own : around;
}

// MARK: - Steps 3 and 4: the missing colors

/// Keeps inverse gradients finite where nothing varies.
static const float epsilon = 1e-5f;

/// A weighted mean as numerator and denominator, so that those of two lines share one division.
typedef struct fraction {
  cv_f8 over, under;
} fraction;

/// (1 − `weight`) · `first` + `weight` · `second`.
CK_BODY cv_f8 mix(fraction first, fraction second, cv_f8 weight) {
  cv_f8 a = first.over * second.under;
  cv_f8 b = second.over * first.under;
  return (a + weight * (b - a)) / (first.under * second.under);
}

/// One side of a chroma photosite along a line: the photosites one to four away, and the low-pass two away.
typedef struct ratioSide {
  cv_f8 green1, own2, green3, own4, low2;
} ratioSide;

CK_BODY cv_f8 ratioGradient(ratioSide side, cv_f8 across, cv_f8 own) {
  return across + cv_abs8(own - side.own2) + cv_abs8(side.green1 - side.green3) +
      cv_abs8(side.own2 - side.own4);
}

/// The estimates by ratio from both sides of a line, each weighted by the inverse gradient of the other: on
/// each side green1 · 2L / (L + low2), L the low-pass here, over one common denominator.
CK_BODY fraction ratioEstimate(ratioSide a, ratioSide b, cv_f8 own, cv_f8 low) {
  cv_f8 across = cv_abs8(a.green1 - b.green1) + epsilon;
  cv_f8 gradientA = ratioGradient(a, across, own), gradientB = ratioGradient(b, across, own);
  cv_f8 offsetLow = low + epsilon;
  cv_f8 sumA = offsetLow + a.low2, sumB = offsetLow + b.low2;
  cv_f8 doubled = low + offsetLow;
  cv_f8 weighted = gradientB * a.green1 * sumB + gradientA * b.green1 * sumA;
  return (fraction){weighted * doubled, (gradientA + gradientB) * (sumA * sumB)};
}

CK_BAYER_KERNEL(ck_greenAtChroma) {
  float *green = rows->mosaic.green, *chroma = rows->mosaic.chroma;
  const float *g = rowOf(rows, green, y), *c = rowOf(rows, chroma, y);
  const float *n1 = rowOf(rows, green, y - 1), *s1 = rowOf(rows, green, y + 1);
  const float *n2 = rowOf(rows, chroma, y - 2), *s2 = rowOf(rows, chroma, y + 2);
  const float *n3 = rowOf(rows, green, y - 3), *s3 = rowOf(rows, green, y + 3);
  const float *n4 = rowOf(rows, chroma, y - 4), *s4 = rowOf(rows, chroma, y + 4);
  const float *low = rowOf(rows, rows->lowPass, y);
  const float *lowN = rowOf(rows, rows->lowPass, y - 2);
  const float *lowS = rowOf(rows, rows->lowPass, y + 2);
  const float *direction = rowOf(rows, rows->direction.chroma, y);
  const float *above = rowOf(rows, rows->direction.chroma, y - 1);
  const float *below = rowOf(rows, rows->direction.chroma, y + 1);
  float *out = rowOf(rows, rows->greenAtChroma, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t left = i - 1 + shift, right = i + shift;
    cv_f8 own = f8(c + i), here = f8(low + i);
    ratioSide north = {f8(n1 + i), f8(n2 + i), f8(n3 + i), f8(n4 + i), f8(lowN + i)};
    ratioSide south = {f8(s1 + i), f8(s2 + i), f8(s3 + i), f8(s4 + i), f8(lowS + i)};
    fraction vertical = ratioEstimate(north, south, own, here);
    ratioSide west = {
      f8(g + left), f8(c + i - 1), f8(g + left - 1), f8(c + i - 2), f8(low + i - 1)};
    ratioSide east = {
      f8(g + right), f8(c + i + 1), f8(g + right + 1), f8(c + i + 2), f8(low + i + 1)};
    fraction horizontal = ratioEstimate(west, east, own, here);
    ck_store8(
        out + i,
        mix(vertical, horizontal, decided(direction, above, below, i, left, right)));
  }
}

/// One side of a photosite along a line that holds the wanted color at odd distances: that color one and three
/// away, green one and two away.
typedef struct differenceSide {
  cv_f8 color1, color3, green1, green2;
} differenceSide;

CK_BODY cv_f8 differenceGradient(differenceSide side, cv_f8 across, cv_f8 green) {
  return across + cv_abs8(side.color1 - side.color3) + cv_abs8(green - side.green2);
}

/// The differences of a color to green from both sides of a line, each weighted by the inverse gradient of
/// color and green on the other.
CK_BODY fraction differenceEstimate(differenceSide a, differenceSide b, cv_f8 green) {
  cv_f8 across = cv_abs8(a.color1 - b.color1) + epsilon;
  cv_f8 gradientA = differenceGradient(a, across, green);
  cv_f8 gradientB = differenceGradient(b, across, green);
  cv_f8 weighted = gradientB * (a.color1 - a.green1) + gradientA * (b.color1 - b.green1);
  return (fraction){weighted, gradientA + gradientB};
}

CK_BAYER_KERNEL(ck_oppositeAtChroma) {
  float *chroma = rows->mosaic.chroma;
  const float *a1 = rowOf(rows, chroma, y - 1), *b1 = rowOf(rows, chroma, y + 1);
  const float *a3 = rowOf(rows, chroma, y - 3), *b3 = rowOf(rows, chroma, y + 3);
  const float *green = rowOf(rows, rows->greenAtChroma, y);
  const float *g1 = rowOf(rows, rows->greenAtChroma, y - 1);
  const float *h1 = rowOf(rows, rows->greenAtChroma, y + 1);
  const float *g2 = rowOf(rows, rows->greenAtChroma, y - 2);
  const float *h2 = rowOf(rows, rows->greenAtChroma, y + 2);
  const float *diagonal = rowOf(rows, rows->diagonal, y);
  const float *above = rowOf(rows, rows->diagonal, y - 1);
  const float *below = rowOf(rows, rows->diagonal, y + 1);
  float *out = rowOf(rows, rows->oppositeAtChroma, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t left = i - 1 + shift, right = i + shift;
    cv_f8 g = f8(green + i);
    differenceSide northWest = {f8(a1 + left), f8(a3 + left - 1), f8(g1 + left), f8(g2 + i - 1)};
    differenceSide southEast = {f8(b1 + right), f8(b3 + right + 1), f8(h1 + right), f8(h2 + i + 1)};
    fraction falling = differenceEstimate(northWest, southEast, g);
    differenceSide northEast = {f8(a1 + right), f8(a3 + right + 1), f8(g1 + right), f8(g2 + i + 1)};
    differenceSide southWest = {f8(b1 + left), f8(b3 + left - 1), f8(h1 + left), f8(h2 + i - 1)};
    fraction rising = differenceEstimate(northEast, southWest, g);
    cv_f8 along = decided(diagonal, above, below, i, left, right);
    ck_store8(out + i, cv_max8(g + mix(falling, rising, along), 0));
  }
}

/// One chroma in the rows one and three above and below a green photosite, and in its own row.
typedef struct chromaCross {
  const float *n1, *n3, *s1, *s3, *row;
} chromaCross;

/// Green at the photosites one and two away.
typedef struct greenCross {
  cv_f8 n1, s1, w1, e1, n2, s2, w2, e2;
} greenCross;

CK_BODY cv_f8 colorAtGreen(
    chromaCross c, greenCross g, cv_f8 green, cv_f8 along, int64_t i, int64_t left,
    int64_t right) {
  differenceSide north = {f8(c.n1 + i), f8(c.n3 + i), g.n1, g.n2};
  differenceSide south = {f8(c.s1 + i), f8(c.s3 + i), g.s1, g.s2};
  fraction vertical = differenceEstimate(north, south, green);
  differenceSide west = {f8(c.row + left), f8(c.row + left - 1), g.w1, g.w2};
  differenceSide east = {f8(c.row + right), f8(c.row + right + 1), g.e1, g.e2};
  fraction horizontal = differenceEstimate(west, east, green);
  return cv_max8(green + mix(vertical, horizontal, along), 0);
}

CK_BODY chromaCross crossOf(
    const ck_bayerRows *rows, float *column, float *row, int64_t y) {
  return (chromaCross){
    rowOf(rows, column, y - 1), rowOf(rows, column, y - 3), rowOf(rows, column, y + 1),
    rowOf(rows, column, y + 3), rowOf(rows, row, y)};
}

CK_BAYER_KERNEL(ck_chromaAtGreen) {
  const float *green = rowOf(rows, rows->mosaic.green, y);
  const float *greenN = rowOf(rows, rows->mosaic.green, y - 2);
  const float *greenS = rowOf(rows, rows->mosaic.green, y + 2);
  // In the row above, the column's chroma is the opposite one: this row's own was interpolated.
  chromaCross ownCross = crossOf(rows, rows->oppositeAtChroma, rows->mosaic.chroma, y);
  chromaCross oppositeCross = crossOf(rows, rows->mosaic.chroma, rows->oppositeAtChroma, y);
  const float *gRow = rowOf(rows, rows->greenAtChroma, y);
  const float *gN = rowOf(rows, rows->greenAtChroma, y - 1);
  const float *gS = rowOf(rows, rows->greenAtChroma, y + 1);
  const float *direction = rowOf(rows, rows->direction.green, y);
  const float *above = rowOf(rows, rows->direction.green, y - 1);
  const float *below = rowOf(rows, rows->direction.green, y + 1);
  float *own = rowOf(rows, rows->ownAtGreen, y);
  float *opposite = rowOf(rows, rows->oppositeAtGreen, y);
  for (int64_t i = 0; i < count; i += 8) {
    int64_t left = i - shift, right = i + 1 - shift;
    cv_f8 along = decided(direction, above, below, i, left, right);
    greenCross g = {
      f8(gN + i), f8(gS + i), f8(gRow + left), f8(gRow + right), f8(greenN + i), f8(greenS + i),
      f8(green + i - 1), f8(green + i + 1)};
    cv_f8 here = f8(green + i);
    ck_store8(own + i, colorAtGreen(ownCross, g, here, along, i, left, right));
    ck_store8(opposite + i, colorAtGreen(oppositeCross, g, here, along, i, left, right));
  }
}
