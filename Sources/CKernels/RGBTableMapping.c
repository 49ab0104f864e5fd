#include "OverRange.h"

/// Tetrahedral interpolation in a cube [r][g][b] of n entries a side, each of four floats of which
/// three count, at positions already clamped to 0...n - 1.
CK_BODY ck_pixels cube(const float *table, int32_t n, ck_pixels at) {
  cv_i8 r0 = __builtin_convertvector(at.red, cv_i8);
  cv_i8 g0 = __builtin_convertvector(at.green, cv_i8);
  cv_i8 b0 = __builtin_convertvector(at.blue, cv_i8);
  r0 = r0 < n - 2 ? r0 : n - 2;
  g0 = g0 < n - 2 ? g0 : n - 2;
  b0 = b0 < n - 2 ? b0 : n - 2;
  cv_f8 fr = at.red - __builtin_convertvector(r0, cv_f8);
  cv_f8 fg = at.green - __builtin_convertvector(g0, cv_f8);
  cv_f8 fb = at.blue - __builtin_convertvector(b0, cv_f8);
  cv_i8 base = ((r0 * n + g0) * n + b0) * 4;
  int32_t toR = 4 * n * n, toG = 4 * n, toB = 4;
  ck_pixels out;
  for (int lane = 0; lane < 8; lane++) {
    float x = fr[lane], y = fg[lane], z = fb[lane];
    int32_t first = x >= y ? (x >= z ? toR : toB) : (y >= z ? toG : toB);
    int32_t last = x < y ? (x < z ? toR : toB) : (y < z ? toG : toB);
    float high = x > y ? (x > z ? x : z) : (y > z ? y : z);
    float low = x < y ? (x < z ? x : z) : (y < z ? y : z);
    float mid = (x > y ? (y > z ? y : (x > z ? z : x)) : (x > z ? x : (y > z ? z : y)));
    const float *p = table + base[lane];
    cv_f4 c0 = f4(p), c1 = f4(p + first);
    cv_f4 c2 = f4(p + (toR + toG + toB - last)), c3 = f4(p + (toR + toG + toB));
    cv_f4 v = c0 + (c1 - c0) * high + (c2 - c1) * mid + (c3 - c2) * low;
    out.red[lane] = v[0];
    out.green[lane] = v[1];
    out.blue[lane] = v[2];
  }
  return out;
}

/// The curve `pairs` over 0...1 at even steps: a value and the step to the next, `cells` of them and
/// one pair more. NULL for none.
CK_BODY cv_f8 curve(const float *pairs, int32_t cells, cv_f8 x) {
  cv_f8 inside = cv_clamp8(x, 0, 1);
  if (!pairs) return inside;
  cv_f8 position = inside * (float)cells;
  cv_i8 index = __builtin_convertvector(position, cv_i8);
  cv_f8 part = position - __builtin_convertvector(index, cv_f8);
  cv_f8 start, step;
  for (int lane = 0; lane < 8; lane++) {
    start[lane] = pairs[2 * index[lane]];
    step[lane] = pairs[2 * index[lane] + 1];
  }
  return start + step * part;
}
CK_BODY ck_pixels curves(const float *pairs, int32_t cells, ck_pixels p) {
  return (ck_pixels){
    curve(pairs, cells, p.red), curve(pairs, cells, p.green), curve(pairs, cells, p.blue)};
}

/// The pixels that the cube has for `light`, which lies inside it.
CK_BODY ck_pixels looked(const ck_rgbTable *table, ck_pixels light) {
  ck_pixels inside = table->isHighRange ? ck_compressedPixels(light) : light;
  ck_pixels at = ck_scaled(
      curves(table->encoding, table->cells, inside), (float)(table->side - 1));
  ck_pixels out = curves(table->decoding, table->cells, cube(table->cube, table->side, at));
  return table->isHighRange ? ck_expandedPixels(out) : out;
}

/// What is added again of a value beyond the cube.
CK_BODY cv_f8 rest(const ck_rgbTable *table, cv_f8 x, cv_f8 inside) {
  return table->extends ? x - inside : cv_max8(x - inside, 0);
}

CK_KERNEL(
    ck_rgbTableRow,
    (const ck_rgbTable *table, ck_threeRows rows, int64_t count), (table, rows, count)) {
  const ck_rgbTable t = *table;
  const float top = t.isHighRange ? 16 : 1;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels light = ck_numbers(ck_loadPixels(rows, i));
    if (t.hasMatrix) light = ck_product(light, &t.toTable);
    ck_pixels inside = ck_clamped(light, 0, top);
    ck_pixels out = looked(&t, inside);
    out.red += rest(&t, light.red, inside.red);
    out.green += rest(&t, light.green, inside.green);
    out.blue += rest(&t, light.blue, inside.blue);
    ck_storePixels(rows, i, t.hasMatrix ? ck_product(out, &t.fromTable) : out);
  }
}
