// Looking up curves that are stored by octaves.
#pragma once
#include "Kernel.h"

/// A curve stored at even steps of the bits of its argument, 128 an octave, as pairs of a value and
/// the step to the next: `pairs` starts at the float whose bits are `lowest` and ends at 1.0 with
/// one pair more. Linear between, `below` times the argument under `lowest`, constant above 1.
CK_BODY cv_f8 ck_octaves(const float *pairs, int32_t lowest, float below, cv_f8 x) {
  cv_i8 bits = __builtin_bit_cast(cv_i8, x);
  cv_i8 one = (cv_i8)(0x3f800000);
  cv_i8 first = (cv_i8)(lowest);
  cv_i8 inside = bits > one ? one : bits;
  inside = (inside < first ? first : inside) - first;
  cv_f8 part = __builtin_convertvector(inside & 0xffff, cv_f8) * 0x1p-16f;
  ck_pairs found = ck_lookUp(pairs, inside >> 16);
  return bits < first ? x * below : found.first + found.second * part;
}
