#include "Pixels.h"

enum { GUIDED_RADIUS = CK_GUIDED_RADIUS };
static const float perArea = 1 / (float)((2 * GUIDED_RADIUS + 1) * (2 * GUIDED_RADIUS + 1));

/// The sum of the samples on both sides, `step` apart, and of the sample itself.
CK_BODY cv_f8 window(const float *at, int64_t step) {
  cv_f8 sum = f8(at);
  for (int k = 1; k <= GUIDED_RADIUS; k++) sum += f8(at - k * step) + f8(at + k * step);
  return sum;
}

CK_BODY void columnSums(
    const float *stops, int64_t step, float *sums, float *squares, int64_t count) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 sum = 0, square = 0;
    for (int k = -GUIDED_RADIUS; k <= GUIDED_RADIUS; k++) {
      cv_f8 value = f8(stops + i + k * step);
      sum += value;
      square += value * value;
    }
    put(sums + i, sum);
    put(squares + i, square);
  }
}

/// The Wiener factor: 1 where no variance is noise, 0 where all may be.
CK_BODY cv_f8 signal(const ck_guided *guided, cv_f8 mean, cv_f8 variance) {
  cv_f8 luminance = powerOfTwo(mean);
  // 10⁻⁴: the variance of a constant by rounding alone.
  cv_f8 noisy = (luminance * guided->slope + guided->offset) / (luminance * luminance)
          * guided->noiseFactor
      + 1e-4f;
  return larger(1 - noisy / (variance + 1e-12f), 0);
}

CK_BODY void lines(
    const ck_guided *guided, const float *sums, const float *squares, float *slope,
    float *offset, int64_t count) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 mean = window(sums + i, 1) * perArea;
    cv_f8 variance = larger(window(squares + i, 1) * perArea - mean * mean, 0);
    cv_f8 edge = guided->epsilon / (variance + guided->epsilon);
    cv_f8 q = edge * edge * signal(guided, mean, variance);
    put(slope + i, q);
    put(offset + i, q * mean);
  }
}

CK_KERNEL(
    ck_guidedRow,
    (const ck_guided *guided, const float *stops, int64_t step, float *sums, float *squares,
     float *slope, float *offset, int64_t count),
    (guided, stops, step, sums, squares, slope, offset, count)) {
  const ck_guided g = *guided;
  columnSums(stops, step, sums, squares, count + 2 * GUIDED_RADIUS);
  lines(&g, sums + GUIDED_RADIUS, squares + GUIDED_RADIUS, slope, offset, count);
}

CK_KERNEL(
    ck_windowMeans, (const float *in, int64_t step, float *out, int64_t count),
    (in, step, out, count)) {
  for (int64_t i = 0; i < count + 2 * GUIDED_RADIUS; i += 8) put(out + i, window(in + i, step));
  for (int64_t i = 0; i < count; i += 8) {
    // In place: all samples that are still to be read lie to the right.
    put(out + i, window(out + GUIDED_RADIUS + i, 1) * perArea);
  }
}
