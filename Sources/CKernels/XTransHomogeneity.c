#include "DemosaicScale.h"

CK_KERNEL(
    ck_lumaAndDifferences, (ck_threeRows rgb, ck_threeRows out, int64_t count), (rgb, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 r = f8(rgb.row[0] + i), g = f8(rgb.row[1] + i), b = f8(rgb.row[2] + i);
    cv_f8 luma = r * 0.2627f + g * 0.6780f + b * 0.0593f;
    ck_store8(out.row[0] + i, luma);
    ck_store8(out.row[1] + i, (b - luma) * 0.56433f);
    ck_store8(out.row[2] + i, (r - luma) * 0.67815f);
  }
}

CK_BODY cv_f8 squaredSecondDifference(
    const float *p, int64_t i, int64_t ahead, int64_t behind) {
  cv_f8 d = f8(p + i) * 2 - f8(p + i + ahead) - f8(p + i + behind);
  return d * d;
}

CK_KERNEL(
    ck_squaredCurvature,
    (ck_threeRows planes, int64_t ahead, int64_t behind, float *out, int64_t count),
    (planes, ahead, behind, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 sum = squaredSecondDifference(planes.row[0], i, ahead, behind) +
        squaredSecondDifference(planes.row[1], i, ahead, behind) +
        squaredSecondDifference(planes.row[2], i, ahead, behind);
    ck_store8(out + i, sum);
  }
}

CK_BODY void homogeneity(
    int candidates, const float *const *curvatures, const int64_t *around, float *const *outs,
    int64_t count) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 limit = f8(curvatures[0] + i);
    for (int c = 1; c < candidates; c++) limit = cv_min8(limit, f8(curvatures[c] + i));
    limit *= 8.0f;
    for (int c = 0; c < candidates; c++) {
      cv_f8 number = 0;
      for (int k = 0; k < 9; k++) {
        number += limit - f8(curvatures[c] + i + around[k]) >= 0 ? 1.0f : 0;
      }
      ck_store8(outs[c] + i, number);
    }
  }
}

CK_KERNEL(
    ck_homogeneity,
    (int64_t candidates, const float *const *curvatures, const int64_t *around,
     float *const *outs, int64_t count),
    (candidates, curvatures, around, outs, count)) {
  if (candidates == 4) {
    homogeneity(4, curvatures, around, outs, count);
  } else {
    homogeneity(8, curvatures, around, outs, count);
  }
}

/// Of a first candidate and its refinement along the same direction the less homogeneous one is rejected.
CK_BODY void keepBetterOfPairs(cv_f8 *scores) {
  const cv_f8 rejected = -1.0f;
  for (int c = 0; c < 4; c++) {
    cv_f8 first = scores[c], refined = scores[c + 4];
    scores[c] = first - refined >= 0 ? first : rejected;
    scores[c + 4] = refined - first >= 0 ? refined : rejected;
  }
}

CK_BODY void choose(
    ck_demosaicScale scale, int candidates, const float *const *sums, const float *const *colors,
    const int64_t *around, ck_threeRows out, int64_t count) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 scores[8], best = 0;
    for (int c = 0; c < candidates; c++) {
      cv_f8 sum = 0;
      for (int k = 0; k < 5; k++) sum += f8(sums[c] + i + around[k]);
      scores[c] = sum;
      best = cv_max8(best, sum);
    }
    if (candidates == 8) keepBetterOfPairs(scores);
    cv_f8 threshold = best * 0.875f;
    cv_f8 total = 0, rgb[3] = {0, 0, 0};
    for (int c = 0; c < candidates; c++) {
      cv_f8 weight = scores[c] - threshold >= 0 ? 1.0f : 0;
      total += weight;
      for (int k = 0; k < 3; k++) rgb[k] += f8(colors[3 * c + k] + i) * weight;
    }
    cv_f8 normalization = 1 / total;
    for (int k = 0; k < 3; k++) {
      ck_store8(out.row[k] + i, ck_unscaled(scale, rgb[k] * normalization));
    }
  }
}

CK_KERNEL(
    ck_chooseCandidates,
    (ck_demosaicScale scale, int64_t candidates, const float *const *sums,
     const float *const *colors, const int64_t *around, ck_threeRows out, int64_t count),
    (scale, candidates, sums, colors, around, out, count)) {
  if (candidates == 4) {
    choose(scale, 4, sums, colors, around, out, count);
  } else {
    choose(scale, 8, sums, colors, around, out, count);
  }
}
