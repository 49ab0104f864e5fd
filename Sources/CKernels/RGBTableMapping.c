#include "Cube.h"
#include "EvenTable.h"
#include "OverRange.h"

/// The curve `pairs` at even steps; NULL for none.
CK_BODY cv_f8 evenCurve(const float *pairs, int32_t cells, cv_f8 x) {
  return pairs ? ck_even(pairs, cells, x) : limited(x, 0, 1);
}
CK_BODY ck_pixels curves(const float *pairs, int32_t cells, ck_pixels p) {
  return (ck_pixels){
    evenCurve(pairs, cells, p.red), evenCurve(pairs, cells, p.green), evenCurve(pairs, cells, p.blue)};
}

/// The pixels that the cube has for `linear`, which lies inside it.
CK_BODY ck_pixels looked(const ck_rgbTable *table, ck_pixels linear) {
  ck_pixels inside = table->isHighRange ? ck_compressedPixels(linear) : linear;
  ck_pixels at = ck_scaled(
      curves(table->encoding, table->cells, inside), (float)(table->side - 1));
  ck_pixels out = curves(table->decoding, table->cells, ck_cube(table->cube, table->side, at));
  return table->isHighRange ? ck_expandedPixels(out) : out;
}

/// What is added again of a value beyond the cube.
CK_BODY cv_f8 rest(const ck_rgbTable *table, cv_f8 x, cv_f8 inside) {
  return table->extends ? x - inside : larger(x - inside, 0);
}

CK_KERNEL(
    ck_rgbTableRow,
    (const ck_rgbTable *table, ck_threeRows rows, int64_t count), (table, rows, count)) {
  const ck_rgbTable t = *table;
  const float top = t.isHighRange ? 16 : 1;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels linear = ck_numbers(ck_loadPixels(rows, i));
    if (t.hasMatrix) linear = ck_product(linear, &t.toTable);
    ck_pixels inside = ck_clamped(linear, 0, top);
    ck_pixels out = looked(&t, inside);
    out.red += rest(&t, linear.red, inside.red);
    out.green += rest(&t, linear.green, inside.green);
    out.blue += rest(&t, linear.blue, inside.blue);
    ck_storePixels(rows, i, t.hasMatrix ? ck_product(out, &t.fromTable) : out);
  }
}
