// Looking up curves that are stored by octaves.
#pragma once
#include "Lanes.h"

/// A curve stored at even steps of the bits of its argument, 128 an octave, as pairs of a value and
/// the step to the next: `pairs` starts at the float whose bits are `lowest` and ends at 1.0 with
/// one pair more. Linear between, `below` times the argument under `lowest`, constant above 1.
CK_BODY lanes ck_octaves(const float *pairs, int32_t lowest, float below, lanes x) {
  integers bits = __builtin_bit_cast(integers, x);
  integers one = (integers)(0x3f800000);
  integers first = (integers)(lowest);
  integers inside = bits > one ? one : bits;
  inside = (inside < first ? first : inside) - first;
  lanes part = __builtin_convertvector(inside & 0xffff, lanes) * 0x1p-16f;
  ck_pairs found = ck_lookUp(pairs, 2, inside >> 16);
  return bits < first ? x * below : found.first + found.second * part;
}
