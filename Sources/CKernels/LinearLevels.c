#include "Lanes.h"

typedef uint16_t codes __attribute__((ext_vector_type(LANES)));
typedef int32_t integers __attribute__((ext_vector_type(LANES)));

CK_BODY lanes valuesOf(codes counts) {
  return __builtin_convertvector(__builtin_convertvector(counts, integers), lanes);
}

CK_WIDE_KERNEL(
    ck_balanceCounts,
    (const ck_levelRow *row, const uint16_t *samples, float *out, int64_t count),
    (row, samples, out, count)) {
  const ck_levelRow r = *row;
  int64_t i = 0;
  if (r.step == 1 && r.gains) {
    // Stored rows have no margin.
    for (; i + LANES <= count; i += LANES) {
      codes counts;
      __builtin_memcpy(&counts, samples + i, sizeof counts);
      put(out + i, (valuesOf(counts) - at(r.black + i) - r.delta) * at(r.gains + i));
    }
  }
  for (; i < count; i++) {
    float linear = (float)samples[i * r.step] - r.black[i] - r.delta;
    out[i] = linear * (r.gains ? r.gains[i] : r.gain);
  }
}

/// The three samples of each of a vector's pixels.
typedef struct threeLanes {
  lanes of[3];
} threeLanes;

#if CK_LANES == 16
CK_BODY threeLanes pixels(const uint16_t *in) {
  typedef uint16_t u16x32 __attribute__((ext_vector_type(32)));
  u16x32 a, b;
  __builtin_memcpy(&a, in, sizeof a);
  __builtin_memcpy(&b, in + 16, sizeof b);
  // Samples 0 to 31 are those of a, 32 to 47 the last of b.
  return (threeLanes){
    {valuesOf(__builtin_shufflevector(
         a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 49, 52, 55, 58, 61)),
     valuesOf(__builtin_shufflevector(
         a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 50, 53, 56, 59, 62)),
     valuesOf(__builtin_shufflevector(
         a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 48, 51, 54, 57, 60, 63))}};
}
#else
CK_BODY threeLanes pixels(const uint16_t *in) {
  lanes a = valuesOf(cv_codes8(in)), b = valuesOf(cv_codes8(in + 8));
  lanes c = valuesOf(cv_codes8(in + 16));
  lanes first = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  lanes second = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
  lanes third = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
  return (threeLanes){
    {__builtin_shufflevector(first, c, 0, 1, 2, 3, 4, 5, 10, 13),
     __builtin_shufflevector(second, c, 0, 1, 2, 3, 4, 8, 11, 14),
     __builtin_shufflevector(third, c, 0, 1, 2, 3, 4, 9, 12, 15)}};
}
#endif

CK_WIDE_KERNEL(
    ck_balancePixels,
    (const ck_levelRow *rows, const uint16_t *samples, ck_threeRows out, int64_t count),
    (rows, samples, out, count)) {
  const ck_levelRow r[3] = {rows[0], rows[1], rows[2]};
  int64_t i = 0;
  // Stored rows have no margin.
  for (; i + LANES <= count; i += LANES) {
    threeLanes v = pixels(samples + 3 * i);
    for (int k = 0; k < 3; k++) {
      put(out.row[k] + i, (v.of[k] - at(r[k].black + i) - r[k].delta) * r[k].gain);
    }
  }
  for (; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      out.row[k][i] = ((float)samples[3 * i + k] - r[k].black[i] - r[k].delta) * r[k].gain;
    }
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
    float linear = samples[i * r.step] - r.black[i] - r.delta;
    float value = linear * (r.gains ? r.gains[i] : r.gain);
    value = value == value ? value : 0.0f;
    value = value < -largest ? -largest : value;
    out[i] = value > largest ? largest : value;
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

typedef uint16_t u16x32 __attribute__((ext_vector_type(32)));

CK_WIDE_KERNEL(
    ck_mosaicRanges,
    (const uint16_t *samples, int64_t stride, int64_t columns, int64_t rows, ck_siteRange *ranges),
    (samples, stride, columns, rows, ranges)) {
  const int64_t whole = columns & ~(int64_t)31;
  for (int64_t first = 0; first < 2; first++) {
    u16x32 low = UINT16_MAX, high = 0;
    ck_siteRange *r = ranges + 2 * first;
    r[0] = r[1] = (ck_siteRange){UINT16_MAX, 0};
    for (int64_t y = first; y < rows; y += 2) {
      const uint16_t *row = samples + y * stride;
      for (int64_t x = 0; x < whole; x += 32) {
        u16x32 counts;
        __builtin_memcpy(&counts, row + x, sizeof counts);
        low = __builtin_elementwise_min(low, counts);
        high = __builtin_elementwise_max(high, counts);
      }
      // Stored rows have no margin.
      for (int64_t x = whole; x < columns; x++) {
        ck_siteRange *own = r + (x & 1);
        if (row[x] < own->low) own->low = row[x];
        if (row[x] > own->high) own->high = row[x];
      }
    }
    for (int lane = 0; lane < 32; lane++) {
      ck_siteRange *own = r + (lane & 1);
      if (whole > 0 && low[lane] < own->low) own->low = low[lane];
      if (whole > 0 && high[lane] > own->high) own->high = high[lane];
    }
  }
}
