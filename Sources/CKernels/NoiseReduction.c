#include "NoiseColors.h"

CK_WIDE_KERNEL(
    ck_loadNoiseColors, (ck_anscombe scale, ck_threeRows source, ck_threeRows out, int64_t count),
    (scale, source, out, count)) {
  for (int64_t x = 0; x < count; x += LANES) {
    lanes v[3];
    for (int c = 0; c < 3; c++) {
      v[c] = ck_stabilized(scale, finiteColor(at(source.row[c] + x)));
    }
    toNoiseColors(v);
    for (int c = 0; c < 3; c++) put(out.row[c] + x, v[c]);
  }
}

/// The bias at means `y`.
CK_BODY lanes biasAt(ck_inverseBias bias, lanes y) {
  if (!anyOf(bias.end - y > 0)) return bias.last;
  lanes sum = 0;
  for (int64_t i = 0; i < bias.count; i++) {
    const float *segment = bias.segments + 4 * i;
    sum += limited((y - segment[0]) * segment[1], 0, 1) * segment[2];
  }
  return sum;
}

/// The largest channel as a fraction of its saturation.
CK_BODY lanes peakOf(const lanes *v, ck_threeValues perSaturation) {
  return larger(
      larger(v[0] * perSaturation.value[0], v[1] * perSaturation.value[1]),
      v[2] * perSaturation.value[2]);
}

/// Samples from those in use to those that are fetched from a distant cache.
enum { AHEAD = 256 };

CK_WIDE_KERNEL(
    ck_finishNoise,
    (const ck_noiseInverse *inverse, ck_threeRows smoothed, ck_threeRows stored, ck_threeRows out,
     int64_t count),
    (inverse, smoothed, stored, out, count)) {
  const ck_noiseInverse n = *inverse;
  for (int64_t x = 0; x < count; x += LANES) {
    lanes made[3], before[3];
    for (int c = 0; c < 3; c++) made[c] = at(smoothed.row[c] + x);
    fromNoiseColors(made);
    for (int c = 0; c < 3; c++) {
      lanes bias = biasAt(n.bias[c], made[c]) * n.removedFraction;
      made[c] = ck_linearized(n.scale, made[c], bias);
      before[c] = at(stored.row[c] + x);
      // It was made many rows ago.
      __builtin_prefetch(stored.row[c] + x + AHEAD);
    }
    lanes peak = larger(peakOf(made, n.perSaturation), peakOf(before, n.perSaturation) - 0.25f);
    lanes weight = limited((1 - peak) * 10, 0, 1);
    for (int c = 0; c < 3; c++) {
      lanes from = finiteColor(before[c]);
      lanes mixed = from + (made[c] - from) * weight;
      put(out.row[c] + x, weight > 0 ? mixed : number(before[c]));
    }
  }
}
