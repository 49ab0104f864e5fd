#include "OctaveTable.h"
#include "Pixels.h"

CK_BODY cv_f8 curve(const ck_pointCurve *c, cv_f8 x) {
  cv_f8 inside = c->black + ck_octaves(c->pairs, c->lowest, c->below, larger(x, 0));
  cv_f8 above = x > 1 ? x * c->white : inside;
  return x < 0 ? x + c->black : above;
}

CK_KERNEL(
    ck_pointCurveRow, (const ck_pointCurve *master, ck_threeRows rows, int64_t count),
    (master, rows, count)) {
  const ck_pointCurve c = *master;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_clamped(ck_numbers(ck_loadPixels(rows, i)), -1e20f, 1e20f);
    cv_f8 high = ck_highest(p), low = ck_lowest(p);
    cv_f8 top = curve(&c, high), bottom = curve(&c, low);
    cv_f8 range = high - low;
    cv_f8 k = range > 0 ? (top - bottom) / (range > 0 ? range : 1) : 0;
    ck_storePixels(
        rows, i,
        (ck_pixels){
          bottom + (p.red - low) * k, bottom + (p.green - low) * k, bottom + (p.blue - low) * k});
  }
}

CK_KERNEL(
    ck_channelCurveRow, (const ck_pointCurve *channel, float *row, int64_t count),
    (channel, row, count)) {
  const ck_pointCurve c = *channel;
  for (int64_t i = 0; i < count; i += 8) put(row + i, curve(&c, number(f8(row + i))));
}
