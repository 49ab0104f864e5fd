#include "Kernel.h"

/// Eight code values in a row as floats.
CK_BODY cv_f8 counts(const uint16_t *in) {
  return __builtin_convertvector(__builtin_convertvector(cv_codes8(in), cv_i8), cv_f8);
}

/// Every third of 24 values in a row, from the first on.
CK_BODY cv_f8 first3(cv_f8 a, cv_f8 b, cv_f8 c) {
  cv_f8 x = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  return __builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 5, 10, 13);
}
/// Every third, from the second on.
CK_BODY cv_f8 second3(cv_f8 a, cv_f8 b, cv_f8 c) {
  cv_f8 x = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
  return __builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 8, 11, 14);
}
/// Every third, from the third on.
CK_BODY cv_f8 third3(cv_f8 a, cv_f8 b, cv_f8 c) {
  cv_f8 x = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
  return __builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 9, 12, 15);
}

CK_KERNEL(
    ck_balanceCounts,
    (const ck_levelRow *row, const uint16_t *samples, float *out, int64_t count),
    (row, samples, out, count)) {
  const ck_levelRow r = *row;
  int64_t i = 0;
  if (r.step == 1 && r.gains) {
    // Stored rows have no margin.
    for (; i + 8 <= count; i += 8) {
      cv_f8 light = counts(samples + i) - f8(r.black + i) - r.delta;
      ck_store8(out + i, light * f8(r.gains + i));
    }
  }
  for (; i < count; i++) {
    float light = (float)samples[i * r.step] - r.black[i] - r.delta;
    out[i] = light * (r.gains ? r.gains[i] : r.gain);
  }
}

CK_KERNEL(
    ck_balanceByCurve,
    (const ck_levelRow *row, const float *curve, const uint16_t *samples, float *out,
     int64_t count),
    (row, curve, samples, out, count)) {
  const ck_levelRow r = *row;
  for (int64_t i = 0; i < count; i++) {
    out[i] = curve[samples[i * r.step]] * (r.gains ? r.gains[i] : r.gain);
  }
}

CK_KERNEL(
    ck_balanceFloats,
    (const ck_levelRow *row, float largest, const float *samples, float *out, int64_t count),
    (row, largest, samples, out, count)) {
  const ck_levelRow r = *row;
  for (int64_t i = 0; i < count; i++) {
    float light = samples[i * r.step] - r.black[i] - r.delta;
    float value = light * (r.gains ? r.gains[i] : r.gain);
    value = value == value ? value : 0.0f;
    value = value < -largest ? -largest : value;
    out[i] = value > largest ? largest : value;
  }
}

CK_KERNEL(
    ck_balancePixels,
    (const ck_levelRow *rows, const uint16_t *samples, ck_threeRows out, int64_t count),
    (rows, samples, out, count)) {
  const ck_levelRow r[3] = {rows[0], rows[1], rows[2]};
  int64_t i = 0;
  // Stored rows have no margin.
  for (; i + 8 <= count; i += 8) {
    cv_f8 a = counts(samples + 3 * i);
    cv_f8 b = counts(samples + 3 * i + 8), c = counts(samples + 3 * i + 16);
    cv_f8 v[3] = {first3(a, b, c), second3(a, b, c), third3(a, b, c)};
    for (int k = 0; k < 3; k++) {
      ck_store8(out.row[k] + i, (v[k] - f8(r[k].black + i) - r[k].delta) * r[k].gain);
    }
  }
  for (; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      out.row[k][i] = ((float)samples[3 * i + k] - r[k].black[i] - r[k].delta) * r[k].gain;
    }
  }
}

typedef uint16_t u16x16 __attribute__((ext_vector_type(16)));

CK_KERNEL(
    ck_pixelRanges,
    (const uint16_t *samples, int64_t stride, int64_t pixels, int64_t rows, const uint16_t *limits,
     ck_pixelRange *ranges),
    (samples, stride, pixels, rows, limits, ranges)) {
  // Three vectors hold sixteen pixels; lane l of vector v is sample (16v + l) mod 3.
  u16x16 edge[3], low[3], high[3], count[3];
  ck_pixelRange r[3];
  for (int v = 0; v < 3; v++) {
    r[v] = (ck_pixelRange){UINT16_MAX, 0, 0};
    (low[v] = UINT16_MAX, high[v] = 0, count[v] = 0);
    for (int lane = 0; lane < 16; lane++) edge[v][lane] = limits[(16 * v + lane) % 3];
  }
  const int64_t whole = pixels & ~(int64_t)15;
  for (int64_t y = 0; y < rows; y++, samples += stride) {
    for (int64_t i = 0; i < whole; i += 16) {
      for (int v = 0; v < 3; v++) {
        u16x16 x;
        __builtin_memcpy(&x, samples + 3 * i + 16 * v, sizeof x);
        low[v] = __builtin_elementwise_min(low[v], x);
        high[v] = __builtin_elementwise_max(high[v], x);
        count[v] -= (u16x16)(__builtin_elementwise_max(x, edge[v]) == x);
      }
    }
    // Stored rows have no margin.
    for (int64_t i = 3 * whole; i < 3 * pixels; i++) {
      ck_pixelRange *own = r + i % 3;
      if (samples[i] < own->low) own->low = samples[i];
      if (samples[i] > own->high) own->high = samples[i];
      own->reached += samples[i] >= limits[i % 3];
    }
  }
  for (int i = 0; i < 48; i++) {
    ck_pixelRange *own = r + i % 3;
    int v = i / 16, lane = i % 16;
    if (low[v][lane] < own->low) own->low = low[v][lane];
    if (high[v][lane] > own->high) own->high = high[v][lane];
    own->reached += count[v][lane];
  }
  for (int c = 0; c < 3; c++) ranges[c] = r[c];
}
