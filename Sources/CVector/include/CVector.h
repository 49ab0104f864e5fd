// Vector operations that Swift 6.3 compiles to scalar calls although every CPU has them as one
// instruction: square root, minimum, maximum, select, float to integer. Imported as SIMD8<Float>.
// No fused multiply-add anywhere: the same bits must come out on every CPU.
#pragma once
#include <stdint.h>

#pragma STDC FP_CONTRACT OFF

typedef float cv_f8 __attribute__((ext_vector_type(8)));
typedef int32_t cv_i8 __attribute__((ext_vector_type(8)));
typedef uint16_t cv_u16x8 __attribute__((ext_vector_type(8)));
// Everything here is inlined, so no vector ever crosses a call.
#pragma clang diagnostic ignored "-Wpsabi"
#define CV_INLINE static inline __attribute__((always_inline, const))

/// Eight samples from p on, without alignment.
static inline __attribute__((always_inline)) cv_f8 cv_load8(const float *p) {
  cv_f8 v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
/// Writes eight samples from p on, without alignment.
static inline __attribute__((always_inline)) void cv_store8(float *p, cv_f8 v) {
  __builtin_memcpy(p, &v, sizeof v);
}
CV_INLINE float cv_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
CV_INLINE cv_f8 cv_sqrt8(cv_f8 x) { return __builtin_elementwise_sqrt(x); }
CV_INLINE cv_f8 cv_abs8(cv_f8 x) { return __builtin_elementwise_abs(x); }
CV_INLINE cv_f8 cv_max8(cv_f8 a, cv_f8 b) { return a > b ? a : b; }
CV_INLINE cv_f8 cv_min8(cv_f8 a, cv_f8 b) { return a < b ? a : b; }
CV_INLINE cv_f8 cv_clamp8(cv_f8 x, cv_f8 low, cv_f8 high) {
  cv_f8 raised = x > low ? x : low;
  return raised < high ? raised : high;
}
/// a where condition is not negative zero or below, b elsewhere: `x >= 0 ? a : b`.
CV_INLINE cv_f8 cv_select8(cv_f8 x, cv_f8 a, cv_f8 b) { return x >= 0.0f ? a : b; }
/// Nearest whole number, ties to even, for |x| < 2^22: adding 1.5 * 2^23 leaves no bits for a fraction.
/// (rint is a call for each lane on CPUs without SSE4.1.)
CV_INLINE cv_f8 cv_round8(cv_f8 x) { return (x + 12582912.0f) - 12582912.0f; }
/// Nearest code, ties to even, of values already clamped to 0...65535.
CV_INLINE cv_u16x8 cv_code8(cv_f8 x) {
  return __builtin_convertvector(
      __builtin_convertvector(cv_round8(x), cv_i8), cv_u16x8);
}

/// Base-2 logarithm of positive normal numbers, error below 2e-7 of the value and 1e-7 absolute:
/// mantissa in sqrt(1/2)...sqrt(2), four terms of the series of atanh((m - 1)/(m + 1)).
CV_INLINE cv_f8 cv_log2_8(cv_f8 x) {
  cv_i8 bits = __builtin_bit_cast(cv_i8, x);
  cv_i8 exponent = (bits - 0x3f3504f3) >> 23;
  cv_f8 m = __builtin_bit_cast(cv_f8, bits - (exponent << 23));
  cv_f8 s = (m - 1.0f) / (m + 1.0f);
  cv_f8 q = s * s;
  cv_f8 series = ((q * 0.4121985831f + 0.5770780164f) * q + 0.9617966940f) * q + 2.8853900818f;
  return __builtin_convertvector(exponent, cv_f8) + s * series;
}
/// 2 to the power of x for -126 < x < 127, relative error below 3e-7: Taylor series to the sixth
/// power on -1/2...1/2.
CV_INLINE cv_f8 cv_exp2_8(cv_f8 x) {
  cv_f8 whole = cv_round8(x);
  cv_f8 f = (x - whole) * 0.6931471806f;
  cv_f8 p = (f * 0.0013888889f + 0.0083333333f) * f + 0.0416666667f;
  p = ((p * f + 0.1666666667f) * f + 0.5f) * f * f + f + 1.0f;
  cv_i8 scale = (__builtin_convertvector(whole, cv_i8) + 127) << 23;
  return p * __builtin_bit_cast(cv_f8, scale);
}

typedef float cv_f4 __attribute__((ext_vector_type(4)));
typedef uint32_t cv_u4 __attribute__((ext_vector_type(4)));
/// Cube roots of values of zero and above, to about 1e-6: a third of the exponent, then Newton.
CV_INLINE cv_f4 cv_cubeRoot4(cv_f4 x) {
  cv_f4 v = x > 1e-12f ? x : (cv_f4)(1e-12f);
  v = v < 1e12f ? v : (cv_f4)(1e12f);
  cv_f4 y = __builtin_bit_cast(cv_f4, __builtin_bit_cast(cv_u4, v) / 3u + 709921077u);
  y = (y + y + v / (y * y)) / 3.0f;
  y = (y + y + v / (y * y)) / 3.0f;
  return (y + y + v / (y * y)) / 3.0f;
}
/// Eight stored numbers in a row.
static inline __attribute__((always_inline, pure)) cv_f8 cv_floats8(const uint16_t *in) {
  cv_u16x8 codes;
  __builtin_memcpy(&codes, in, sizeof codes);
  return __builtin_convertvector(__builtin_convertvector(codes, cv_i8), cv_f8);
}

/// Of the numbers of `pixels` pixels of three samples: least and most of each sample, and how many
/// reach `limit`. All of `least`, `most`, `limit` and `reached` have three entries; the first two are
/// updated, the last is added to.
static inline void cv_range3(
    const uint16_t *in, long pixels, const uint16_t *limit, uint16_t *least, uint16_t *most,
    long *reached) {
  cv_u16x8 low[3], high[3], edge[3], count[3];
  for (int v = 0; v < 3; v++)
    for (int lane = 0; lane < 8; lane++) {
      low[v][lane] = least[(8 * v + lane) % 3];
      high[v][lane] = most[(8 * v + lane) % 3];
      edge[v][lane] = limit[(8 * v + lane) % 3];
      count[v][lane] = 0;
    }
  long i = 0;
  for (; i + 8 <= pixels && i < 8 * 65535L; i += 8)
    for (int v = 0; v < 3; v++) {
      cv_u16x8 x;
      __builtin_memcpy(&x, in + 3 * i + 8 * v, sizeof x);
      low[v] = __builtin_elementwise_min(low[v], x);
      high[v] = __builtin_elementwise_max(high[v], x);
      count[v] -= (cv_u16x8)(__builtin_elementwise_max(x, edge[v]) == x);
    }
  for (int v = 0; v < 3; v++)
    for (int lane = 0; lane < 8; lane++) {
      int c = (8 * v + lane) % 3;
      if (low[v][lane] < least[c]) least[c] = low[v][lane];
      if (high[v][lane] > most[c]) most[c] = high[v][lane];
      reached[c] += count[v][lane];
    }
  for (; i < pixels; i++)
    for (int c = 0; c < 3; c++) {
      uint16_t x = in[3 * i + c];
      if (x < least[c]) least[c] = x;
      if (x > most[c]) most[c] = x;
      if (x >= limit[c]) reached[c]++;
    }
}

/// `pixels` pixels of three numbers as light: (number - dark - delta) * gain, each sample in a row of
/// its own; dark has a row for each sample.
static inline void cv_linear3(
    const uint16_t *in, long pixels, const float *dark0, const float *dark1, const float *dark2,
    float delta, float gain0, float gain1, float gain2, float *out0, float *out1, float *out2) {
  long i = 0;
  for (; i + 8 <= pixels; i += 8) {
    cv_f8 a = cv_floats8(in + 3 * i), b = cv_floats8(in + 3 * i + 8);
    cv_f8 c = cv_floats8(in + 3 * i + 16);
    cv_f8 r = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
    cv_f8 g = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
    cv_f8 l = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
    r = __builtin_shufflevector(r, c, 0, 1, 2, 3, 4, 5, 10, 13);
    g = __builtin_shufflevector(g, c, 0, 1, 2, 3, 4, 8, 11, 14);
    l = __builtin_shufflevector(l, c, 0, 1, 2, 3, 4, 9, 12, 15);
    cv_store8(out0 + i, (r - cv_load8(dark0 + i) - delta) * gain0);
    cv_store8(out1 + i, (g - cv_load8(dark1 + i) - delta) * gain1);
    cv_store8(out2 + i, (l - cv_load8(dark2 + i) - delta) * gain2);
  }
  for (; i < pixels; i++) {
    out0[i] = ((float)in[3 * i] - dark0[i] - delta) * gain0;
    out1[i] = ((float)in[3 * i + 1] - dark1[i] - delta) * gain1;
    out2[i] = ((float)in[3 * i + 2] - dark2[i] - delta) * gain2;
  }
}

/// Whether any lane is above zero.
CV_INLINE _Bool cv_anyPositive8(cv_f8 x) { return __builtin_reduce_or(x > 0.0f) != 0; }
/// Lanes 0, 2, 4 … of sixteen in a row, and 1, 3, 5 ….
CV_INLINE cv_f8 cv_even8(cv_f8 low, cv_f8 high) {
  return __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
}
CV_INLINE cv_f8 cv_odd8(cv_f8 low, cv_f8 high) {
  return __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
/// The lanes of two vectors in turn: the first eight of sixteen, and the last eight.
CV_INLINE cv_f8 cv_zipLow8(cv_f8 even, cv_f8 odd) {
  return __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
}
CV_INLINE cv_f8 cv_zipHigh8(cv_f8 even, cv_f8 odd) {
  return __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Stores eight pixels, red, green and blue interleaved, at out[0...23].
static inline __attribute__((always_inline)) void cv_store_rgb8(
    uint16_t *out, cv_u16x8 r, cv_u16x8 g, cv_u16x8 b) {
  cv_u16x8 parts[3] = {
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, 0, 8, -1, 1, 9, -1, 2, 10), b, 0, 1, 8, 3, 4, 9, 6, 7),
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, -1, 3, 11, -1, 4, 12, -1, 5), b, 10, 1, 2, 11, 4, 5, 12, 7),
    __builtin_shufflevector(
        __builtin_shufflevector(r, g, 13, -1, 6, 14, -1, 7, 15, -1), b, 0, 13, 2, 3, 14, 5, 6, 15),
  };
  __builtin_memcpy(out, parts, sizeof parts);
}

