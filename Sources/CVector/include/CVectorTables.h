// Interpolating lookups in tables at eight positions at once. Each lane gathers from its own position, which
// no CPU without AVX2 does in one instruction: how lanes leave and enter registers decides the speed, and
// Swift cannot express it. Included by CVector.h.
#pragma once

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
/// points, for positions already clamped to the row. Lane by lane in scalars: without AVX, moving
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
/// second row `down` gains behind the first. `column` and `point` are positions already clamped to
/// 0...columns - 1 and 0...points - 1; between eight gains it is linear in each direction.
static inline __attribute__((always_inline, pure)) cv_f8 cv_gainTable8(
    const float *table, int32_t columns, int32_t points, int32_t down, cv_f8 column, cv_f8 point,
    float part) {
  cv_f8 top = cv_gainRow8(table, columns, points, column, point);
  cv_f8 bottom = cv_gainRow8(table + down, columns, points, column, point);
  return top + (bottom - top) * part;
}

/// Three vectors one after the other: red, green and blue of eight pixels.
static inline __attribute__((always_inline)) void cv_store3(
    float *out, cv_f8 red, cv_f8 green, cv_f8 blue) {
  __builtin_memcpy(out, &red, sizeof red);
  __builtin_memcpy(out + 8, &green, sizeof green);
  __builtin_memcpy(out + 16, &blue, sizeof blue);
}

/// Trilinear lookup in a table [z][y][x] with entries of four floats, the first three of which are
/// interpolated and stored by cv_store3, at positions already clamped to the table. y is periodic: its
/// last entry is followed by the first.
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
    cv_f4 a0 = cv_load4(a), a1 = cv_load4(a + 4), b0 = cv_load4(b), b1 = cv_load4(b + 4);
    a0 += (a1 - a0) * fx[lane];
    b0 += (b1 - b0) * fx[lane];
    a0 += (b0 - a0) * fy[lane];
    if (nz > 1) {
      int64_t deep = 4 * (int64_t)(z1[lane] - z0[lane]) * ny * nx;
      cv_f4 c0 = cv_load4(a + deep), c1 = cv_load4(a + deep + 4);
      cv_f4 d0 = cv_load4(b + deep), d1 = cv_load4(b + deep + 4);
      c0 += (c1 - c0) * fx[lane];
      d0 += (d1 - d0) * fx[lane];
      c0 += (d0 - c0) * fy[lane];
      a0 += (c0 - a0) * fz[lane];
    }
    p[lane] = a0[0];
    q[lane] = a0[1];
    r[lane] = a0[2];
  }
  cv_store3(out, p, q, r);
}

/// Tetrahedral interpolation in a cube [r][g][b] of n entries a side, with entries and results as in
/// cv_hueTable8, at positions already clamped to 0...n - 1.
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
    cv_f4 c0 = cv_load4(p), c1 = cv_load4(p + first);
    cv_f4 c2 = cv_load4(p + (toR + toG + toB - last)), c3 = cv_load4(p + (toR + toG + toB));
    cv_f4 v = c0 + (c1 - c0) * high + (c2 - c1) * mid + (c3 - c2) * low;
    red[lane] = v[0];
    green[lane] = v[1];
    blue[lane] = v[2];
  }
  cv_store3(out, red, green, blue);
}

/// A curve over 0...1 at even steps as pairs of a value and the step to the next, `cells` of them and
/// one pair more; `position` is already clamped to 0...cells.
static inline __attribute__((always_inline, pure)) cv_f8 cv_evenTable8(
    const float *pairs, cv_f8 position) {
  cv_i8 index = __builtin_convertvector(position, cv_i8);
  cv_f8 part = position - __builtin_convertvector(index, cv_f8);
  cv_f8 start, step;
  for (int lane = 0; lane < 8; lane++) {
    start[lane] = pairs[2 * index[lane]];
    step[lane] = pairs[2 * index[lane] + 1];
  }
  return start + step * part;
}
