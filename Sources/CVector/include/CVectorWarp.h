// A row of a picture resampled at positions between its pixels: sixteen taps per pixel, four pixels at a
// time. Included by CVector.h.
#pragma once

/// Up to three planes of the rectangle of a picture that starts at (x, y).
typedef struct {
  const float *plane0, *plane1, *plane2;
  /// Samples from one row to the next.
  long stride;
  int32_t x, y, width, height;
} cv_warpSource;

/// The integer part, rounded down, of displacements below 2^22, and the fraction, 0...1.
static inline __attribute__((always_inline)) cv_i4 cv_warpSplit4(cv_f4 way, cv_f4 *rest) {
  cv_f4 shift = 12582912.0f;
  cv_f4 shifted = way + shift;
  cv_f4 left = way - (shifted - shift);
  cv_i4 below = left < 0.0f;
  *rest = left + __builtin_bit_cast(cv_f4, below & __builtin_bit_cast(cv_i4, (cv_f4)(1.0f)));
  return __builtin_bit_cast(cv_i4, shifted) - __builtin_bit_cast(cv_i4, shift) + below;
}
/// Weights of the pixels -1, 0, 1 and 2 at positions t after pixel 0: cubic convolution, a = -1/2.
static inline __attribute__((always_inline)) void cv_warpWeights4(cv_f4 t, cv_f4 *w) {
  w[0] = ((t * -0.5f + 1.0f) * t - 0.5f) * t;
  w[1] = (t * 1.5f - 2.5f) * t * t + 1.0f;
  w[2] = ((t * -1.5f + 2.0f) * t + 0.5f) * t;
  w[3] = (t * 0.5f - 0.5f) * t * t;
}
/// Four neighboring pixels whose taps are contiguous, from `first` on.
static inline __attribute__((always_inline)) cv_f4 cv_warpRun4(
    const float *first, long stride, const cv_f4 *wx, const cv_f4 *wy) {
  cv_f4 part[4];
  for (int i = 0; i < 4; i++) {
    cv_f4 sum = cv_load4(first + i) * wy[0];
    for (int j = 1; j < 4; j++) sum += cv_load4(first + j * stride + i) * wy[j];
    part[i] = sum * wx[i];
  }
  return (part[0] + part[2]) + (part[1] + part[3]);
}
/// The same bits for four pixels whose taps are anywhere, each with its own stride.
static inline __attribute__((always_inline)) cv_f4 cv_warpAny4(
    const float *const *first, const long *stride, const cv_f4 *wx, const cv_f4 *wy) {
  cv_f4 sum[4];
  for (int j = 0; j < 4; j++) {
    cv_f4 a = cv_load4(first[0] + j * stride[0]), b = cv_load4(first[1] + j * stride[1]);
    cv_f4 c = cv_load4(first[2] + j * stride[2]), d = cv_load4(first[3] + j * stride[3]);
    cv_f4 ac = __builtin_shufflevector(a, c, 0, 4, 1, 5);
    cv_f4 bd = __builtin_shufflevector(b, d, 0, 4, 1, 5);
    cv_f4 acEnd = __builtin_shufflevector(a, c, 2, 6, 3, 7);
    cv_f4 bdEnd = __builtin_shufflevector(b, d, 2, 6, 3, 7);
    cv_f4 tap[4] = {
      __builtin_shufflevector(ac, bd, 0, 4, 1, 5), __builtin_shufflevector(ac, bd, 2, 6, 3, 7),
      __builtin_shufflevector(acEnd, bdEnd, 0, 4, 1, 5),
      __builtin_shufflevector(acEnd, bdEnd, 2, 6, 3, 7),
    };
    for (int i = 0; i < 4; i++) sum[i] = j == 0 ? tap[i] * wy[0] : sum[i] + tap[i] * wy[j];
  }
  return (sum[0] * wx[0] + sum[2] * wx[2]) + (sum[1] * wx[1] + sum[3] * wx[3]);
}
/// The first of the sixteen taps of one pixel; they are copied to `patch` where some lie outside the
/// rectangle, whose edge is repeated.
static inline __attribute__((always_inline)) const float *cv_warpTaps(
    const float *plane, const cv_warpSource *in, int32_t column, int32_t row, float *patch,
    long *stride) {
  if (column >= 0 && row >= 0 && column <= in->width - 4 && row <= in->height - 4) {
    *stride = in->stride;
    return plane + row * in->stride + column;
  }
  for (int32_t j = 0; j < 4; j++)
    for (int32_t i = 0; i < 4; i++) {
      int32_t y = row + j < 0 ? 0 : row + j < in->height ? row + j : in->height - 1;
      int32_t x = column + i < 0 ? 0 : column + i < in->width ? column + i : in->width - 1;
      patch[4 * j + i] = plane[y * in->stride + x];
    }
  *stride = 4;
  return patch;
}

