#include "BayerRows.h"

CK_WIDE_KERNEL(
    ck_splitBayerRow,
    (const ck_bayerRows *rows, int64_t y, int64_t shift, ck_demosaicScale scale,
     const float *source, int64_t count),
    (rows, y, shift, scale, source, count)) {
  float *green = rowOf(rows, rows->mosaic.green, y), *chroma = rowOf(rows, rows->mosaic.chroma, y);
  float *even = shift ? green : chroma, *odd = shift ? chroma : green;
  for (int64_t i = 0; i < count; i += LANES) {
    lanes low = ck_toScale(scale, at(source + 2 * i));
    lanes high = ck_toScale(scale, at(source + 2 * i + LANES));
    put(even + i, evenLanes(low, high));
    put(odd + i, oddLanes(low, high));
  }
}

CK_WIDE_KERNEL(
    ck_joinBayerRow,
    (ck_demosaicScale scale, const float *even, const float *odd, float *out, int64_t count),
    (scale, even, odd, out, count)) {
  int64_t x = 0;
  // Rows end with sixteen samples.
  for (; x + LANES < count; x += 2 * LANES) {
    putInTurn(out + x, ck_fromScale(scale, at(even + x / 2)), ck_fromScale(scale, at(odd + x / 2)));
  }
  for (; x < count; x += 16) {
    float e[16], o[16];
    put(e, ck_fromScale(scale, at(even + x / 2)));
    put(o, ck_fromScale(scale, at(odd + x / 2)));
    put(out + x, zippedLow(f8(e), f8(o)));
    put(out + x + 8, zippedHigh(f8(e), f8(o)));
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
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t left = i - 1 + shift, right = i + shift;
    lanes edges = at(g + left) + at(g + right) + at(gN + i) + at(gS + i);
    lanes above = at(cN + left) + at(cN + right);
    lanes below = at(cS + left) + at(cS + right);
    put(out + i, at(c + i) + edges * 0.5f + (above + below) * 0.25f);
  }
}

/// The filter 1, −3, −1, 6, −1, −3, 1, squared: invariant to levels and slopes, and to a constant
/// difference between the two colors of the line.
CK_BODY lanes squaredHighPass(
    lanes a3, lanes a2, lanes a1, lanes center, lanes b1, lanes b2, lanes b3) {
  lanes outer = (a3 + b3) - (a1 + b1);
  lanes h = outer - (a2 + b2) * 3 + center * 6;
  return h * h;
}

CK_BODY void columnHighPass(
    const ck_bayerRows *rows, float *own, float *other, int64_t y, float *out, int64_t count) {
  const float *p0 = rowOf(rows, own, y);
  const float *a1 = rowOf(rows, other, y - 1), *b1 = rowOf(rows, other, y + 1);
  const float *a2 = rowOf(rows, own, y - 2), *b2 = rowOf(rows, own, y + 2);
  const float *a3 = rowOf(rows, other, y - 3), *b3 = rowOf(rows, other, y + 3);
  for (int64_t i = 0; i < count; i += LANES) {
    put(
        out + i,
        squaredHighPass(
            at(a3 + i), at(a2 + i), at(a1 + i), at(p0 + i), at(b1 + i), at(b2 + i), at(b3 + i)));
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
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t l1 = i - 1 + shift, r1 = i + shift, l3 = i - 2 + shift, r3 = i + 1 + shift;
    put(
        falling + i,
        squaredHighPass(
            at(a3 + l3), at(a2 + i - 1), at(a1 + l1), at(c0 + i), at(b1 + r1), at(b2 + i + 1),
            at(b3 + r3)));
    put(
        rising + i,
        squaredHighPass(
            at(a3 + r3), at(a2 + i + 1), at(a1 + r1), at(c0 + i), at(b1 + l1), at(b2 + i - 1),
            at(b3 + l3)));
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
  for (int64_t i = 0; i < count; i += LANES) {
    put(
        out + i,
        squaredHighPass(
            at(other + i - 2 + s), at(own + i - 1), at(other + i - 1 + s), at(own + i),
            at(other + i + s), at(own + i + 1), at(other + i + 1 + s)));
  }
}

/// The fraction of the variation that is along the first of two lines; one half where there is none.
CK_BODY lanes fractionOf(lanes first, lanes second) {
  lanes epsilon = 1e-10f;
  lanes a = larger(first, epsilon);
  return a / (a + larger(second, epsilon));
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
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t left = i - 1 + shift, right = i + shift;
    put(
        atChroma + i,
        fractionOf(
            at(vgN + i) + at(vc + i) + at(vgS + i), at(hg + left) + at(hc + i) + at(hg + right)));
    put(
        atGreen + i,
        fractionOf(
            at(vcN + i) + at(vg + i) + at(vcS + i),
            at(hc + i - shift) + at(hg + i) + at(hc + i + 1 - shift)));
  }
  const float *f = rowOf(rows, rows->falling, y), *fN = rowOf(rows, rows->falling, y - 1);
  const float *fS = rowOf(rows, rows->falling, y + 1);
  const float *r = rowOf(rows, rows->rising, y), *rN = rowOf(rows, rows->rising, y - 1);
  const float *rS = rowOf(rows, rows->rising, y + 1);
  float *diagonal = rowOf(rows, rows->diagonal, y);
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t left = i - 1 + shift, right = i + shift;
    put(
        diagonal + i,
        fractionOf(
            at(fN + left) + at(f + i) + at(fS + right),
            at(rN + right) + at(r + i) + at(rS + left)));
  }
}

