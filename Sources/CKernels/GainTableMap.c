#include "Pixels.h"

/// Gains at eight grid columns and curve points: of one row of the grid, or between two.
CK_BODY cv_f8 gain(const ck_gainTable *map, cv_f8 column, cv_f8 point, _Bool isOneRow) {
  return isOneRow
      ? cv_gainRow8(map->gains, map->columns, map->points, column, point)
      : cv_gainTable8(
            map->gains, map->columns, map->points, map->down, column, point, map->part);
}

CK_BODY void multiply(
    const ck_gainTable *map, int64_t firstPixel, float *red, float *green, float *blue,
    int64_t count, _Bool isOneRow) {
  const ck_gainTable m = *map;
  const float last = (float)(m.columns - 1), size = (float)m.points;
  const cv_f8 zero = ck_all(0), ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    cv_f8 sum =
        ck_weighted(p, m.weights) + ck_lowest(p) * m.lowestWeight + ck_highest(p) * m.highestWeight;
    cv_f8 t = cv_clamp8(cv_number8(sum), zero, ck_all(1));
    if (m.gamma != 1) {
      t = t > 0 ? cv_exp2_8(cv_log2_8(cv_max8(t, ck_all(1e-30f))) * m.gamma) : zero;
    }
    cv_f8 number = ramp + (float)(firstPixel + i);
    cv_f8 column = cv_clamp8(number * m.step + m.first, zero, ck_all(last));
    cv_f8 point = cv_clamp8(t * size, zero, ck_all(size - 1));
    ck_storePixels(
        red, green, blue, i, ck_scaled(p, gain(&m, column, point, isOneRow) * m.scale));
  }
}

CK_KERNEL(
    ck_gainTableRow,
    (const ck_gainTable *map, int64_t firstPixel, float *red, float *green, float *blue,
     int64_t count),
    (map, firstPixel, red, green, blue, count)) {
  if (map->down == 0) {
    multiply(map, firstPixel, red, green, blue, count, 1);
  } else {
    multiply(map, firstPixel, red, green, blue, count, 0);
  }
}
