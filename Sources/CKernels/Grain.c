#include "LuminanceGain.h"
#include "Smoothstep.h"

typedef uint32_t ck_u8 __attribute__((ext_vector_type(8)));

/// A random number of a lattice point, of variance 1.
CK_BODY cv_f8 random8(cv_i8 x, cv_i8 y, uint32_t seed) {
  ck_u8 h = (ck_u8)x * 0x27d4eb2du ^ ((ck_u8)y * 0x165667b1u + seed);
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  h ^= h >> 16;
  cv_i8 sum = (cv_i8)(h & 0xffffu) + (cv_i8)(h >> 16);
  return __builtin_convertvector(sum, cv_f8) * (2.4494897f / 65535) - 2.4494897f;
}

/// The largest integer that is not above x, for |x| < 2^22.
CK_BODY cv_f8 floor8(cv_f8 x) {
  cv_f8 near = rounded(x);
  return near > x ? near - 1 : near;
}

CK_BODY cv_f8 noise(const ck_grainLayer *layer, cv_f8 x, float y, uint32_t seed) {
  cv_f8 u = x * layer->cosine - y * layer->sine, v = x * layer->sine + y * layer->cosine;
  cv_f8 left = floor8(u), top = floor8(v);
  cv_f8 across = ck_smoothstep8(u - left), along = ck_smoothstep8(v - top);
  cv_i8 column = __builtin_convertvector(left, cv_i8), row = __builtin_convertvector(top, cv_i8);
  cv_f8 a = 1 - across, b = 1 - along;
  cv_f8 sum = (random8(column, row, seed) * a + random8(column + 1, row, seed) * across) * b
              + (random8(column, row + 1, seed) * a + random8(column + 1, row + 1, seed) * across)
                    * along;
  cv_f8 variance = (a * a + across * across) * (b * b + along * along);
  return sum / root(variance) * layer->weight;
}

CK_KERNEL(
    ck_grainRow, (const ck_grain *grain, int64_t x, int64_t y, ck_threeRows rows, int64_t count),
    (grain, x, y, rows, count)) {
  const ck_grain t = *grain;
  const cv_f8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
  const float down = (float)y + 0.5f;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 right = steps + ((float)(x + i) + 0.5f);
    cv_f8 sum = noise(&t.layers[0], right, down, t.seed)
                + noise(&t.layers[1], right, down, t.seed ^ 0x5bd1e995u);
    cv_f8 top = number(ck_highest(ck_loadPixels(rows, i)));
    cv_f8 stops = logarithm(limited(top, 0x1p-20f, 0x1p20f)) * 0.2f + 0.49478624f;
    cv_f8 change = limited(sum, -4, 4) * t.stops / (1 + stops * stops);
    ck_multiplyPixels(rows, i, count, powerOfTwo(change), t.peak);
  }
}
