#include "Pixels.h"

/// The sum of `radius` samples on both sides, `step` apart, and of the sample itself.
CK_BODY cv_f8 window(const float *at, int64_t step, int radius) {
  cv_f8 sum = f8(at);
  for (int k = 1; k <= radius; k++) sum += f8(at - k * step) + f8(at + k * step);
  return sum;
}

// One loop for each radius, so that it is unrolled.
#define FOR_RADIUS(radius, loop, ...) \
  if ((radius) == 2) {                \
    loop(__VA_ARGS__, 2);             \
  } else {                            \
    loop(__VA_ARGS__, 4);             \
  }

CK_BODY void columnSums(
    const float *stops, int64_t step, float *sums, float *squares, int64_t count, int radius) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 sum = 0, square = 0;
    for (int k = -radius; k <= radius; k++) {
      cv_f8 value = f8(stops + i + k * step);
      sum += value;
      square += value * value;
    }
    ck_store8(sums + i, sum);
    ck_store8(squares + i, square);
  }
}

/// The Wiener factor: 1 where no variance is noise, 0 where all may be.
CK_BODY cv_f8 signal(const ck_guided *guided, cv_f8 mean, cv_f8 variance) {
  cv_f8 luminance = cv_exp2_8(mean);
  // 10⁻⁴: the variance of a constant by rounding alone.
  cv_f8 noisy = (luminance * guided->slope + guided->offset) / (luminance * luminance)
          * guided->noiseFactor
      + 1e-4f;
  return cv_max8(1 - noisy / (variance + 1e-12f), 0);
}

CK_BODY void lines(
    const ck_guided *guided, const float *sums, const float *squares, float *slope,
    float *offset, int64_t count, int radius) {
  const float area = 1 / (float)((2 * radius + 1) * (2 * radius + 1));
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 mean = window(sums + i, 1, radius) * area;
    cv_f8 variance =
        cv_max8(window(squares + i, 1, radius) * area - mean * mean, 0);
    cv_f8 edge = guided->epsilon / (variance + guided->epsilon);
    cv_f8 q = edge * edge * signal(guided, mean, variance);
    ck_store8(slope + i, q);
    ck_store8(offset + i, q * mean);
  }
}

CK_KERNEL(
    ck_guidedRow,
    (const ck_guided *guided, const float *stops, int64_t step, float *sums, float *squares,
     float *slope, float *offset, int64_t count),
    (guided, stops, step, sums, squares, slope, offset, count)) {
  const ck_guided g = *guided;
  const int64_t wide = count + 2 * g.radius;
  FOR_RADIUS(g.radius, columnSums, stops, step, sums, squares, wide)
  FOR_RADIUS(
      g.radius, lines, &g, sums + g.radius, squares + g.radius, slope, offset, count)
}

CK_BODY void windowMeans(
    const float *in, int64_t step, float *out, int64_t count, int radius) {
  const float area = 1 / (float)((2 * radius + 1) * (2 * radius + 1));
  for (int64_t i = 0; i < count + 2 * radius; i += 8) {
    ck_store8(out + i, window(in + i, step, radius));
  }
  for (int64_t i = 0; i < count; i += 8) {
    // In place: all samples that are still to be read lie to the right.
    ck_store8(out + i, window(out + radius + i, 1, radius) * area);
  }
}
CK_KERNEL(
    ck_windowMeans,
    (const float *in, int64_t step, int32_t radius, float *out, int64_t count),
    (in, step, radius, out, count)) {
  FOR_RADIUS(radius, windowMeans, in, step, out, count)
}
