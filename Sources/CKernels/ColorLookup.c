#include "Cube.h"
#include "EvenTable.h"
#include "OctaveTable.h"

/// Signals of linear values 0…1 of the signal's range.
CK_BODY cv_f8 encoded(const ck_lookup *t, cv_f8 x) {
  return ck_octaves(t->encoding, t->lowest, t->below, x);
}

/// The position of a signal within the domain of a channel, 0…1.
CK_BODY cv_f8 positionOf(cv_f8 signal, float start, float scale) {
  return limited((signal - start) * scale, 0, 1);
}

CK_BODY ck_pixels colorOf(const ck_lookup *t, ck_pixels signal) {
  ck_pixels at = {
    positionOf(signal.red, t->start.value[0], t->scale.value[0]),
    positionOf(signal.green, t->start.value[1], t->scale.value[1]),
    positionOf(signal.blue, t->start.value[2], t->scale.value[2])};
  if (t->cube) return ck_cube(t->cube, t->side, ck_scaled(at, (float)(t->side - 1)));
  return (ck_pixels){
    ck_even(t->curves[0], t->side - 1, at.red), ck_even(t->curves[1], t->side - 1, at.green),
    ck_even(t->curves[2], t->side - 1, at.blue)};
}

CK_KERNEL(
    ck_lookupRow, (const ck_lookup *lookup, ck_threeRows rows, int64_t count),
    (lookup, rows, count)) {
  const ck_lookup t = *lookup;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_clamped(ck_numbers(ck_loadPixels(rows, i)), -1e20f, 1e20f);
    // What is brighter than the signal can say keeps its color: it is looked up at its limit.
    cv_f8 over = larger(ck_highest(p) * t.range, 1);
    cv_f8 down = t.range / over;
    ck_pixels linear = ck_product(ck_scaled(p, down), &t.toSignal);
    ck_pixels inside = ck_clamped(linear, 0, 1);
    ck_pixels signal = {
      encoded(&t, inside.red), encoded(&t, inside.green), encoded(&t, inside.blue)};
    ck_pixels found = colorOf(&t, signal);
    ck_pixels out = {
      ck_even(t.decoding, t.cells, found.red) + linear.red - inside.red,
      ck_even(t.decoding, t.cells, found.green) + linear.green - inside.green,
      ck_even(t.decoding, t.cells, found.blue) + linear.blue - inside.blue};
    out = ck_scaled(ck_product(out, &t.fromSignal), 1 / down);
    cv_f8 top = ck_highest(out);
    out = ck_scaled(out, top > t.ceiling ? t.ceiling / (top > 0 ? top : 1) : 1);
    ck_storePixels(
        rows, i,
        (ck_pixels){
          p.red + (out.red - p.red) * t.amount, p.green + (out.green - p.green) * t.amount,
          p.blue + (out.blue - p.blue) * t.amount});
  }
}