/// Of a fraction at `i` and the mean of the four around it, at `left` and `right` in the rows above and below,
/// the more decided one, farther from one half.
CK_BODY lanes decided(
    const float *here, const float *above, const float *below, int64_t i, int64_t left,
    int64_t right) {
  lanes corners = at(above + left) + at(above + right) + at(below + left) + at(below + right);
  lanes own = at(here + i), around = corners * 0.25f;
  return magnitude(own - 0.5f) >= magnitude(around - 0.5f) ? own : around;
}

// MARK: - Steps 3 and 4: the missing colors

/// Keeps inverse gradients finite where nothing varies.
static const float epsilon = 1e-5f;

/// A weighted mean as numerator and denominator, so that those of two lines share one division.
typedef struct fraction {
  lanes over, under;
} fraction;

/// (1 − `weight`) · `first` + `weight` · `second`.
CK_BODY lanes mix(fraction first, fraction second, lanes weight) {
  lanes a = first.over * second.under;
  lanes b = second.over * first.under;
  return (a + weight * (b - a)) / (first.under * second.under);
}

/// One side of a chroma photosite along a line: the photosites one to four away, and the low-pass two away.
typedef struct ratioSide {
  lanes green1, own2, green3, own4, low2;
} ratioSide;

CK_BODY lanes ratioGradient(ratioSide side, lanes across, lanes own) {
  return across + magnitude(own - side.own2) + magnitude(side.green1 - side.green3) +
      magnitude(side.own2 - side.own4);
}

/// The estimates by ratio from both sides of a line, each weighted by the inverse gradient of the other: on
/// each side green1 · 2L / (L + low2), L the low-pass here, over one common denominator.
CK_BODY fraction ratioEstimate(ratioSide a, ratioSide b, lanes own, lanes low) {
  lanes across = magnitude(a.green1 - b.green1) + epsilon;
  lanes gradientA = ratioGradient(a, across, own), gradientB = ratioGradient(b, across, own);
  lanes offsetLow = low + epsilon;
  lanes sumA = offsetLow + a.low2, sumB = offsetLow + b.low2;
  lanes doubled = low + offsetLow;
  lanes weighted = gradientB * a.green1 * sumB + gradientA * b.green1 * sumA;
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
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t left = i - 1 + shift, right = i + shift;
    lanes own = at(c + i), here = at(low + i);
    ratioSide north = {at(n1 + i), at(n2 + i), at(n3 + i), at(n4 + i), at(lowN + i)};
    ratioSide south = {at(s1 + i), at(s2 + i), at(s3 + i), at(s4 + i), at(lowS + i)};
    fraction vertical = ratioEstimate(north, south, own, here);
    ratioSide west = {
      at(g + left), at(c + i - 1), at(g + left - 1), at(c + i - 2), at(low + i - 1)};
    ratioSide east = {
      at(g + right), at(c + i + 1), at(g + right + 1), at(c + i + 2), at(low + i + 1)};
    fraction horizontal = ratioEstimate(west, east, own, here);
    put(
        out + i,
        mix(vertical, horizontal, decided(direction, above, below, i, left, right)));
  }
}

