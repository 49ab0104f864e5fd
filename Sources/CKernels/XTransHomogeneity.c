#include "DemosaicScale.h"

CK_WIDE_KERNEL(
    ck_lumaAndDifferences,
    (const ck_lumaSite *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    const ck_lumaSite s = sites[site];
    for (int64_t i = 0; i < count; i += LANES) {
      float *m = planes + i;
      lanes r = at(m + s.rgb[0]), g = at(m + s.rgb[1]), b = at(m + s.rgb[2]);
      lanes luma = r * 0.2627f + g * 0.6780f + b * 0.0593f;
      put(m + s.out[0], luma);
      put(m + s.out[1], (b - luma) * 0.56433f);
      put(m + s.out[2], (r - luma) * 0.67815f);
    }
  }
}

CK_BODY lanes squaredSecondDifference(const float *m, ck_curvatureSite s) {
  lanes d = at(m + s.here) * 2 - at(m + s.ahead) - at(m + s.behind);
  return d * d;
}

CK_WIDE_KERNEL(
    ck_squaredCurvature,
    (const ck_curvatureSite *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    const ck_curvatureSite s = sites[site];
    for (int64_t i = 0; i < count; i += LANES) {
      float *m = planes + i;
      lanes sum = squaredSecondDifference(m, s) + squaredSecondDifference(m + s.step, s) +
          squaredSecondDifference(m + 2 * s.step, s);
      put(m + s.out, sum);
    }
  }
}

/// Counts of four candidates, each in a byte, at any address.
CK_BODY integers countsAt(const float *in) { return __builtin_bit_cast(integers, at(in)); }
CK_BODY void putCounts(float *out, integers counts) {
  put(out, __builtin_bit_cast(lanes, counts));
}

CK_BODY void homogeneity(
    const ck_homogeneitySite *site, int candidates, float *planes, int64_t count) {
  const ck_homogeneitySite s = *site;
  for (int64_t i = 0; i < count; i += LANES) {
    float *m = planes + i;
    lanes limit = at(m + s.around[4]);
    for (int c = 1; c < candidates; c++) limit = smaller(limit, at(m + s.around[4] + c * s.step));
    limit *= 8.0f;
    integers counts[2] = {0, 0};
    for (int k = 0; k < 9; k++) {
      for (int c = 0; c < candidates; c++) {
        integers more = counts[c / 4] + (1 << 8 * (c & 3));
        counts[c / 4] = limit >= at(m + s.around[k] + c * s.step) ? more : counts[c / 4];
      }
    }
    for (int four = 0; four < candidates / 4; four++) putCounts(m + s.out[four], counts[four]);
  }
}

CK_WIDE_KERNEL(
    ck_homogeneity,
    (const ck_homogeneitySite *sites, int64_t number, int64_t candidates, float *planes,
     int64_t count),
    (sites, number, candidates, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    if (candidates == 4) {
      homogeneity(sites + site, 4, planes, count);
    } else {
      homogeneity(sites + site, 8, planes, count);
    }
  }
}

CK_WIDE_KERNEL(
    ck_sumCounts, (const ck_countSite *sites, int64_t number, float *planes, int64_t count),
    (sites, number, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    const ck_countSite s = sites[site];
    for (int64_t i = 0; i < count; i += LANES) {
      float *m = planes + i;
      // 25 pixels of nine each: a byte holds them.
      integers sum = countsAt(m + s.rows[0]);
      for (int k = 1; k < 5; k++) sum += countsAt(m + s.rows[k]);
      putCounts(m + s.out, sum);
    }
  }
}

/// Of a first candidate and its refinement along the same direction the less homogeneous one is rejected.
CK_BODY void keepBetterOfPairs(lanes *scores) {
  const lanes rejected = -1.0f;
  for (int c = 0; c < 4; c++) {
    lanes first = scores[c], refined = scores[c + 4];
    scores[c] = first - refined >= 0 ? first : rejected;
    scores[c + 4] = refined - first >= 0 ? refined : rejected;
  }
}

CK_BODY void choose(
    ck_demosaicScale scale, const ck_choiceSite *site, int candidates, float *planes,
    int64_t count) {
  const ck_choiceSite s = *site;
  for (int64_t i = 0; i < count; i += LANES) {
    float *m = planes + i;
    lanes scores[8], best = 0;
    for (int four = 0; four < candidates; four += 4) {
      integers sum = 0;
      for (int k = 0; k < 5; k++) sum += countsAt(m + s.counts[5 * (four / 4) + k]);
      for (int c = 0; c < 4; c++) {
        scores[four + c] = __builtin_convertvector(sum >> 8 * c & 255, lanes);
        best = larger(best, scores[four + c]);
      }
    }
    if (candidates == 8) keepBetterOfPairs(scores);
    lanes threshold = best * 0.875f;
    lanes total = 0, rgb[3] = {0, 0, 0};
    for (int c = 0; c < candidates; c++) {
      integers isBest = scores[c] - threshold >= 0;
      total += isBest ? 1.0f : 0;
      for (int k = 0; k < 3; k++) {
        lanes more = rgb[k] + at(m + s.colors[3 * c + k]);
        rgb[k] = isBest ? more : rgb[k];
      }
    }
    lanes normalization = 1 / total;
    for (int k = 0; k < 3; k++) put(m + s.out[k], ck_fromScale(scale, rgb[k] * normalization));
  }
}

CK_WIDE_KERNEL(
    ck_chooseCandidates,
    (ck_demosaicScale scale, const ck_choiceSite *sites, int64_t number, int64_t candidates,
     float *planes, int64_t count),
    (scale, sites, number, candidates, planes, count)) {
  for (int64_t site = 0; site < number; site++) {
    if (candidates == 4) {
      choose(scale, sites + site, 4, planes, count);
    } else {
      choose(scale, sites + site, 8, planes, count);
    }
  }
}
