#include "OverRange.h"

/// The signal of values, by the curve of sRGB.
CK_BODY cv_f8 signalOf(const ck_hueSat *map, cv_f8 x) {
  cv_f8 power = powerOfTwo(logarithm(larger(x, 1e-6f)) * (1 / map->exponent));
  return x > map->linearEnd ? power * map->scale - map->offset : x * map->slope;
}

CK_BODY cv_f8 decoded(const ck_hueSat *map, cv_f8 x) {
  cv_f8 base = larger(x + map->offset, 1e-3f) * (1 / map->scale);
  return x > map->signalEnd ? powerOfTwo(logarithm(base) * map->exponent)
                            : x * (1 / map->slope);
}

/// How far a channel is from V, 0…1: max(0, min(k, 4 − k, 1)) of k = x mod 6.
CK_BODY cv_f8 fractionalPart(cv_f8 x) {
  cv_f8 k = x - rounded(x * (1.0f / 6) - 0.5f) * 6;
  return limited(smaller(k, 4 - k), 0, 1);
}

/// Trilinear lookup in the table [value][hue][saturation], whose entries are four floats of which three
/// count, at positions already clamped to it. The last hue is followed by the first.
CK_BODY ck_pixels changeAt(const ck_hueSat *map, cv_f8 x, cv_f8 y, cv_f8 z) {
  const float *table = map->table;
  const int32_t nx = map->saturations, ny = map->hues, nz = map->values;
  cv_i8 x0 = __builtin_convertvector(x, cv_i8);
  cv_i8 y0 = __builtin_convertvector(y, cv_i8);
  cv_i8 z0 = __builtin_convertvector(z, cv_i8);
  x0 = x0 < nx - 2 ? x0 : nx - 2;
  y0 = y0 < ny - 1 ? y0 : ny - 1;
  z0 = z0 < nz - 1 ? z0 : nz - 1;
  cv_f8 fx = x - __builtin_convertvector(x0, cv_f8);
  cv_f8 fy = y - __builtin_convertvector(y0, cv_f8);
  cv_f8 fz = z - __builtin_convertvector(z0, cv_f8);
  cv_i8 y1 = y0 + 1 < ny ? y0 + 1 : 0;
  cv_i8 z1 = z0 + 1 < nz ? z0 + 1 : z0;
  cv_f8 p, q, r;
  for (int lane = 0; lane < 8; lane++) {
    const float *a = table + 4 * (((int64_t)z0[lane] * ny + y0[lane]) * nx + x0[lane]);
    const float *b = table + 4 * (((int64_t)z0[lane] * ny + y1[lane]) * nx + x0[lane]);
    cv_f4 a0 = f4(a), a1 = f4(a + 4), b0 = f4(b), b1 = f4(b + 4);
    a0 += (a1 - a0) * fx[lane];
    b0 += (b1 - b0) * fx[lane];
    a0 += (b0 - a0) * fy[lane];
    if (nz > 1) {
      int64_t deep = 4 * (int64_t)(z1[lane] - z0[lane]) * ny * nx;
      cv_f4 c0 = f4(a + deep), c1 = f4(a + deep + 4);
      cv_f4 d0 = f4(b + deep), d1 = f4(b + deep + 4);
      c0 += (c1 - c0) * fx[lane];
      d0 += (d1 - d0) * fx[lane];
      c0 += (d0 - c0) * fy[lane];
      a0 += (c0 - a0) * fz[lane];
    }
    p[lane] = a0[0];
    q[lane] = a0[1];
    r[lane] = a0[2];
  }
  return (ck_pixels){p, q, r};
}

/// The table's change of hue, saturation and value; positions are clamped to it, which also keeps
/// those of infinite values inside.
CK_BODY ck_pixels change(const ck_hueSat *map, cv_f8 hue, cv_f8 saturation, cv_f8 value) {
  cv_f8 turn = limited(hue * (1.0f / 6), 0, 1);
  cv_f8 around = map->hues > 1 ? turn * (float)map->hues : 0;
  cv_f8 across = limited(saturation, 0, 1) * (float)(map->saturations - 1);
  cv_f8 up = limited(value, 0, 1) * (float)(map->values - 1);
  return changeAt(map, across, around, up);
}

CK_BODY ck_pixels mapped(const ck_hueSat *map, ck_pixels p) {
  cv_f8 v = ck_highest(p);
  cv_f8 gap = v - ck_lowest(p);
  cv_f8 divisor = gap > 0 ? gap : 1;
  cv_f8 saturation = gap / (v > 0 ? v : 1);
  // The largest channel names the third of the circle; of equal ones the first.
  cv_f8 others = p.green - v >= 0 ? (p.blue - p.red) / divisor + 2
                                  : (p.red - p.green) / divisor + 4;
  cv_f8 third = p.red - v >= 0 ? (p.green - p.blue) / divisor : others;
  cv_f8 hue = third >= 0 ? third : third + 6;

  cv_f8 signal = map->isEncoded ? signalOf(map, v) : v;
  ck_pixels by = change(map, hue, saturation, signal);
  cv_f8 turned = hue + by.red;
  cv_f8 value = map->isEncoded ? decoded(map, signal * by.blue) : v * by.blue;
  cv_f8 chroma = value * limited(saturation * by.green, 0, 1);
  return (ck_pixels){
    value - chroma * fractionalPart(turned + 5), value - chroma * fractionalPart(turned + 3),
    value - chroma * fractionalPart(turned + 1)};
}

CK_BODY ck_pixels positive(ck_pixels p) {
  return (ck_pixels){larger(p.red, 0), larger(p.green, 0), larger(p.blue, 0)};
}

CK_KERNEL(
    ck_hueSatRow, (const ck_hueSat *map, float gain, ck_threeRows rows, int64_t count),
    (map, gain, rows, count)) {
  const ck_hueSat m = *map;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    ck_pixels out = positive(p);
    if (m.isCompressed) {
      out = ck_expandedPixels(positive(mapped(&m, ck_compressedPixels(out))));
    } else {
      out = mapped(&m, out);
    }
    out = (ck_pixels){
      out.red + smaller(p.red, 0), out.green + smaller(p.green, 0), out.blue + smaller(p.blue, 0)};
    ck_storePixels(rows, i, ck_scaled(out, gain));
  }
}
