#include "DemosaicScale.h"

CK_KERNEL(
    ck_loadPhase,
    (ck_demosaicScale scale, const float *source, int64_t first, int64_t width, float *out,
     int64_t count),
    (scale, source, first, width, out, count)) {
  for (int64_t i = 0; i < count; i++) {
    int64_t x = first + 6 * i;
    out[i] = source[x < 0 ? 0 : (x < width ? x : width - 1)];
  }
  for (int64_t i = 0; i < count; i += 8) ck_store8(out + i, ck_scaled(scale, f8(out + i)));
}

CK_KERNEL(
    ck_joinPhase, (const float *samples, float *out, int64_t count), (samples, out, count)) {
  for (int64_t i = 0; i < count; i++) out[6 * i] = samples[i];
}

// MARK: - Step 1: green

// Weights, rounded from whole 256ths; in flat areas those of each candidate sum to 1.
/// Along v: each green at ±v, minus this much of those at ±2v.
static const float greenWeight = 0.6797f, ownColorWeight = 0.1797f;
/// Along u: the near and the far green, and the difference of the own color.
static const float nearWeight = 0.8711f, farWeight = 0.1289f, slopeWeight = 0.3594f;
/// Along a diagonal: the near and the far green, and the second difference of the own color.
static const float diagonalNear = 0.6406f, diagonalFar = 0.3594f, curvatureWeight = 0.1289f;

CK_BODY cv_f8 alongDiagonal(
    const float *m, ck_diagonal line, int64_t i, cv_f8 own, cv_f8 green) {
  cv_f8 curvature = own * 2 - f8(m + i + line.ownAhead) - f8(m + i + line.ownBehind);
  return green * diagonalNear + f8(m + i + line.far) * diagonalFar + curvature * curvatureWeight;
}

CK_KERNEL(
    ck_greenCandidates, (const ck_greenLines *lines, const float *m, int64_t count),
    (lines, m, count)) {
  const ck_greenLines l = *lines;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 own = f8(m + i);
    cv_f8 g1 = f8(m + i + l.v1), g2 = f8(m + i + l.v2);
    cv_f8 near = f8(m + i + l.near), far = f8(m + i + l.far);
    cv_f8 a = f8(m + i + l.a.near), b = f8(m + i + l.b.near);
    cv_f8 low = cv_min8(cv_min8(cv_min8(g1, g2), cv_min8(near, far)), cv_min8(a, b));
    cv_f8 high = cv_max8(cv_max8(cv_max8(g1, g2), cv_max8(near, far)), cv_max8(a, b));
    cv_f8 outer = f8(m + i + l.vv1) + f8(m + i + l.vv2);
    ck_store8(
        l.alongV + i, cv_clamp8((g1 + g2) * greenWeight - outer * ownColorWeight, low, high));
    cv_f8 slope = (own - f8(m + i + l.beyond)) * slopeWeight;
    ck_store8(l.alongU + i, cv_clamp8(near * nearWeight + far * farWeight + slope, low, high));
    ck_store8(l.alongA + i, cv_clamp8(alongDiagonal(m, l.a, i, own, a), low, high));
    ck_store8(l.alongB + i, cv_clamp8(alongDiagonal(m, l.b, i, own, b), low, high));
  }
}

CK_KERNEL(
    ck_refineGreen,
    (const ck_refinement *refinement, const float *m, float *out, int64_t count),
    (refinement, m, out, count)) {
  const ck_refinement r = *refinement;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 near = f8(m + i + r.near) - f8(r.nearChroma + i);
    cv_f8 far = f8(m + i + r.far) - f8(r.farChroma + i);
    cv_f8 estimate = (near * 2 + far) * (1.0f / 3) + f8(m + i);
    cv_f8 low = f8(m + i + r.greens[0]), high = low;
    for (int k = 0; k < 6; k++) {
      low = cv_min8(low, f8(m + i + r.greens[k]));
      high = cv_max8(high, f8(m + i + r.greens[k]));
    }
    ck_store8(out + i, cv_clamp8(estimate, low, high));
  }
}

// MARK: - Steps 2 to 4: red and blue

CK_BODY cv_f8 differenceA(ck_colorPair p, int64_t i) { return f8(p.colorA + i) - f8(p.greenA + i); }
CK_BODY cv_f8 differenceB(ck_colorPair p, int64_t i) { return f8(p.colorB + i) - f8(p.greenB + i); }

CK_BODY cv_f8 mean(ck_colorPair pair, int64_t i) {
  return (differenceA(pair, i) + differenceB(pair, i)) * 0.5f;
}

CK_BODY cv_f8 variation(ck_colorPair pair, cv_f8 green, int64_t i) {
  cv_f8 change = differenceA(pair, i) - differenceB(pair, i);
  cv_f8 curvature = green * 2 - f8(pair.greenA + i) - f8(pair.greenB + i);
  return change * change + curvature * curvature;
}

CK_BODY void solitary(
    const ck_solitary *site, int64_t axis, const float *green, int64_t count) {
  const ck_solitary s = *site;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 g = f8(green + i);
    // Positive: the column varies more, take the row.
    cv_f8 preference = axis == 0 ? 1.0f : -1.0f;
    if (axis == 2) {
      cv_f8 byColumn = variation(s.columnNear, g, i) + variation(s.columnFar, g, i);
      preference = byColumn - variation(s.rowNear, g, i) - variation(s.rowFar, g, i);
    }
    cv_f8 first = preference >= 0 ? mean(s.rowNear, i) : mean(s.columnFar, i);
    cv_f8 second = preference >= 0 ? mean(s.rowFar, i) : mean(s.columnNear, i);
    ck_store8(s.horizontal + i, cv_max8(g + first, 0));
    ck_store8(s.vertical + i, cv_max8(g + second, 0));
  }
}

CK_KERNEL(
    ck_chromaAtSolitary,
    (const ck_solitary *site, int64_t axis, const float *green, int64_t count),
    (site, axis, green, count)) {
  // A loop for each, so that only the third looks at what it does not take.
  if (axis == 0) {
    solitary(site, 0, green, count);
  } else if (axis == 1) {
    solitary(site, 1, green, count);
  } else {
    solitary(site, 2, green, count);
  }
}

/// How much green changes on the way to both sides.
CK_BODY cv_f8 greenChange(ck_colorPair pair, cv_f8 green, int64_t i) {
  return cv_abs8(green - f8(pair.greenA + i)) + cv_abs8(green - f8(pair.greenB + i));
}

CK_KERNEL(
    ck_oppositeChroma,
    (const ck_colorPair *closePair, const ck_colorPair *widePair, const float *green, float *out,
     int64_t count),
    (closePair, widePair, green, out, count)) {
  const ck_colorPair close = *closePair, wide = widePair ? *widePair : *closePair;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 g = f8(green + i);
    cv_f8 difference = mean(close, i);
    if (widePair) {
      cv_f8 closeChange = greenChange(close, g, i), wideChange = greenChange(wide, g, i);
      difference = closeChange - wideChange * 2 >= 0 ? mean(wide, i) : difference;
    }
    ck_store8(out + i, cv_max8(g + difference, 0));
  }
}

CK_KERNEL(
    ck_chromaAtCorner,
    (const ck_colorPair *colors, float weightA, float weightB, const float *green, float *out,
     int64_t count),
    (colors, weightA, weightB, green, out, count)) {
  const ck_colorPair pair = *colors;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 difference = differenceA(pair, i) * weightA + differenceB(pair, i) * weightB;
    ck_store8(out + i, cv_max8(f8(green + i) + difference, 0));
  }
}
