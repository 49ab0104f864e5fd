#include "OverRange.h"

CK_BODY cv_f8 curve(const float *pairs, int32_t cells, cv_f8 x) {
  cv_f8 inside = cv_clamp8(x, ck_all(0), ck_all(1));
  return pairs ? cv_evenTable8(pairs, inside * (float)cells) : inside;
}
CK_BODY ck_pixels curves(const float *pairs, int32_t cells, ck_pixels p) {
  return (ck_pixels){
    curve(pairs, cells, p.red), curve(pairs, cells, p.green), curve(pairs, cells, p.blue)};
}

/// The pixels that the cube has for `light`, which lies inside it.
CK_BODY ck_pixels looked(const ck_rgbTable *table, ck_pixels light) {
  ck_pixels inside = table->isHighRange ? ck_compressedPixels(light) : light;
  ck_pixels at = ck_scaled(
      curves(table->encoding, table->cells, inside), ck_all((float)(table->side - 1)));
  float found[24];
  cv_cube8(table->cube, table->side, at.red, at.green, at.blue, found);
  ck_pixels out = {ck_load8(found), ck_load8(found + 8), ck_load8(found + 16)};
  out = curves(table->decoding, table->cells, out);
  return table->isHighRange ? ck_expandedPixels(out) : out;
}

/// What is added again of a value beyond the cube.
CK_BODY cv_f8 rest(const ck_rgbTable *table, cv_f8 x, cv_f8 inside) {
  return table->extends ? x - inside : cv_max8(x - inside, ck_all(0));
}

CK_KERNEL(
    ck_rgbTableRow,
    (const ck_rgbTable *table, float *red, float *green, float *blue, int64_t count),
    (table, red, green, blue, count)) {
  const ck_rgbTable t = *table;
  const cv_f8 zero = ck_all(0), top = ck_all(t.isHighRange ? 16 : 1);
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels light = ck_loadPixels(red, green, blue, i);
    light.red = cv_number8(light.red);
    light.green = cv_number8(light.green);
    light.blue = cv_number8(light.blue);
    if (t.hasMatrix) light = ck_product(light, &t.toTable);
    ck_pixels inside = {
      cv_clamp8(light.red, zero, top), cv_clamp8(light.green, zero, top),
      cv_clamp8(light.blue, zero, top)};
    ck_pixels out = looked(&t, inside);
    out.red += rest(&t, light.red, inside.red);
    out.green += rest(&t, light.green, inside.green);
    out.blue += rest(&t, light.blue, inside.blue);
    ck_storePixels(red, green, blue, i, t.hasMatrix ? ck_product(out, &t.fromTable) : out);
  }
}
