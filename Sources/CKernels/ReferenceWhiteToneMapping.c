#include "OctaveTable.h"
#include "Pixels.h"

CK_KERNEL(
    ck_whiteToneRow,
    (const ck_whiteTone *tone, ck_threeRows rows, int64_t count), (tone, rows, count)) {
  const ck_whiteTone t = *tone;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_numbers(ck_loadPixels(rows, i));
    cv_f8 drive = larger(ck_highest(ck_product(p, &t.toBT2020)), 1) / t.peak;
    cv_f8 gain = ck_octaves(t.pairs, t.lowest, 0, drive);
    ck_storePixels(rows, i, ck_scaled(p, drive > 1 ? gain / drive : gain));
  }
}
