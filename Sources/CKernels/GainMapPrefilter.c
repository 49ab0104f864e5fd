#include "Lanes.h"

/// Rows that are filtered side by side: enough for whole cache lines, few enough that both passes
/// over a strip stay in the cache.
enum { strip = 64 };
/// Rows that are filtered at a time: each value waits for the one before, and meanwhile there are
/// those of other rows.
enum { abreast = 8 };
static const float pole = -0.171572875f;

/// Filters `lanes` lines, `apart` in memory, of `count` values that are `step` apart.
CK_BODY void filterLines(float *values, int64_t step, int64_t count, int64_t lanes, int64_t apart) {
  float sum[strip];
  for (int64_t j = 0; j < lanes; j++) sum[j] = values[j * apart];
  // The mirrored part before the line; the pole to the 12th power is below the last bit.
  float power = pole;
  for (int64_t k = 0; k < 12; k++) {
    int64_t offset = k % (2 * count);
    const float *at = values + (offset < count ? offset : 2 * count - 1 - offset) * step;
    for (int64_t j = 0; j < lanes; j++) sum[j] += power * at[j * apart];
    power *= pole;
  }
  for (int64_t j = 0; j < lanes; j++) values[j * apart] = sum[j];
  for (int64_t k = 1; k < count; k++) {
    float *at = values + k * step;
    for (int64_t j = 0; j < lanes; j++) at[j * apart] += pole * at[j * apart - step];
  }
  // Back from the last; `sum` holds the value behind, which is stored eightfold.
  float *last = values + (count - 1) * step;
  for (int64_t j = 0; j < lanes; j++) {
    sum[j] = last[j * apart] * (pole / (pole - 1));
    last[j * apart] = sum[j] * 8;
  }
  for (int64_t k = count - 2; k >= 0; k--) {
    float *at = values + k * step;
    for (int64_t j = 0; j < lanes; j++) {
      sum[j] = pole * (sum[j] - at[j * apart]);
      at[j * apart] = sum[j] * 8;
    }
  }
}

CK_KERNEL(
    ck_prefilter, (float *values, int64_t width, int64_t height, int64_t channels),
    (values, width, height, channels)) {
  const int64_t row = width * channels;
  for (int64_t y = 0; y < height && width > 1; y++) {
    if (channels > 1) {
      filterLines(values + y * row, channels, width, channels, 1);
    } else if (y + abreast <= height) {
      filterLines(values + y * row, 1, width, abreast, row);
      y += abreast - 1;
    } else {
      filterLines(values + y * row, 1, width, 1, 1);
    }
  }
  for (int64_t x = 0; x < row && height > 1; x += strip) {
    filterLines(values + x, row, height, row - x < strip ? row - x : strip, 1);
  }
}
