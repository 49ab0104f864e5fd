#include "OverRange.h"

/// The signal of values, by the curve of sRGB.
CK_BODY cv_f8 encoded(const ck_hueSat *map, cv_f8 x) {
  cv_f8 power = cv_exp2_8(cv_log2_8(cv_max8(x, ck_all(1e-6f))) * (1 / map->exponent));
  return x > map->linearEnd ? power * map->scale - map->offset : x * map->slope;
}

CK_BODY cv_f8 decoded(const ck_hueSat *map, cv_f8 x) {
  cv_f8 base = cv_max8(x + map->offset, ck_all(1e-3f)) * (1 / map->scale);
  return x > map->signalEnd ? cv_exp2_8(cv_log2_8(base) * map->exponent)
                            : x * (1 / map->slope);
}

/// How far a channel is from V, 0…1: max(0, min(k, 4 − k, 1)) of k = x mod 6.
CK_BODY cv_f8 fraction(cv_f8 x) {
  cv_f8 k = x - cv_round8(x * (1.0f / 6) - 0.5f) * 6;
  return cv_clamp8(cv_min8(k, 4 - k), ck_all(0), ck_all(1));
}

/// The table's change of hue, saturation and value; positions are clamped to it, which also keeps
/// those of infinite values inside.
CK_BODY ck_pixels change(const ck_hueSat *map, cv_f8 hue, cv_f8 saturation, cv_f8 value) {
  const cv_f8 zero = ck_all(0), one = ck_all(1);
  cv_f8 turn = cv_clamp8(hue * (1.0f / 6), zero, one);
  cv_f8 around = map->hues > 1 ? turn * (float)map->hues : zero;
  cv_f8 across = cv_clamp8(saturation, zero, one) * (float)(map->saturations - 1);
  cv_f8 up = cv_clamp8(value, zero, one) * (float)(map->values - 1);
  float out[24];
  cv_hueTable8(
      map->table, map->saturations, map->hues, map->values, across, around, up, out);
  return (ck_pixels){ck_load8(out), ck_load8(out + 8), ck_load8(out + 16)};
}

CK_BODY ck_pixels mapped(const ck_hueSat *map, ck_pixels p) {
  const cv_f8 zero = ck_all(0), one = ck_all(1);
  cv_f8 v = ck_highest(p);
  cv_f8 gap = v - ck_lowest(p);
  cv_f8 divisor = gap > 0 ? gap : one;
  cv_f8 saturation = gap / (v > 0 ? v : one);
  // The largest channel names the third of the circle; of equal ones the first.
  cv_f8 others = p.green - v >= 0 ? (p.blue - p.red) / divisor + 2
                                  : (p.red - p.green) / divisor + 4;
  cv_f8 third = p.red - v >= 0 ? (p.green - p.blue) / divisor : others;
  cv_f8 hue = third >= 0 ? third : third + 6;

  cv_f8 signal = map->isEncoded ? encoded(map, v) : v;
  ck_pixels by = change(map, hue, saturation, signal);
  cv_f8 turned = hue + by.red;
  cv_f8 value = map->isEncoded ? decoded(map, signal * by.blue) : v * by.blue;
  cv_f8 chroma = value * cv_clamp8(saturation * by.green, zero, one);
  return (ck_pixels){
    value - chroma * fraction(turned + 5), value - chroma * fraction(turned + 3),
    value - chroma * fraction(turned + 1)};
}

CK_BODY ck_pixels positive(ck_pixels p) {
  const cv_f8 zero = ck_all(0);
  return (ck_pixels){cv_max8(p.red, zero), cv_max8(p.green, zero), cv_max8(p.blue, zero)};
}

CK_KERNEL(
    ck_hueSatRow,
    (const ck_hueSat *map, float gain, float *red, float *green, float *blue, int64_t count),
    (map, gain, red, green, blue, count)) {
  const ck_hueSat m = *map;
  const cv_f8 zero = ck_all(0);
  for (int64_t i = 0; i < count; i += 8) {
    ck_pixels p = ck_loadPixels(red, green, blue, i);
    ck_pixels out = positive(p);
    if (m.isCompressed) {
      out = ck_expandedPixels(positive(mapped(&m, ck_compressedPixels(out))));
    } else {
      out = mapped(&m, out);
    }
    ck_store8(red + i, (out.red + cv_min8(p.red, zero)) * gain);
    ck_store8(green + i, (out.green + cv_min8(p.green, zero)) * gain);
    ck_store8(blue + i, (out.blue + cv_min8(p.blue, zero)) * gain);
  }
}
