#include "Kernel.h"

enum { SIDE = 8, RING = 16 };

/// Sample `n` of eight blocks that begin at column 0 of their cells.
CK_BODY int64_t at(const ck_cellBlocks *b, int n) { return (n & 7) * b->length + (n >> 3); }

/// Makes eight vectors, as the rows of a matrix, its columns.
CK_BODY void transpose(cv_f8 *v) {
  cv_f8 a[SIDE], b[SIDE];
  for (int i = 0; i < SIDE; i += 2) {
    a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < SIDE; i += 4) {
    for (int j = 0; j < 2; j++) {
      cv_f8 first = a[i + j], second = a[i + j + 2];
      b[i + 2 * j] = __builtin_shufflevector(first, second, 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 2 * j + 1] = __builtin_shufflevector(first, second, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < SIDE / 2; i++) {
    v[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

CK_KERNEL(
    ck_toCells, (const float *samples, int64_t cells, float *out, int64_t length),
    (samples, cells, out, length)) {
  for (int64_t first = 0; first < cells; first += 8) {
    cv_f8 v[SIDE];
    for (int i = 0; i < SIDE; i++) {
      v[i] = 0;
      if (first + i < cells) v[i] = f8(samples + 8 * (first + i));
    }
    transpose(v);
    for (int n = 0; n < SIDE; n++) ck_store8(out + n * length + first, v[n]);
  }
}

CK_KERNEL(
    ck_fromCells, (const float *in, int64_t length, int64_t cells, float *samples),
    (in, length, cells, samples)) {
  for (int64_t first = 0; first < cells; first += 8) {
    cv_f8 v[SIDE];
    for (int n = 0; n < SIDE; n++) v[n] = f8(in + n * length + first);
    transpose(v);
    for (int i = 0; i < SIDE && first + i < cells; i++) {
      ck_store8(samples + 8 * (first + i), v[i]);
    }
  }
}

CK_KERNEL(
    ck_transformCells, (const ck_cellBlocks *blocks, const float *rows, int64_t y, float *out),
    (blocks, rows, y, out)) {
  const ck_cellBlocks b = *blocks;
  int64_t row = SIDE * b.length;
  for (int64_t i = 0; i < row; i += b.length) {
    for (int64_t cell = i; cell < i + 8 * b.groups; cell += 8) {
      cv_f8 v[SIDE];
      for (int k = 0; k < SIDE; k++) v[k] = f8(rows + (y + k & RING - 1) * row + cell);
      ck_forwardCosines8(v);
      for (int k = 0; k < SIDE; k++) ck_store8(out + k * row + cell, v[k]);
    }
  }
}

/// Row `k` of the coefficients of eight blocks that begin at column `x` of their cells.
CK_BODY void transformRow(
    const ck_cellBlocks *b, const float *coefficients, int x, int k, int64_t cell, cv_f8 *c) {
  const float *from = coefficients + SIDE * k * b->length + cell;
  for (int n = 0; n < SIDE; n++) c[n] = f8(from + at(b, x + n));
  ck_forwardCosines8(c);
}

/// Stores rows of eight blocks, of which those in `used` have coefficients, transformed back, times
/// one over the noise that is left and the window.
CK_BODY void spread(
    const ck_cellBlocks *b, int phase, int64_t cell, cv_f8 kept[SIDE][SIDE], int used,
    cv_f8 noiseLeft) {
  cv_f8 weight = 1 / cv_max8(noiseLeft, 1e-6f);
  ck_store8(b->weights[phase] + cell, weight);
  cv_f8 w[SIDE / 2];
  for (int n = 0; n < SIDE / 2; n++) w[n] = weight * (1.0f / 64) * b->window[n];
  for (int k = 0; k < SIDE; k++) {
    float *out = b->sums[phase] + SIDE * k * b->length + cell;
    if (used >> k & 1) {
      ck_inverseCosines8(kept[k]);
      for (int n = 0; n < SIDE; n++) {
        // The window is symmetrical.
        ck_store8(out + n * b->length, kept[k][n] * w[n < SIDE / 2 ? n : SIDE - 1 - n]);
      }
    } else {
      for (int n = 0; n < SIDE; n++) ck_store8(out + n * b->length, 0.0f);
    }
  }
}

CK_BODY void threshold(const ck_cellBlocks *b, int phase, int64_t cell) {
  cv_f8 kept[SIDE][SIDE];
  cv_f8 noiseLeft = 0;
  int used = 0;
  for (int k = 0; k < SIDE; k++) {
    cv_f8 c[SIDE], excess[SIDE];
    transformRow(b, b->coefficients, 4 * phase, k, cell, c);
    for (int l = 0; l < SIDE; l++) excess[l] = c[l] * c[l] - b->limits[SIDE * k + l];
    cv_f8 highest = cv_max8(
        cv_max8(cv_max8(excess[0], excess[1]), cv_max8(excess[2], excess[3])),
        cv_max8(cv_max8(excess[4], excess[5]), cv_max8(excess[6], excess[7])));
    // No branch: in noise about every third row has some, which no CPU can predict.
    used |= ck_any(highest > 0) << k;
    for (int l = 0; l < SIDE; l++) {
      kept[k][l] = excess[l] > 0 ? c[l] : 0;
      noiseLeft += excess[l] > 0 ? b->variances[SIDE * k + l] : 0;
    }
  }
  spread(b, phase, cell, kept, used, noiseLeft);
}

CK_KERNEL(ck_thresholdCells, (const ck_cellBlocks *blocks, int phases), (blocks, phases)) {
  const ck_cellBlocks b = *blocks;
  for (int64_t cell = 0; cell < 8 * b.groups; cell += 8) {
    if (phases & 1) threshold(&b, 0, cell);
    if (phases & 2) threshold(&b, 1, cell);
  }
}

CK_BODY void filter(const ck_cellBlocks *b, int phase, int64_t cell) {
  cv_f8 kept[SIDE][SIDE];
  cv_f8 noiseLeft = 0;
  for (int k = 0; k < SIDE; k++) {
    cv_f8 signal[SIDE], gain[SIDE];
    transformRow(b, b->pilot, 2 + 4 * phase, k, cell, signal);
    for (int l = 0; l < SIDE; l++) {
      cv_f8 noise = b->wienerNoise[SIDE * k + l];
      gain[l] = 1 - noise / (signal[l] * signal[l] + noise);
    }
    // The mean stays.
    if (k == 0) gain[0] = 1;
    transformRow(b, b->coefficients, 2 + 4 * phase, k, cell, kept[k]);
    for (int l = 0; l < SIDE; l++) {
      kept[k][l] *= gain[l];
      noiseLeft += gain[l] * gain[l] * b->variances[SIDE * k + l];
    }
  }
  spread(b, phase, cell, kept, 0xff, noiseLeft);
}

CK_KERNEL(ck_filterCells, (const ck_cellBlocks *blocks, int phases), (blocks, phases)) {
  const ck_cellBlocks b = *blocks;
  for (int64_t cell = 0; cell < 8 * b.groups; cell += 8) {
    if (phases & 1) filter(&b, 0, cell);
    if (phases & 2) filter(&b, 1, cell);
  }
}

CK_KERNEL(
    ck_restoreCells,
    (const ck_cellBlocks *blocks, int x, int phases, float *carry, float *rows, int64_t y),
    (blocks, x, phases, carry, rows, y)) {
  const ck_cellBlocks b = *blocks;
  int64_t row = SIDE * b.length;
  for (int n = 0; n < SIDE; n++) {
    // The sample of the blocks of each phase that is column n, and of which cell.
    int sample[2], moved[2];
    const float *from[2];
    for (int p = 0; p < 2; p++) {
      sample[p] = n - x - 4 * p & 7;
      moved[p] = (x + 4 * p + sample[p]) >> 3;
      from[p] = b.sums[p] + sample[p] * b.length - moved[p];
    }
    for (int64_t cell = 0; cell < 8 * b.groups; cell += 8) {
      cv_f8 v[SIDE], weight = 0;
      if (phases == 3) {
        for (int k = 0; k < SIDE; k++) {
          v[k] = f8(from[0] + k * row + cell) + f8(from[1] + k * row + cell);
        }
      } else {
        const float *one = from[phases >> 1];
        for (int k = 0; k < SIDE; k++) v[k] = f8(one + k * row + cell);
      }
      for (int p = 0; p < 2; p++) {
        if (phases >> p & 1) weight += f8(b.weights[p] + cell - moved[p]) * b.window[sample[p]];
      }
      ck_inverseCosines8(v);
      float *before = carry + n * b.length + cell;
      cv_f8 weightBefore = f8(before + 4 * row);
      ck_store8(before + 4 * row, weight);
      for (int k = 0; k < SIDE / 2; k++) {
        float early = b.window[k], late = b.window[k + SIDE / 2];
        cv_f8 sum = f8(before + k * row) + v[k] * early;
        ck_store8(
            rows + (y + k & RING - 1) * row + n * b.length + cell,
            sum / (weightBefore * late + weight * early));
        ck_store8(before + k * row, v[k + SIDE / 2] * late);
      }
    }
  }
}
