#include "Kernel.h"

enum { SIDE = 8 };

/// Sample or coefficient `n` of eight blocks two columns apart: even and odd columns are stored apart.
CK_BODY int64_t at(const ck_blockRow *b, int n) { return (n & 1) * b->half + (n >> 1); }

CK_BODY void columns(const float *samples, int64_t stride, cv_f8 *c) {
  for (int k = 0; k < SIDE; k++) c[k] = ck_load8(samples + k * stride);
  ck_forwardCosines8(c);
}

CK_BODY void ck_transformColumns_body(
    const ck_blockRow *blocks, const float *samples, int64_t stride) {
  const ck_blockRow b = *blocks;
  for (int64_t group = 0; group <= b.groups; group++) {
    cv_f8 low[SIDE], high[SIDE];
    columns(samples + 16 * group, stride, low);
    // Of the columns behind the last group blocks reach only the first six.
    columns(samples + 16 * group + (group < b.groups ? 8 : 0), stride, high);
    for (int k = 0; k < SIDE; k++) {
      float *out = b.coefficients + 2 * k * b.half + 8 * group;
      ck_store8(out, cv_even8(low[k], high[k]));
      ck_store8(out + b.half, cv_odd8(low[k], high[k]));
    }
  }
}
CK_KERNEL(
    ck_transformColumns, (const ck_blockRow *blocks, const float *samples, int64_t stride),
    (blocks, samples, stride))

/// Adds `parts[n]` of eight blocks to a row at columns `n` of each. A column gets the blocks that begin
/// closest to it first; the vector behind holds only what the blocks of this group add to it.
CK_BODY void spread(const ck_blockRow *b, const float (*parts)[16], float *row) {
  for (int parity = 0; parity < 2; parity++) {
    float *out = row + parity * b->half;
    cv_f8 here = ck_load8(out), behind = 0.0f;
    for (int m = 0; m < SIDE / 2; m++) {
      const float *part = parts[2 * m + parity] + 3 - m;
      here += ck_load8(part);
      if (m > 0) behind += ck_load8(part + 8);
    }
    ck_store8(out, here);
    ck_store8(out + 8, behind);
  }
}

/// Thresholds the rows of eight blocks; returns which rows have coefficients left, one bit each.
CK_BODY int keep(
    const ck_blockRow *b, int64_t group, cv_f8 kept[SIDE][SIDE], cv_f8 *noiseLeft) {
  int rows = 0;
  for (int k = 0; k < SIDE; k++) {
    const float *from = b->coefficients + 2 * k * b->half + 8 * group;
    cv_f8 c[SIDE], excess[SIDE];
    for (int n = 0; n < SIDE; n++) c[n] = ck_load8(from + at(b, n));
    ck_forwardCosines8(c);
    for (int l = 0; l < SIDE; l++) excess[l] = c[l] * c[l] - b->limits[SIDE * k + l];
    cv_f8 highest = cv_max8(
        cv_max8(cv_max8(excess[0], excess[1]), cv_max8(excess[2], excess[3])),
        cv_max8(cv_max8(excess[4], excess[5]), cv_max8(excess[6], excess[7])));
    if (!cv_anyPositive8(highest)) continue;
    rows |= 1 << k;
    for (int l = 0; l < SIDE; l++) {
      kept[k][l] = excess[l] > 0.0f ? c[l] : 0.0f;
      *noiseLeft += excess[l] > 0.0f ? (cv_f8)(b->variances[SIDE * k + l]) : 0.0f;
    }
  }
  return rows;
}

CK_BODY void ck_thresholdBlocks_body(const ck_blockRow *blocks) {
  const ck_blockRow b = *blocks;
  // Between margins that stay zero, so that they can be read some columns aside.
  float parts[SIDE + 1][SIDE][16] = {0};
  for (int64_t group = 0; group < b.groups; group++) {
    cv_f8 kept[SIDE][SIDE];
    cv_f8 noiseLeft = 0.0f;
    int rows = keep(&b, group, kept, &noiseLeft);
    cv_f8 weight = 1.0f / cv_max8(noiseLeft, (cv_f8)(1e-6f));
    cv_f8 scaled = weight * (1.0f / 64);
    for (int k = 0; k < SIDE; k++) {
      if (!(rows & 1 << k)) continue;
      ck_inverseCosines8(kept[k]);
      for (int n = 0; n < SIDE; n++) {
        ck_store8(parts[k][n] + 3, kept[k][n] * (scaled * b.window[n]));
      }
    }
    for (int n = 0; n < SIDE; n++) ck_store8(parts[SIDE][n] + 3, weight * b.window[n]);
    // Last, when all parts have left the store buffer, from which reads aside would have to wait.
    for (int k = 0; k < SIDE; k++) {
      if (rows & 1 << k) spread(&b, parts[k], b.sums + 2 * k * b.half + 8 * group);
    }
    spread(&b, parts[SIDE], b.weights + 8 * group);
  }
}
CK_KERNEL(ck_thresholdBlocks, (const ck_blockRow *blocks), (blocks))

/// The eight samples at `at`, which become zero.
CK_BODY cv_f8 take(float *at) {
  cv_f8 values = ck_load8(at);
  ck_store8(at, 0.0f);
  return values;
}

CK_BODY void add(float *at, cv_f8 values) { ck_store8(at, ck_load8(at) + values); }

CK_BODY void ck_restoreColumns_body(const ck_blockRow *blocks, int64_t y) {
  const ck_blockRow b = *blocks;
  for (int64_t i = 0; i < 8 * b.groups; i += 8) {
    cv_f8 even[SIDE], odd[SIDE];
    for (int k = 0; k < SIDE; k++) even[k] = take(b.sums + 2 * k * b.half + i);
    ck_inverseCosines8(even);
    for (int k = 0; k < SIDE; k++) odd[k] = take(b.sums + (2 * k + 1) * b.half + i);
    ck_inverseCosines8(odd);
    cv_f8 evenWeight = take(b.weights + i), oddWeight = take(b.weights + b.half + i);
    for (int n = 0; n < SIDE; n++) {
      int64_t out = (y + n & 7) * 2 * b.half + 2 * i;
      float window = b.window[n];
      add(b.results + out, cv_zipLow8(even[n], odd[n]) * window);
      add(b.results + out + 8, cv_zipHigh8(even[n], odd[n]) * window);
      add(b.resultWeights + out, cv_zipLow8(evenWeight, oddWeight) * window);
      add(b.resultWeights + out + 8, cv_zipHigh8(evenWeight, oddWeight) * window);
    }
  }
  // What the last group added behind its columns belongs to pixels outside.
  for (int parity = 0; parity < 2; parity++) {
    int64_t end = parity * b.half + 8 * b.groups;
    ck_store8(b.weights + end, 0.0f);
    for (int k = 0; k < SIDE; k++) ck_store8(b.sums + 2 * k * b.half + end, 0.0f);
  }
}
CK_KERNEL(ck_restoreColumns, (const ck_blockRow *blocks, int64_t y), (blocks, y))

CK_BODY void ck_weightedMeans_body(
    const float *sums, const float *weights, float *out, int64_t count) {
  for (int64_t x = 0; x < count; x += 8) {
    ck_store8(out + x, ck_load8(sums + x) / ck_load8(weights + x));
  }
}
CK_KERNEL(
    ck_weightedMeans, (const float *sums, const float *weights, float *out, int64_t count),
    (sums, weights, out, count))