/// `count` pixels of row y of the picture from column x on, of `planes` planes, 1 or 3: `plane0`
/// goes to out0. The source of each pixel is displaced by `right` and `down`, which are given at the
/// columns that are multiples of `spacing`, from the last one at or before x, and linear between. A
/// pixel has the same bits wherever its row begins.
static inline void cv_warpRow(
    const cv_warpSource *in, int planes, long x, long y, long count, const float *right,
    const float *down, long spacing, float *out0, float *out1, float *out2) {
  const float *const plane[3] = {in->plane0, in->plane1, in->plane2};
  float *const out[3] = {out0, out1, out2};
  const cv_i4 lane = {0, 1, 2, 3};
  float step = 1.0f / (float)spacing;
  long start = x, end = x + count;
  long left = x - x % spacing;
  for (long node = 0; x < end; node++, left += spacing) {
    long stop = left + spacing < end ? left + spacing : end;
    float x0 = right[node], dx = right[node + 1] - x0;
    float y0 = down[node], dy = down[node + 1] - y0;
    for (; x < stop; x += 4) {
      // With fewer than four pixels left, the last is repeated.
      int32_t n = stop - x < 4 ? (int32_t)(stop - x) : 4;
      cv_i4 pixel = lane < n ? lane : (cv_i4)(n - 1);
      cv_f4 t = __builtin_convertvector(pixel + (int32_t)(x - left), cv_f4) * step;
      cv_f4 restX, restY, wx[4], wy[4];
      cv_i4 wholeX = cv_warpSplit4(x0 + dx * t, &restX);
      cv_i4 wholeY = cv_warpSplit4(y0 + dy * t, &restY);
      cv_warpWeights4(restX, wx);
      cv_warpWeights4(restY, wy);
      int32_t column = (int32_t)(x - in->x) - 1 + wholeX[0];
      int32_t row = (int32_t)(y - in->y) - 1 + wholeY[0];
      cv_i4 alike = (wholeX == __builtin_shufflevector(wholeX, wholeX, 0, 0, 0, 0))
                    & (wholeY == __builtin_shufflevector(wholeY, wholeY, 0, 0, 0, 0));
      if (n == 4 && column >= 0 && row >= 0 && column <= in->width - 7 && row <= in->height - 4
          && __builtin_reduce_and(alike) != 0) {
        for (int p = 0; p < planes; p++) {
          cv_f4 value = cv_warpRun4(plane[p] + row * in->stride + column, in->stride, wx, wy);
          __builtin_memcpy(out[p] + (x - start), &value, sizeof value);
        }
        continue;
      }
      cv_i4 columns = pixel + wholeX + ((int32_t)(x - in->x) - 1);
      cv_i4 rows = wholeY + ((int32_t)(y - in->y) - 1);
      for (int p = 0; p < planes; p++) {
        const float *first[4];
        long stride[4];
        float patch[4][16];
        for (int i = 0; i < 4; i++)
          first[i] = cv_warpTaps(plane[p], in, columns[i], rows[i], patch[i], &stride[i]);
        cv_f4 value = cv_warpAny4(first, stride, wx, wy);
        __builtin_memcpy(out[p] + (x - start), &value, (unsigned long)n * sizeof(float));
      }
    }
    x = stop;
  }
}
