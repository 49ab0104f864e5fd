#include "Pixels.h"

/// Gains of a row of grid points, each a curve of `points` values: bilinear between columns and between
/// points, for positions already clamped to the row. Lane by lane in scalars: without AVX, moving
/// single lanes costs more than computing.
CK_BODY cv_f8 rowGain(
    const ck_gainTable *map, const float *table, cv_f8 column, cv_f8 point) {
  const int32_t columns = map->columns, points = map->points;
  cv_i8 left = __builtin_convertvector(column, cv_i8);
  cv_i8 low = __builtin_convertvector(point, cv_i8);
  cv_f8 fx = column - __builtin_convertvector(left, cv_f8);
  cv_f8 fn = point - __builtin_convertvector(low, cv_f8);
  cv_i8 right = (left + 1 < columns ? left + 1 : left) * points;
  cv_i8 next = low + 1 < points ? low + 1 : low;
  left *= points;
  int32_t p[8], q[8], i[8], j[8];
  float x[8], n[8], out[8];
  __builtin_memcpy(p, &left, sizeof p);
  __builtin_memcpy(q, &right, sizeof q);
  __builtin_memcpy(i, &low, sizeof i);
  __builtin_memcpy(j, &next, sizeof j);
  __builtin_memcpy(x, &fx, sizeof x);
  __builtin_memcpy(n, &fn, sizeof n);
#pragma clang loop vectorize(disable) unroll(full)
  for (int lane = 0; lane < 8; lane++) {
    const float *a = table + p[lane];
    const float *b = table + q[lane];
    float a0 = a[i[lane]], b0 = b[i[lane]];
    float start = a0 + (a[j[lane]] - a0) * n[lane];
    float end = b0 + (b[j[lane]] - b0) * n[lane];
    out[lane] = start + (end - start) * x[lane];
  }
  cv_f8 result;
  __builtin_memcpy(&result, out, sizeof result);
  return result;
}

/// Gains at eight grid columns and curve points: of one row of the grid, or between two.
CK_BODY cv_f8 gain(const ck_gainTable *map, cv_f8 column, cv_f8 point, _Bool isOneRow) {
  cv_f8 top = rowGain(map, map->gains, column, point);
  if (isOneRow) return top;
  return top + (rowGain(map, map->gains + map->down, column, point) - top) * map->part;
}

CK_BODY void multiply(
    const ck_gainTable *map, int64_t firstPixel, ck_threeRows rows, int64_t count,
    _Bool isOneRow) {
  const ck_gainTable m = *map;
  const float last = (float)(m.columns - 1), size = (float)m.points;
  const cv_f8 ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 sum =
        ck_weighted(p, m.weights) + ck_lowest(p) * m.lowestWeight + ck_highest(p) * m.highestWeight;
    cv_f8 t = cv_clamp8(cv_number8(sum), 0, 1);
    if (m.gamma != 1) {
      t = t > 0 ? cv_exp2_8(cv_log2_8(cv_max8(t, 1e-30f)) * m.gamma) : 0;
    }
    cv_f8 number = ramp + (float)(firstPixel + i);
    cv_f8 column = cv_clamp8(number * m.step + m.first, 0, last);
    cv_f8 point = cv_clamp8(t * size, 0, size - 1);
    ck_storePixels(rows, i, ck_scaled(p, gain(&m, column, point, isOneRow) * m.scale));
  }
}

CK_KERNEL(
    ck_gainTableRow,
    (const ck_gainTable *map, int64_t firstPixel, ck_threeRows rows, int64_t count),
    (map, firstPixel, rows, count)) {
  if (map->down == 0) {
    multiply(map, firstPixel, rows, count, 1);
  } else {
    multiply(map, firstPixel, rows, count, 0);
  }
}
