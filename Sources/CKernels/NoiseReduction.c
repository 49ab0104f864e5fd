#include "NoiseColors.h"

CK_KERNEL(
    ck_loadNoiseColors, (ck_anscombe scale, ck_threeRows source, ck_threeRows out, int64_t count),
    (scale, source, out, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 v[3];
    for (int c = 0; c < 3; c++) {
      v[c] = ck_stabilized8(scale, finite(f8(source.row[c] + x)));
    }
    toNoiseColors(v);
    for (int c = 0; c < 3; c++) ck_store8(out.row[c] + x, v[c]);
  }
}

/// The bias at means `y`.
CK_BODY cv_f8 biasAt(ck_inverseBias bias, cv_f8 y) {
  if (!ck_any(bias.end - y > 0)) return bias.last;
  cv_f8 sum = 0;
  for (int64_t i = 0; i < bias.count; i++) {
    const float *piece = bias.pieces + 4 * i;
    sum += cv_clamp8((y - piece[0]) * piece[1], 0, 1) * piece[2];
  }
  return sum;
}

/// The largest channel as a fraction of its saturation.
CK_BODY cv_f8 peakOf(const cv_f8 *v, ck_threeValues perSaturation) {
  return cv_max8(
      cv_max8(v[0] * perSaturation.value[0], v[1] * perSaturation.value[1]),
      v[2] * perSaturation.value[2]);
}

CK_KERNEL(
    ck_finishNoise,
    (const ck_noiseInverse *inverse, ck_threeRows smoothed, ck_threeRows stored, ck_threeRows out,
     int64_t count),
    (inverse, smoothed, stored, out, count)) {
  const ck_noiseInverse n = *inverse;
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 made[3], before[3];
    for (int c = 0; c < 3; c++) made[c] = f8(smoothed.row[c] + x);
    fromNoiseColors(made);
    for (int c = 0; c < 3; c++) {
      cv_f8 bias = biasAt(n.bias[c], made[c]) * n.removedFraction;
      made[c] = ck_linearized8(n.scale, made[c], bias);
      before[c] = f8(stored.row[c] + x);
    }
    cv_f8 peak = cv_max8(peakOf(made, n.perSaturation), peakOf(before, n.perSaturation) - 0.25f);
    cv_f8 weight = cv_clamp8((1 - peak) * 10, 0, 1);
    for (int c = 0; c < 3; c++) {
      cv_f8 from = finite(before[c]);
      cv_f8 mixed = from + (made[c] - from) * weight;
      ck_store8(out.row[c] + x, weight > 0 ? mixed : cv_number8(before[c]));
    }
  }
}
