#include "Kernel.h"

/// Rows that are filtered side by side: enough for whole cache lines, few enough that both passes
/// over a strip stay in the cache.
enum { strip = 64 };
static const float pole = -0.171572875f;

/// Filters `lanes` lines, side by side in memory, of `count` values that are `step` apart.
CK_BODY void filter(float *values, int64_t step, int64_t count, int64_t lanes) {
  float sum[strip];
  for (int64_t j = 0; j < lanes; j++) sum[j] = values[j];
  // The mirrored part before the line; the pole to the 12th power is below the last bit.
  float power = pole;
  for (int64_t k = 0; k < 12; k++) {
    int64_t offset = k % (2 * count);
    const float *at = values + (offset < count ? offset : 2 * count - 1 - offset) * step;
    for (int64_t j = 0; j < lanes; j++) sum[j] += power * at[j];
    power *= pole;
  }
  for (int64_t j = 0; j < lanes; j++) values[j] = sum[j];
  for (int64_t k = 1; k < count; k++) {
    float *at = values + k * step;
    for (int64_t j = 0; j < lanes; j++) at[j] += pole * at[j - step];
  }
  // Back from the last; `sum` holds the value behind, which is stored eightfold.
  float *last = values + (count - 1) * step;
  for (int64_t j = 0; j < lanes; j++) {
    sum[j] = last[j] * (pole / (pole - 1));
    last[j] = sum[j] * 8;
  }
  for (int64_t k = count - 2; k >= 0; k--) {
    float *at = values + k * step;
    for (int64_t j = 0; j < lanes; j++) {
      sum[j] = pole * (sum[j] - at[j]);
      at[j] = sum[j] * 8;
    }
  }
}

CK_KERNEL(
    ck_prefilter, (float *values, int64_t width, int64_t height, int64_t channels),
    (values, width, height, channels)) {
  const int64_t row = width * channels;
  for (int64_t y = 0; y < height && width > 1; y++) {
    if (channels == 1) {
      filter(values + y * row, 1, width, 1);
    } else {
      filter(values + y * row, channels, width, channels);
    }
  }
  for (int64_t x = 0; x < row && height > 1; x += strip) {
    filter(values + x, row, height, row - x < strip ? row - x : strip);
  }
}