/// One side of a photosite along a line that holds the wanted color at odd distances: that color one and three
/// away, green one and two away.
typedef struct differenceSide {
  lanes color1, color3, green1, green2;
} differenceSide;

CK_BODY lanes differenceGradient(differenceSide side, lanes across, lanes green) {
  return across + magnitude(side.color1 - side.color3) + magnitude(green - side.green2);
}

/// The differences of a color to green from both sides of a line, each weighted by the inverse gradient of
/// color and green on the other.
CK_BODY fraction differenceEstimate(differenceSide a, differenceSide b, lanes green) {
  lanes across = magnitude(a.color1 - b.color1) + epsilon;
  lanes gradientA = differenceGradient(a, across, green);
  lanes gradientB = differenceGradient(b, across, green);
  lanes weighted = gradientB * (a.color1 - a.green1) + gradientA * (b.color1 - b.green1);
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
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t left = i - 1 + shift, right = i + shift;
    lanes g = at(green + i);
    differenceSide northWest = {at(a1 + left), at(a3 + left - 1), at(g1 + left), at(g2 + i - 1)};
    differenceSide southEast = {at(b1 + right), at(b3 + right + 1), at(h1 + right), at(h2 + i + 1)};
    fraction falling = differenceEstimate(northWest, southEast, g);
    differenceSide northEast = {at(a1 + right), at(a3 + right + 1), at(g1 + right), at(g2 + i + 1)};
    differenceSide southWest = {at(b1 + left), at(b3 + left - 1), at(h1 + left), at(h2 + i - 1)};
    fraction rising = differenceEstimate(northEast, southWest, g);
    lanes along = decided(diagonal, above, below, i, left, right);
    put(out + i, larger(g + mix(falling, rising, along), 0));
  }
}

/// One chroma in the rows one and three above and below a green photosite, and in its own row.
typedef struct chromaCross {
  const float *n1, *n3, *s1, *s3, *row;
} chromaCross;

/// Green at the photosites one and two away.
typedef struct greenCross {
  lanes n1, s1, w1, e1, n2, s2, w2, e2;
} greenCross;

CK_BODY lanes colorAtGreen(
    chromaCross c, greenCross g, lanes green, lanes along, int64_t i, int64_t left,
    int64_t right) {
  differenceSide north = {at(c.n1 + i), at(c.n3 + i), g.n1, g.n2};
  differenceSide south = {at(c.s1 + i), at(c.s3 + i), g.s1, g.s2};
  fraction vertical = differenceEstimate(north, south, green);
  differenceSide west = {at(c.row + left), at(c.row + left - 1), g.w1, g.w2};
  differenceSide east = {at(c.row + right), at(c.row + right + 1), g.e1, g.e2};
  fraction horizontal = differenceEstimate(west, east, green);
  return larger(green + mix(vertical, horizontal, along), 0);
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
  for (int64_t i = 0; i < count; i += LANES) {
    int64_t left = i - shift, right = i + 1 - shift;
    lanes along = decided(direction, above, below, i, left, right);
    greenCross g = {
      at(gN + i), at(gS + i), at(gRow + left), at(gRow + right), at(greenN + i), at(greenS + i),
      at(green + i - 1), at(green + i + 1)};
    lanes here = at(green + i);
    put(own + i, colorAtGreen(ownCross, g, here, along, i, left, right));
    put(opposite + i, colorAtGreen(oppositeCross, g, here, along, i, left, right));
  }
}
