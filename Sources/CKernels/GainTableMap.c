#include "Pixels.h"

/// The curve between the points `low` and the next, `part` of the way, or the next itself where it
/// `isLast`.
CK_BODY lanes pointsAt(const float *table, integers low, integers isLast, lanes part) {
  ck_pairs found = ck_lookUp(table, 1, low);
  lanes start = isLast ? found.second : found.first;
  return start + (found.second - start) * part;
}

/// Gains of a row of grid points, each a curve of `points` values: bilinear between columns and
/// between points, for positions already clamped to the row.
CK_BODY lanes rowGain(const ck_gainTable *map, const float *table, lanes column, lanes point) {
  const int32_t columns = map->columns, points = map->points;
  integers left = __builtin_convertvector(column, integers);
  integers low = __builtin_convertvector(point, integers);
  lanes fx = column - __builtin_convertvector(left, lanes);
  lanes fn = point - __builtin_convertvector(low, lanes);
  integers right = left + 1 < columns ? left + 1 : left;
  integers isLast = low > points - 2;
  low = isLast ? points - 2 : low;
  lanes start = pointsAt(table, left * points + low, isLast, fn);
  lanes end = pointsAt(table, right * points + low, isLast, fn);
  return start + (end - start) * fx;
}

/// Gains at grid columns and curve points: of one row of the grid, or between two.
CK_BODY lanes gain(const ck_gainTable *map, lanes column, lanes point, _Bool isOneRow) {
  lanes top = rowGain(map, map->gains, column, point);
  if (isOneRow) return top;
  return top + (rowGain(map, map->gains + map->down, column, point) - top) * map->part;
}

CK_BODY void multiply(
    const ck_gainTable *map, int64_t firstPixel, ck_threeRows rows, int64_t count,
    _Bool isOneRow) {
  const ck_gainTable m = *map;
  const float last = (float)(m.columns - 1), size = (float)m.points;
  for (int64_t i = 0; i < count; i += LANES) {
    ck_pixels p = ck_pixelsAt(rows, i, count);
    lanes sum =
        ck_weighted(p, m.weights) + ck_lowest(p) * m.lowestWeight + ck_highest(p) * m.highestWeight;
    lanes t = limited(number(sum), 0, 1);
    if (m.gamma != 1) {
      t = t > 0 ? powerOfTwo(logarithm(larger(t, 1e-30f)) * m.gamma) : 0;
    }
    lanes pixel = ramp(i, count) + (float)(firstPixel + i);
    lanes column = limited(pixel * m.step + m.first, 0, last);
    lanes point = limited(t * size, 0, size - 1);
    ck_putPixels(
        rows, i, count, ck_scaled(p, gain(&m, column, point, isOneRow) * m.scale));
  }
}

CK_WIDE_KERNEL(
    ck_gainTableRow,
    (const ck_gainTable *map, int64_t firstPixel, ck_threeRows rows, int64_t count),
    (map, firstPixel, rows, count)) {
  if (map->down == 0) {
    multiply(map, firstPixel, rows, count, 1);
  } else {
    multiply(map, firstPixel, rows, count, 0);
  }
}