/// a where x is above zero, b elsewhere and for NaN.
CV_INLINE cv_f8 cv_positive8(cv_f8 x, cv_f8 a, cv_f8 b) { return x > 0.0f ? a : b; }
/// x, and zero for NaN.
CV_INLINE cv_f8 cv_number8(cv_f8 x) { return x == x ? x : (cv_f8)(0.0f); }
/// A curve stored at even steps of the bits of its argument, 128 an octave, as pairs of a value and
/// the step to the next: `pairs` starts at the float whose bits are `lowest` and ends at 1.0 with
/// one pair more. Linear between, `below` times the argument under `lowest`, constant above 1.
static inline __attribute__((always_inline, pure)) cv_f8 cv_octaveTable8(
    const float *pairs, int32_t lowest, float below, cv_f8 x) {
  cv_i8 bits = __builtin_bit_cast(cv_i8, x);
  cv_i8 one = (cv_i8)(0x3f800000);
  cv_i8 first = (cv_i8)(lowest);
  cv_i8 inside = bits > one ? one : bits;
  inside = (inside < first ? first : inside) - first;
  cv_i8 index = inside >> 16;
  cv_f8 part = __builtin_convertvector(inside & 0xffff, cv_f8) * 0x1p-16f;
  cv_f8 start, step;
  for (int lane = 0; lane < 8; lane++) {
    start[lane] = pairs[2 * index[lane]];
    step[lane] = pairs[2 * index[lane] + 1];
  }
  return bits < first ? x * below : start + step * part;
}

