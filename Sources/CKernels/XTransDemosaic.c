#include "DemosaicScale.h"

// MARK: - Step 1: green

// Weights, rounded from whole 256ths; in flat areas those of each candidate sum to 1.
/// Along v: each green at ±v, minus this much of those at ±2v.
static const float greenWeight = 0.6797f, ownColorWeight = 0.1797f;
/// Along u: the near and the far green, and the difference of the own color.
static const float nearWeight = 0.8711f, farWeight = 0.1289f, slopeWeight = 0.3594f;
/// Along a diagonal: the near and the far green, and the second difference of the own color.
static const float diagonalNear = 0.6406f, diagonalFar = 0.3594f, curvatureWeight = 0.1289f;

/// The candidate of a diagonal with the green that is near on it.
CK_BODY lanes alongDiagonal(const float *m, ck_diagonal line, lanes own, lanes green) {
  lanes curvature = own * 2 - at(m + line.ownAhead) - at(m + line.ownBehind);
  return green * diagonalNear + at(m + line.far) * diagonalFar + curvature * curvatureWeight;
}

CK_WIDE_KERNEL(
    ck_greenCandidates,
    (const ck_greenLines *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    const ck_greenLines l = sites[site];
    for (int64_t i = 0; i < count; i += LANES) {
      float *m = planes + i;
      lanes own = at(m + l.own), g1 = at(m + l.v1), g2 = at(m + l.v2);
      lanes near = at(m + l.near), far = at(m + l.far);
      lanes a = at(m + l.a.near), b = at(m + l.b.near);
      lanes low = smaller(smaller(smaller(g1, g2), smaller(near, far)), smaller(a, b));
      lanes high = larger(larger(larger(g1, g2), larger(near, far)), larger(a, b));
      lanes outer = at(m + l.vv1) + at(m + l.vv2);
      lanes alongV = (g1 + g2) * greenWeight - outer * ownColorWeight;
      lanes slope = (own - at(m + l.beyond)) * slopeWeight;
      lanes alongU = near * nearWeight + far * farWeight + slope;
      put(m + l.alongV, limited(alongV, low, high));
      put(m + l.alongU, limited(alongU, low, high));
      put(m + l.a.out, limited(alongDiagonal(m, l.a, own, a), low, high));
      put(m + l.b.out, limited(alongDiagonal(m, l.b, own, b), low, high));
    }
  }
}

CK_WIDE_KERNEL(
    ck_refineGreen,
    (const ck_refinement *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    const ck_refinement r = sites[site];
    for (int64_t i = 0; i < count; i += LANES) {
      float *m = planes + i;
      lanes near = at(m + r.near) - at(m + r.nearChroma);
      lanes far = at(m + r.far) - at(m + r.farChroma);
      lanes estimate = (near * 2 + far) * (1.0f / 3) + at(m + r.own);
      lanes low = at(m + r.greens[0]), high = low;
      for (int k = 0; k < 6; k++) {
        low = smaller(low, at(m + r.greens[k]));
        high = larger(high, at(m + r.greens[k]));
      }
      put(m + r.out, limited(estimate, low, high));
    }
  }
}

// MARK: - Steps 2 to 4: red and blue

CK_BODY lanes differenceA(const float *m, ck_colorPair pair) {
  return at(m + pair.colorA) - at(m + pair.greenA);
}
CK_BODY lanes differenceB(const float *m, ck_colorPair pair) {
  return at(m + pair.colorB) - at(m + pair.greenB);
}

CK_BODY lanes meanDifference(const float *m, ck_colorPair pair) {
  return (differenceA(m, pair) + differenceB(m, pair)) * 0.5f;
}

CK_BODY lanes variation(const float *m, ck_colorPair pair, lanes green) {
  lanes change = differenceA(m, pair) - differenceB(m, pair);
  lanes curvature = green * 2 - at(m + pair.greenA) - at(m + pair.greenB);
  return change * change + curvature * curvature;
}

CK_BODY void solitary(const ck_solitary *site, int axis, float *planes, int64_t count) {
  const ck_solitary s = *site;
  for (int64_t i = 0; i < count; i += LANES) {
    float *m = planes + i;
    lanes g = at(m + s.green);
    // Positive: the column varies more, take the row.
    lanes preference = axis == 0 ? 1.0f : -1.0f;
    if (axis == 2) {
      lanes byColumn = variation(m, s.columnNear, g) + variation(m, s.columnFar, g);
      preference = byColumn - variation(m, s.rowNear, g) - variation(m, s.rowFar, g);
    }
    lanes first = preference >= 0 ? meanDifference(m, s.rowNear) : meanDifference(m, s.columnFar);
    lanes second = preference >= 0 ? meanDifference(m, s.rowFar) : meanDifference(m, s.columnNear);
    put(m + s.horizontal, larger(g + first, 0));
    put(m + s.vertical, larger(g + second, 0));
  }
}

CK_WIDE_KERNEL(
    ck_chromaAtSolitary,
    (const ck_solitary *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    // A loop for each, so that only the third looks at what it does not take.
    if (sites[site].axis == 0) {
      solitary(sites + site, 0, planes, count);
    } else if (sites[site].axis == 1) {
      solitary(sites + site, 1, planes, count);
    } else {
      solitary(sites + site, 2, planes, count);
    }
  }
}

/// How much green changes on the way to both sides.
CK_BODY lanes greenChange(const float *m, ck_colorPair pair, lanes green) {
  return magnitude(green - at(m + pair.greenA)) + magnitude(green - at(m + pair.greenB));
}

CK_BODY void opposite(const ck_opposite *site, _Bool isWide, float *planes, int64_t count) {
  const ck_opposite s = *site;
  for (int64_t i = 0; i < count; i += LANES) {
    float *m = planes + i;
    lanes g = at(m + s.green), difference = meanDifference(m, s.close);
    if (isWide) {
      lanes closeChange = greenChange(m, s.close, g), wideChange = greenChange(m, s.wide, g);
      difference = closeChange - wideChange * 2 >= 0 ? meanDifference(m, s.wide) : difference;
    }
    put(m + s.out, larger(g + difference, 0));
  }
}

CK_WIDE_KERNEL(
    ck_oppositeChroma,
    (const ck_opposite *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    if (sites[site].isWide) {
      opposite(sites + site, 1, planes, count);
    } else {
      opposite(sites + site, 0, planes, count);
    }
  }
}

CK_WIDE_KERNEL(
    ck_chromaAtCorner,
    (const ck_corner *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    const ck_corner s = sites[site];
    for (int64_t i = 0; i < count; i += LANES) {
      float *m = planes + i;
      lanes difference =
          differenceA(m, s.pair) * s.weightA + differenceB(m, s.pair) * s.weightB;
      put(m + s.out, larger(at(m + s.green) + difference, 0));
    }
  }
}
