#include "Pixels.h"

CK_BODY ck_pixels topped(ck_pixels p, cv_f8 top) {
  return (ck_pixels){smaller(p.red, top), smaller(p.green, top), smaller(p.blue, top)};
}

CK_KERNEL(
    ck_fitRow, (float limit, ck_threeRows rows, int64_t count), (limit, rows, count)) {
  const cv_f8 top = limit;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(rows, i);
    cv_f8 highest = ck_highest(p);
    if (!anyOf(highest > top)) continue;
    ck_storePixels(rows, i, topped(ck_scaled(p, highest > top ? top / highest : 1), top));
  }
}

CK_KERNEL(
    ck_cutRow, (float limit, ck_threeRows rows, int64_t count), (limit, rows, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_storePixels(rows, i, topped(ck_numbers(ck_loadPixels(rows, i)), limit));
  }
}
