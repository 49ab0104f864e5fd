#include "Lanes.h"
#include "Transpose.h"

enum { SIDE = 8, RING = 16 };

/// Coefficients of the cells of a vector, or what its blocks become: eight rows of eight columns.
typedef struct cellVector {
  lanes row[SIDE][SIDE];
} cellVector;

/// What the blocks of both phases become, transformed back along rows, and their weights.
typedef struct shrunkVector {
  cellVector phase[2];
  lanes weight[2];
} shrunkVector;

/// Vectors of a row. Cell c is in lane c / vectors of vector c % vectors: the cell beside that of a
/// lane is in the same lane of the next vector.
CK_BODY int64_t vectorsOf(int64_t cells) { return (cells + LANES - 1) / LANES; }

// Beside the last vector is the first again, moved by one lane.
#if CK_LANES == 16
CK_BODY lanes movedDown(lanes v) {
  return __builtin_shufflevector(
      v, (lanes)(0.0f), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}
CK_BODY lanes movedUp(lanes v) {
  return __builtin_shufflevector(
      v, (lanes)(0.0f), 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
}
#else
CK_BODY lanes movedDown(lanes v) {
  return __builtin_shufflevector(v, (lanes)(0.0f), 1, 2, 3, 4, 5, 6, 7, 8);
}
CK_BODY lanes movedUp(lanes v) {
  return __builtin_shufflevector(v, (lanes)(0.0f), 8, 0, 1, 2, 3, 4, 5, 6);
}
#endif

CK_WIDE_KERNEL(
    ck_toCells, (const float *samples, int64_t cells, float *row), (samples, cells, row)) {
  int64_t vectors = vectorsOf(cells);
  // In order, unlike the loads below.
  for (int64_t x = 0; x < SIDE * cells; x += 16) __builtin_prefetch(samples + x);
  for (int64_t i = 0; i < vectors; i++) {
    for (int first = 0; first < LANES; first += SIDE) {
      cv_f8 v[SIDE];
      for (int lane = 0; lane < SIDE; lane++) {
        int64_t cell = (first + lane) * vectors + i;
        v[lane] = 0;
        if (cell < cells) v[lane] = f8(samples + SIDE * cell);
      }
      transpose(v);
      float *out = row + SIDE * LANES * i + first;
      for (int n = 0; n < SIDE; n++) put(out + n * LANES, v[n]);
    }
  }
}

CK_WIDE_KERNEL(
    ck_fromCells,
    (const float *row, int64_t cells, int64_t begin, int64_t end, float *samples),
    (row, cells, begin, end, samples)) {
  int64_t vectors = vectorsOf(cells);
  uint64_t count = (uint64_t)(end - begin);
  for (int64_t i = 0; i < vectors; i++) {
    for (int first = 0; first < LANES; first += SIDE) {
      const float *in = row + SIDE * LANES * i + first;
      cv_f8 v[SIDE];
      for (int n = 0; n < SIDE; n++) v[n] = f8(in + n * LANES);
      transpose(v);
      for (int lane = 0; lane < SIDE; lane++) {
        int64_t cell = (first + lane) * vectors + i - begin;
        if ((uint64_t)cell < count) put(samples + SIDE * cell, v[lane]);
      }
    }
  }
}

/// Transforms columns of rows `y` to `y` + 7 of a ring, in vector `i`.
CK_BODY void transformColumns(
    const ck_cellBlocks *b, const float *ring, int64_t y, int64_t i, cellVector *out) {
  _Bool isBehind = i == vectorsOf(b->cells);
  const float *from = ring + (isBehind ? 0 : SIDE * LANES * i);
  for (int n = 0; n < SIDE; n++) {
    lanes v[SIDE];
    for (int k = 0; k < SIDE; k++) {
      v[k] = at(from + (y + k & RING - 1) * b->stride + n * LANES);
    }
    ck_forwardCosines(v);
    for (int k = 0; k < SIDE; k++) out->row[k][n] = isBehind ? movedDown(v[k]) : v[k];
  }
}

/// Transforms row `k` of the blocks that begin at column `x` of their cells.
CK_BODY void transformRow(
    const cellVector *here, const cellVector *next, int x, int k, lanes c[SIDE]) {
  for (int n = 0; n < SIDE; n++) c[n] = (x + n < SIDE ? here : next)->row[k][x + n & 7];
  ck_forwardCosines(c);
}

/// The weight of blocks in which this variance of the noise is left.
CK_BODY lanes weightOf(lanes noiseLeft) { return 1 / larger(noiseLeft, 1e-6f); }

/// Drops the coefficients of blocks at column `x` within their limits; returns their weights.
CK_BODY lanes threshold(
    const ck_cellBlocks *b, int x, const cellVector *here, const cellVector *next,
    cellVector *out) {
  lanes noiseLeft = 0;
  for (int k = 0; k < SIDE; k++) {
    lanes c[SIDE];
    transformRow(here, next, x, k, c);
    integers stays = 0;
    for (int l = 0; l < SIDE; l++) {
      lanes square = c[l] * c[l];
      float limit = b->limits[SIDE * k + l], variance = b->variances[SIDE * k + l];
      stays |= square > limit;
      // In this form the sum is one instruction of AVX-512.
      noiseLeft = square > limit ? noiseLeft + variance : noiseLeft;
      c[l] = square > limit ? c[l] : 0;
    }
    // Else they are zeros, as in smooth parts of most pictures.
    if (anyOf(stays)) ck_inverseCosines(c);
    for (int n = 0; n < SIDE; n++) out->row[k][n] = c[n];
  }
  return weightOf(noiseLeft);
}

/// The Wiener filter of blocks at column `x` by what they are without noise; returns their weights.
CK_BODY lanes filter(
    const ck_cellBlocks *b, int x, const cellVector *here, const cellVector *next,
    const cellVector *pilotHere, const cellVector *pilotNext, cellVector *out) {
  lanes noiseLeft = 0;
  for (int k = 0; k < SIDE; k++) {
    lanes gain[SIDE], c[SIDE];
    transformRow(pilotHere, pilotNext, x, k, gain);
    for (int l = 0; l < SIDE; l++) {
      float noise = b->wienerNoise[SIDE * k + l];
      gain[l] = 1 - noise / (gain[l] * gain[l] + noise);
    }
    // The mean stays.
    if (k == 0) gain[0] = 1;
    transformRow(here, next, x, k, c);
    for (int l = 0; l < SIDE; l++) {
      c[l] *= gain[l];
      noiseLeft += gain[l] * gain[l] * b->variances[SIDE * k + l];
    }
    ck_inverseCosines(c);
    for (int n = 0; n < SIDE; n++) out->row[k][n] = c[n];
  }
  return weightOf(noiseLeft);
}

/// Adds up the blocks of the `phases`, which begin at column `x` of their cells or four further,
/// transformed back along columns, in vector `i`. Rows `y` to `y` + 3 of the ring `rows` become the
/// weighted means with the row of blocks before; `carry` holds four rows and their weights for the
/// next.
CK_BODY void restore(
    const ck_cellBlocks *b, int x, int phases, const shrunkVector *last,
    const shrunkVector *here, int64_t i, float *carry, float *rows, int64_t ring, int64_t y) {
  for (int n = 0; n < SIDE; n++) {
    lanes v[SIDE], weight = 0;
    for (int p = 0; p < 2; p++) {
      if (!(phases >> p & 1)) continue;
      // The sample of the blocks that is column n; they began here or in the cell before.
      int sample = n - x - 4 * p & 7;
      const shrunkVector *from = x + 4 * p + sample < SIDE ? here : last;
      // Both transforms scale by 8.
      lanes scaled = from->weight[p] * (1.0f / 64) * b->window[sample];
      for (int k = 0; k < SIDE; k++) {
        lanes one = from->phase[p].row[k][sample] * scaled;
        v[k] = p == 1 && phases == 3 ? v[k] + one : one;
      }
      weight += from->weight[p] * b->window[sample];
    }
    ck_inverseCosines(v);
    int64_t column = (SIDE * i + n) * LANES;
    float *before = carry + column;
    lanes weightBefore = at(before + 4 * b->stride);
    put(before + 4 * b->stride, weight);
    for (int k = 0; k < SIDE / 2; k++) {
      float early = b->window[k], late = b->window[k + SIDE / 2];
      lanes sum = at(before + k * b->stride) + v[k] * early;
      put(rows + (y + k & ring - 1) * b->stride + column,
          sum / (weightBefore * late + weight * early));
      put(before + k * b->stride, v[k + SIDE / 2] * late);
    }
  }
}

/// The same with `phases` known when this is compiled.
CK_BODY void restoreAny(
    const ck_cellBlocks *b, int x, int phases, const shrunkVector *last,
    const shrunkVector *here, int64_t i, float *carry, float *rows, int64_t ring, int64_t y) {
  switch (phases) {
  case 1: restore(b, x, 1, last, here, i, carry, rows, ring, y); break;
  case 2: restore(b, x, 2, last, here, i, carry, rows, ring, y); break;
  default: restore(b, x, 3, last, here, i, carry, rows, ring, y);
  }
}

/// Moves blocks of the `phases` by one lane, to stand before the first vector.
CK_BODY void moveUp(shrunkVector *v, int phases) {
  for (int p = 0; p < 2; p++) {
    if (!(phases >> p & 1)) continue;
    v->weight[p] = movedUp(v->weight[p]);
    for (int k = 0; k < SIDE; k++) {
      for (int n = 0; n < SIDE; n++) v->phase[p].row[k][n] = movedUp(v->phase[p].row[k][n]);
    }
  }
}

/// A row of blocks, by the Wiener filter or by thresholds: vector for vector transformed, shrunk,
/// transformed back, so that all of it stays in the nearest cache. The first vector is finished at
/// the end, as the blocks of the last reach into it.
CK_BODY void shrink(
    const ck_cellBlocks *b, _Bool filters, int phases, int64_t y, float *rows, int64_t ring) {
  int x = filters ? 2 : 0;
  float *carry = filters ? b->wienerCarry : b->carry;
  cellVector coefficients[2], pilot[2];
  shrunkVector first, others[2];
  shrunkVector *last = 0;
  int64_t vectors = vectorsOf(b->cells);
  for (int64_t i = 0; i <= vectors; i++) {
    transformColumns(b, b->source, y, i, &coefficients[i & 1]);
    if (filters) transformColumns(b, b->pilot, y, i, &pilot[i & 1]);
    if (i == 0) continue;
    const cellVector *here = &coefficients[~i & 1], *next = &coefficients[i & 1];
    const cellVector *pilotHere = &pilot[~i & 1], *pilotNext = &pilot[i & 1];
    shrunkVector *made = i == 1 ? &first : &others[i & 1];
    for (int p = 0; p < 2; p++) {
      if (!(phases >> p & 1)) continue;
      made->weight[p] =
          filters ? filter(b, x + 4 * p, here, next, pilotHere, pilotNext, &made->phase[p])
                  : threshold(b, x + 4 * p, here, next, &made->phase[p]);
    }
    if (last) restoreAny(b, x, phases, last, made, i - 1, carry, rows, ring, y);
    last = made;
  }
  if (last == &first) {
    others[0] = first;
    last = &others[0];
  }
  moveUp(last, phases);
  restoreAny(b, x, phases, last, &first, 0, carry, rows, ring, y);
}

CK_WIDE_KERNEL(
    ck_thresholdCells,
    (const ck_cellBlocks *blocks, int phases, int64_t y, float *rows, int64_t ring),
    (blocks, phases, y, rows, ring)) {
  const ck_cellBlocks b = *blocks;
  shrink(&b, 0, phases, y, rows, ring);
}

CK_WIDE_KERNEL(
    ck_filterCells,
    (const ck_cellBlocks *blocks, int phases, int64_t y, float *rows, int64_t ring),
    (blocks, phases, y, rows, ring)) {
  const ck_cellBlocks b = *blocks;
  shrink(&b, 1, phases, y, rows, ring);
}
