#include "Kernel.h"

enum { SIDE = 8 };

/// Sample or coefficient `n` of eight blocks two columns apart: even and odd columns are stored apart.
CK_BODY int64_t at(const ck_blockRow *b, int n) { return (n & 1) * b->half + (n >> 1); }

CK_BODY void columns(const ck_eightRows *samples, int64_t x, cv_f8 *c) {
  for (int k = 0; k < SIDE; k++) c[k] = f8(samples->row[k] + x);
  ck_forwardCosines(c);
}

CK_KERNEL(
    ck_transformColumns, (const ck_blockRow *blocks, ck_eightRows samples), (blocks, samples)) {
  const ck_blockRow b = *blocks;
  for (int64_t group = 0; group <= b.groups; group++) {
    cv_f8 low[SIDE], high[SIDE];
    columns(&samples, 16 * group, low);
    // Of the columns behind the last group blocks reach only the first six.
    columns(&samples, 16 * group + (group < b.groups ? 8 : 0), high);
    for (int k = 0; k < SIDE; k++) {
      float *out = b.coefficients + 2 * k * b.half + 8 * group;
      ck_store8(out, ck_even8(low[k], high[k]));
      ck_store8(out + b.half, ck_odd8(low[k], high[k]));
    }
  }
}

/// `v` moved up by `m` lanes, 1 to 3, with zeros below, and the lanes that leave it.
#define MOVED_UP(v, m)                                                                          \
  __builtin_shufflevector(                                                                      \
      v, (cv_f8)(0.0f), 8, m > 1 ? 8 : 0, m > 2 ? 8 : 2 - m, 3 - m, 4 - m, 5 - m, 6 - m, 7 - m)
#define MOVED_OUT(v, m)                                                                         \
  __builtin_shufflevector(                                                                      \
      v, (cv_f8)(0.0f), 8 - m, m > 1 ? 9 - m : 8, m > 2 ? 7 : 8, 8, 8, 8, 8, 8)

/// Adds sample n of eight blocks two columns apart, `v[n]`, times `weight` and the window, to a row of even
/// and odd columns. A column gets the blocks that begin closest to it first; the vector behind holds only what
/// the blocks of this group add to it. In registers: a read a column aside would wait for the store before it.
CK_BODY void spread(const ck_blockRow *b, const cv_f8 *v, cv_f8 weight, float *row) {
  cv_f8 w[SIDE / 2];
  for (int n = 0; n < SIDE / 2; n++) w[n] = weight * b->window[n];
  for (int parity = 0; parity < 2; parity++) {
    float *out = row + parity * b->half;
    // The window is symmetrical.
    cv_f8 p0 = v[parity] * w[parity], p1 = v[2 + parity] * w[2 + parity];
    cv_f8 p2 = v[4 + parity] * w[3 - parity], p3 = v[6 + parity] * w[1 - parity];
    cv_f8 here = f8(out) + p0 + MOVED_UP(p1, 1) + MOVED_UP(p2, 2) + MOVED_UP(p3, 3);
    ck_store8(out, here);
    ck_store8(out + 8, MOVED_OUT(p1, 1) + MOVED_OUT(p2, 2) + MOVED_OUT(p3, 3));
  }
}

/// Thresholds the rows of eight blocks; returns which rows have coefficients left, one bit each.
CK_BODY int keep(
    const ck_blockRow *b, int64_t group, cv_f8 kept[SIDE][SIDE], cv_f8 *noiseLeft) {
  int rows = 0;
  for (int k = 0; k < SIDE; k++) {
    const float *from = b->coefficients + 2 * k * b->half + 8 * group;
    cv_f8 c[SIDE], excess[SIDE];
    for (int n = 0; n < SIDE; n++) c[n] = f8(from + at(b, n));
    ck_forwardCosines(c);
    for (int l = 0; l < SIDE; l++) excess[l] = c[l] * c[l] - b->limits[SIDE * k + l];
    cv_f8 highest = cv_max8(
        cv_max8(cv_max8(excess[0], excess[1]), cv_max8(excess[2], excess[3])),
        cv_max8(cv_max8(excess[4], excess[5]), cv_max8(excess[6], excess[7])));
    // No branch: in noise about every third row has some, which no CPU can predict.
    rows |= ck_any(highest > 0) << k;
    for (int l = 0; l < SIDE; l++) {
      kept[k][l] = excess[l] > 0 ? c[l] : 0;
      *noiseLeft += excess[l] > 0 ? b->variances[SIDE * k + l] : 0;
    }
  }
  return rows;
}

CK_KERNEL(ck_thresholdBlocks, (const ck_blockRow *blocks), (blocks)) {
  const ck_blockRow b = *blocks;
  cv_f8 ones[SIDE];
  for (int n = 0; n < SIDE; n++) ones[n] = 1.0f;
  for (int64_t group = 0; group < b.groups; group++) {
    cv_f8 kept[SIDE][SIDE];
    cv_f8 noiseLeft = 0;
    int rows = keep(&b, group, kept, &noiseLeft);
    cv_f8 weight = 1 / cv_max8(noiseLeft, 1e-6f);
    cv_f8 scaled = weight * (1.0f / 64);
    for (; rows; rows &= rows - 1) {
      int k = __builtin_ctz(rows);
      ck_inverseCosines(kept[k]);
      spread(&b, kept[k], scaled, b.sums + 2 * k * b.half + 8 * group);
    }
    spread(&b, ones, weight, b.weights + 8 * group);
  }
}

/// The eight samples at `at`, which become zero.
CK_BODY cv_f8 take(float *at) {
  cv_f8 values = f8(at);
  ck_store8(at, 0.0f);
  return values;
}

CK_BODY void add(float *at, cv_f8 values) { ck_store8(at, f8(at) + values); }

CK_KERNEL(ck_restoreColumns, (const ck_blockRow *blocks, int64_t y), (blocks, y)) {
  const ck_blockRow b = *blocks;
  for (int64_t i = 0; i < 8 * b.groups; i += 8) {
    cv_f8 even[SIDE], odd[SIDE];
    for (int k = 0; k < SIDE; k++) even[k] = take(b.sums + 2 * k * b.half + i);
    ck_inverseCosines(even);
    for (int k = 0; k < SIDE; k++) odd[k] = take(b.sums + (2 * k + 1) * b.half + i);
    ck_inverseCosines(odd);
    cv_f8 evenWeight = take(b.weights + i), oddWeight = take(b.weights + b.half + i);
    for (int n = 0; n < SIDE; n++) {
      int64_t out = (y + n & 7) * 2 * b.half + 2 * i;
      float window = b.window[n];
      add(b.results + out, ck_zipLow8(even[n], odd[n]) * window);
      add(b.results + out + 8, ck_zipHigh8(even[n], odd[n]) * window);
      add(b.resultWeights + out, ck_zipLow8(evenWeight, oddWeight) * window);
      add(b.resultWeights + out + 8, ck_zipHigh8(evenWeight, oddWeight) * window);
    }
  }
  // What the last group added behind its columns belongs to pixels outside.
  for (int parity = 0; parity < 2; parity++) {
    int64_t end = parity * b.half + 8 * b.groups;
    ck_store8(b.weights + end, 0.0f);
    for (int k = 0; k < SIDE; k++) ck_store8(b.sums + 2 * k * b.half + end, 0.0f);
  }
}

CK_KERNEL(
    ck_weightedMeans, (const float *sums, const float *weights, float *out, int64_t count),
    (sums, weights, out, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    ck_store8(out + x, f8(sums + x) / f8(weights + x));
  }
}
