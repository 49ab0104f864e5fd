// Looking up curves that are stored by octaves. Each lane gathers from its own position: how lanes leave
// and enter registers decides the speed where that is not one instruction.
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
  cv_i8 index = inside >> 16;
  cv_f8 part = __builtin_convertvector(inside & 0xffff, cv_f8) * 0x1p-16f;
  cv_f8 start, step;
  for (int lane = 0; lane < 8; lane++) {
    start[lane] = pairs[2 * index[lane]];
    step[lane] = pairs[2 * index[lane] + 1];
  }
  return bits < first ? x * below : start + step * part;
}
