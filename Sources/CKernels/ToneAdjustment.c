#include "OctaveTable.h"
#include "Pixels.h"

CK_KERNEL(
    ck_toneAdjustmentRow,
    (const ck_toneAdjustment *gains, ck_threeRows rows, int64_t count),
    (gains, rows, count)) {
  const ck_toneAdjustment t = *gains;
  const float smallest = __builtin_bit_cast(float, t.lowest);
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_numbers(ck_loadPixels(rows, i));
    // Clamped, so that what is darker than the table has the gain of its first entry.
    cv_f8 level = limited(ck_highest(p) * t.scale, smallest, 1);
    ck_storePixels(rows, i, ck_scaled(p, ck_octaves(t.gains, t.lowest, 0, level)));
  }
}
