#include "NoiseColors.h"

enum { MOIRE_RADIUS = 2, REACH = 4 };

/// Changes of luma along both axes: from pixel to pixel, less half of those over four pixels.
CK_BODY cv_f8 alternation(const float *luma, int64_t stride) {
  cv_f8 middle = f8(luma) + f8(luma);
  cv_f8 fine = magnitude(f8(luma - 1) + f8(luma + 1) - middle) +
      magnitude(f8(luma - stride) + f8(luma + stride) - middle);
  cv_f8 change = magnitude(f8(luma - 2) - f8(luma + 2)) +
      magnitude(f8(luma - 2 * stride) - f8(luma + 2 * stride));
  return fine - change * 0.5f;
}

/// Second difference over four pixels, in both directions.
CK_BODY cv_f8 curvature(const float *plane, int64_t stride) {
  cv_f8 middle = f8(plane) + f8(plane);
  return magnitude(f8(plane - 2) + f8(plane + 2) - middle) +
      magnitude(f8(plane - 2 * stride) + f8(plane + 2 * stride) - middle);
}

CK_KERNEL(
    ck_moirePatterns,
    (ck_threeRows planes, int64_t stride, float *pattern, float *color, int64_t count),
    (planes, stride, pattern, color, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    put(pattern + x, alternation(planes.row[0] + x, stride));
    put(
        color + x,
        larger(curvature(planes.row[1] + x, stride), curvature(planes.row[2] + x, stride)));
  }
}

/// Sum over 5 × 5 of the signed change over four pixels: large at edges, while patterns cancel out.
CK_BODY cv_f8 slope(const float *luma, int64_t stride) {
  cv_f8 across = 0, down = 0;
  for (int step = 1; step <= REACH; step++) {
    for (int i = -MOIRE_RADIUS; i <= MOIRE_RADIUS; i++) {
      across += f8(luma + i * stride + step) - f8(luma + i * stride - step);
      down += f8(luma + step * stride + i) - f8(luma - step * stride + i);
    }
  }
  return magnitude(across) + magnitude(down);
}

CK_KERNEL(
    ck_moireMask,
    (const float *luma, int64_t lumaStride, const float *pattern, const float *color,
     int64_t stride, float noise, float *out, int64_t count),
    (luma, lumaStride, pattern, color, stride, noise, out, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 left = 0, right = 0, top = 0, bottom = 0, waves = 0;
    for (int row = -MOIRE_RADIUS; row <= MOIRE_RADIUS; row++) {
      const float *at = pattern + row * stride + x;
      cv_f8 before = f8(at - 2) + f8(at - 1);
      cv_f8 after = f8(at + 1) + f8(at + 2);
      left += before;
      right += after;
      if (row < 0) top += before + f8(at) + after;
      if (row > 0) bottom += before + f8(at) + after;
      for (int dx = -MOIRE_RADIUS; dx <= MOIRE_RADIUS; dx++) waves += f8(color + row * stride + x + dx);
    }
    // A pattern fills both halves, a blurred edge only one.
    cv_f8 found = smaller(smaller(left, right), smaller(top, bottom)) * 2.5f;
    found -= slope(luma + x, lumaStride) * 2;
    cv_f8 zero = 0, one = 1.0f;
    cv_f8 fine = limited(found * (0.04f / noise) - 1, zero, one);
    cv_f8 wavy = limited(waves * (0.04f / noise) - 2, zero, one);
    put(out + x, fine * wavy);
  }
}

CK_KERNEL(
    ck_moireAverage,
    (ck_threeRows planes, int64_t stride, float perSoftness, float *u, float *v, int64_t count),
    (planes, stride, perSoftness, u, v, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 center = f8(planes.row[0] + x);
    cv_f8 sumU = 0, sumV = 0, weights = 0;
    for (int row = -MOIRE_RADIUS; row <= MOIRE_RADIUS; row++) {
      for (int dx = -MOIRE_RADIUS; dx <= MOIRE_RADIUS; dx++) {
        int64_t at = row * stride + x + dx;
        cv_f8 difference = (f8(planes.row[0] + at) - center) * perSoftness;
        cv_f8 weight = 1 / (1.0f + difference * difference);
        sumU += f8(planes.row[1] + at) * weight;
        sumV += f8(planes.row[2] + at) * weight;
        weights += weight;
      }
    }
    put(u + x, sumU / weights);
    put(v + x, sumV / weights);
  }
}

/// The change of a channel from `old` to `new` on the scale, in linear values, where there is weight.
CK_BODY cv_f8 changed(ck_anscombe scale, cv_f8 x, cv_f8 old, cv_f8 new, cv_f8 weight) {
  cv_f8 change = ck_linearized(scale, new, 0) - ck_linearized(scale, old, 0);
  return weight > 0 ? finiteColor(x) + change : x;
}

CK_KERNEL(
    ck_finishMoire,
    (const ck_moire *settings, ck_threeRows now, ck_threeRows wide, const float *mask,
     ck_threeRows stored, ck_threeRows out, int64_t count),
    (settings, now, wide, mask, stored, out, count)) {
  const ck_moire s = *settings;
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 rgb[3];
    for (int c = 0; c < 3; c++) rgb[c] = f8(stored.row[c] + x);
    cv_f8 peak = larger(
        larger(rgb[0] * s.perSaturation.value[0], rgb[1] * s.perSaturation.value[1]),
        rgb[2] * s.perSaturation.value[2]);
    cv_f8 weight = 1 - peak > 0 ? f8(mask + x) * s.amount : 0.0f;
    if (anyOf(weight > 0)) {
      cv_f8 old[3], new[3];
      for (int c = 0; c < 3; c++) old[c] = new[c] = f8(now.row[c] + x);
      for (int c = 1; c < 3; c++) new[c] += (f8(wide.row[c] + x) - new[c]) * weight;
      fromNoiseColors(old);
      fromNoiseColors(new);
      for (int c = 0; c < 3; c++) rgb[c] = changed(s.scale, rgb[c], old[c], new[c], weight);
    }
    for (int c = 0; c < 3; c++) put(out.row[c] + x, rgb[c]);
  }
}
