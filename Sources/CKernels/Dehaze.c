#include "LogLuminance.h"

// The operations of one stage; see Dehaze.swift.

CK_KERNEL(
    ck_dehazeRow,
    (const ck_haze *haze, const float *slope, const float *offset, ck_threeRows rows,
     int64_t count),
    (haze, slope, offset, rows, count)) {
  const ck_haze t = *haze;
  const float *air = t.air.value;
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_numbers(ck_pixelsAt(rows, i, count));
    cv_f8 stops = ck_stops(ck_weighted(p, t.weights), t.floor);
    cv_f8 part = limited(f8(slope + i) * stops + f8(offset + i), 0, t.maxPart);
    ck_pixels out;
    if (t.removed > 0) {
      ck_pixels of = {p.red / air[0], p.green / air[1], p.blue / air[2]};
      cv_f8 own = larger(ck_lowest(of), 0);
      cv_f8 veil = part * t.removed;
      // Smoothly below the darkest channel, so that none becomes negative.
      veil *= own / root(veil * veil + own * own + 1e-12f);
      cv_f8 kept = 1 / (1 - veil);
      out = (ck_pixels){(p.red - veil * air[0]) * kept, (p.green - veil * air[1]) * kept,
                        (p.blue - veil * air[2]) * kept};
      cv_f8 top = ck_highest(out);
      out = ck_scaled(out, smaller(t.peak * 0.9999998f / larger(top, t.peak), 1));
    } else {
      cv_f8 veil = (0.25f + 0.75f * part) * t.added;
      out = (ck_pixels){p.red + (air[0] - p.red) * veil, p.green + (air[1] - p.green) * veil,
                        p.blue + (air[2] - p.blue) * veil};
    }
    ck_putPixels(rows, i, count, out);
  }
}
