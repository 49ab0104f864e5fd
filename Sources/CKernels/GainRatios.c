#include "Pixels.h"

CK_BODY float weight(const ck_area *area, int32_t pixel) {
  if (pixel == area->first) return area->firstWeight;
  return pixel == area->end - 1 ? area->lastWeight : 1;
}

/// The mean of one area; `row` is the first row of the line.
CK_BODY float areaMean(const ck_area *line, const ck_area *column, const float *row, int64_t step) {
  float sum = 0;
  for (int32_t y = line->first; y < line->end; y++) {
    float part = 0;
    for (int32_t x = column->first; x < column->end; x++) part += row[x] * weight(column, x);
    sum += part * weight(line, y);
    row += step;
  }
  return sum / (line->total * column->total);
}

/// The means of eight areas of two whole columns each, in the order of operations of `areaMean`.
CK_BODY cv_f8 pairMeans(const ck_area *line, const float *row, int64_t step) {
  cv_f8 sum = 0;
  for (int32_t y = line->first; y < line->end; y++) {
    cv_f8 low = f8(row), high = f8(row + 8);
    sum += (0 + evenLanes(low, high) + oddLanes(low, high)) * weight(line, y);
    row += step;
  }
  return sum / (line->total * 2);
}

CK_KERNEL(
    ck_areaMeans,
    (const ck_area *line, const ck_area *columns, _Bool isPairs, const float *row, int64_t step,
     float *out, int64_t channels, int64_t count),
    (line, columns, isPairs, row, step, out, channels, count)) {
  int64_t x = 0;
  for (; isPairs && x + 8 <= count; x += 8) {
    cv_f8 means = pairMeans(line, row + 2 * x, step);
    for (int lane = 0; lane < 8; lane++) out[(x + lane) * channels] = means[lane];
  }
  for (; x < count; x++) out[x * channels] = areaMean(line, columns + x, row, step);
}
