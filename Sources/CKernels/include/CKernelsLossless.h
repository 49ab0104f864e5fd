// The loops of LosslessJPEGEncoder and of MD5. Included by CKernels.h.
#pragma once
#include <stdint.h>

/// Samples of a tile: `rows` rows of `count`, a multiple of `components`, one behind the other.
typedef struct ck_losslessTile {
  const uint16_t *samples;
  int64_t count, rows, components;
  /// What the first sample of each component is predicted by.
  uint16_t first;
} ck_losslessTile;

/// How many differences of each component have each of 17 categories, added to `counts`, 17 for a component.
void ck_losslessCategories(const ck_losslessTile *tile, int64_t *counts);

/// How a category is coded: its code, moved up by the bits of value, and how many bits both are.
typedef struct ck_losslessCode {
  uint32_t bits, length;
} ck_losslessCode;

/// Writes the differences by `codes`, 17 for a component, with stuffing, the last byte filled up by ones: `length`
/// bytes; there must be room for 8 more than twice those that the bits take.
void ck_losslessBits(
    const ck_losslessTile *tile, const ck_losslessCode *codes, uint8_t *out, int64_t *length);

/// Takes `blocks` blocks of 64 bytes into the `state` of an MD5.
void ck_md5(uint32_t state[4], const uint8_t *bytes, int64_t blocks);