/// Gains of a row of grid points, each a curve of `points` values: bilinear between columns and between
/// points, for places already clamped to the row. Lane by lane in plain numbers: without AVX, moving
/// single lanes costs more than computing.
static inline __attribute__((always_inline, pure)) cv_f8 cv_gainRow8(
    const float *table, int32_t columns, int32_t points, cv_f8 column, cv_f8 point) {
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

/// A gain for each lane from two rows of curves: `points` gains a curve, `columns` curves a row, the
/// second row `down` gains behind the first. `column` and `point` are places already clamped to
/// 0...columns - 1 and 0...points - 1; between eight gains it is linear in each direction.
static inline __attribute__((always_inline, pure)) cv_f8 cv_gainTable8(
    const float *table, int32_t columns, int32_t points, int32_t down, cv_f8 column, cv_f8 point,
    float part) {
  cv_f8 top = cv_gainRow8(table, columns, points, column, point);
  cv_f8 bottom = cv_gainRow8(table + down, columns, points, column, point);
  return top + (bottom - top) * part;
}

/// Trilinear reading of a table [z][y][x] of four floats an entry, of which three come back in
/// out[0...7], out[8...15] and out[16...23], at places already clamped to the table. y wraps: behind its last entry stands the first.
static inline __attribute__((always_inline)) void cv_hueTable8(
    const float *table, int32_t nx, int32_t ny, int32_t nz, cv_f8 x, cv_f8 y, cv_f8 z,
    float *out) {
  cv_i8 x0 = __builtin_convertvector(x, cv_i8);
  cv_i8 y0 = __builtin_convertvector(y, cv_i8);
  cv_i8 z0 = __builtin_convertvector(z, cv_i8);
  x0 = x0 < nx - 2 ? x0 : nx - 2;
  y0 = y0 < ny - 1 ? y0 : ny - 1;
  z0 = z0 < nz - 1 ? z0 : nz - 1;
  cv_f8 fx = x - __builtin_convertvector(x0, cv_f8);
  cv_f8 fy = y - __builtin_convertvector(y0, cv_f8);
  cv_f8 fz = z - __builtin_convertvector(z0, cv_f8);
  cv_i8 y1 = y0 + 1 < ny ? y0 + 1 : (cv_i8)(0);
  cv_i8 z1 = z0 + 1 < nz ? z0 + 1 : z0;
  cv_f8 p, q, r;
  for (int lane = 0; lane < 8; lane++) {
    const float *a = table + 4 * (((int64_t)z0[lane] * ny + y0[lane]) * nx + x0[lane]);
    const float *b = table + 4 * (((int64_t)z0[lane] * ny + y1[lane]) * nx + x0[lane]);
    cv_f4 a0, a1, b0, b1;
    __builtin_memcpy(&a0, a, sizeof a0);
    __builtin_memcpy(&a1, a + 4, sizeof a1);
    __builtin_memcpy(&b0, b, sizeof b0);
    __builtin_memcpy(&b1, b + 4, sizeof b1);
    a0 += (a1 - a0) * fx[lane];
    b0 += (b1 - b0) * fx[lane];
    a0 += (b0 - a0) * fy[lane];
    if (nz > 1) {
      int64_t deep = 4 * (int64_t)(z1[lane] - z0[lane]) * ny * nx;
      cv_f4 c0, c1, d0, d1;
      __builtin_memcpy(&c0, a + deep, sizeof c0);
      __builtin_memcpy(&c1, a + deep + 4, sizeof c1);
      __builtin_memcpy(&d0, b + deep, sizeof d0);
      __builtin_memcpy(&d1, b + deep + 4, sizeof d1);
      c0 += (c1 - c0) * fx[lane];
      d0 += (d1 - d0) * fx[lane];
      c0 += (d0 - c0) * fy[lane];
      a0 += (c0 - a0) * fz[lane];
    }
    p[lane] = a0[0];
    q[lane] = a0[1];
    r[lane] = a0[2];
  }
  cv_store8(out, p);
  cv_store8(out + 8, q);
  cv_store8(out + 16, r);
}
/// Tetrahedral reading of a cube [r][g][b] of n entries a side, four floats an entry, of which three
/// come back as from cv_hueTable8, at places already clamped to 0...n - 1.
static inline __attribute__((always_inline)) void cv_cube8(
    const float *table, int32_t n, cv_f8 r, cv_f8 g, cv_f8 b, float *out) {
  cv_i8 r0 = __builtin_convertvector(r, cv_i8);
  cv_i8 g0 = __builtin_convertvector(g, cv_i8);
  cv_i8 b0 = __builtin_convertvector(b, cv_i8);
  r0 = r0 < n - 2 ? r0 : n - 2;
  g0 = g0 < n - 2 ? g0 : n - 2;
  b0 = b0 < n - 2 ? b0 : n - 2;
  cv_f8 fr = r - __builtin_convertvector(r0, cv_f8);
  cv_f8 fg = g - __builtin_convertvector(g0, cv_f8);
  cv_f8 fb = b - __builtin_convertvector(b0, cv_f8);
  cv_i8 base = ((r0 * n + g0) * n + b0) * 4;
  int32_t toR = 4 * n * n, toG = 4 * n, toB = 4;
  cv_f8 red, green, blue;
  for (int lane = 0; lane < 8; lane++) {
    float x = fr[lane], y = fg[lane], z = fb[lane];
    int32_t first = x >= y ? (x >= z ? toR : toB) : (y >= z ? toG : toB);
    int32_t last = x < y ? (x < z ? toR : toB) : (y < z ? toG : toB);
    float high = x > y ? (x > z ? x : z) : (y > z ? y : z);
    float low = x < y ? (x < z ? x : z) : (y < z ? y : z);
    float mid = (x > y ? (y > z ? y : (x > z ? z : x)) : (x > z ? x : (y > z ? z : y)));
    const float *p = table + base[lane];
    cv_f4 c0, c1, c2, c3;
    __builtin_memcpy(&c0, p, sizeof c0);
    __builtin_memcpy(&c1, p + first, sizeof c1);
    __builtin_memcpy(&c2, p + (toR + toG + toB - last), sizeof c2);
    __builtin_memcpy(&c3, p + (toR + toG + toB), sizeof c3);
    cv_f4 v = c0 + (c1 - c0) * high + (c2 - c1) * mid + (c3 - c2) * low;
    red[lane] = v[0];
    green[lane] = v[1];
    blue[lane] = v[2];
  }
  cv_store8(out, red);
  cv_store8(out + 8, green);
  cv_store8(out + 16, blue);
}
/// A curve over 0...1 at even steps as pairs of a value and the step to the next, `cells` of them and
/// one pair more; `place` is already clamped to 0...cells.
static inline __attribute__((always_inline, pure)) cv_f8 cv_evenTable8(
    const float *pairs, cv_f8 place) {
  cv_i8 index = __builtin_convertvector(place, cv_i8);
  cv_f8 part = place - __builtin_convertvector(index, cv_f8);
  cv_f8 start, step;
  for (int lane = 0; lane < 8; lane++) {
    start[lane] = pairs[2 * index[lane]];
    step[lane] = pairs[2 * index[lane] + 1];
  }
  return start + step * part;
}

typedef int32_t cv_i4 __attribute__((ext_vector_type(4)));
#include "CVectorWarp.h"
