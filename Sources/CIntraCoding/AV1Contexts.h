// Contexts of the sizes of coefficients (AV1 specification, section 8.3.2), and what they say of the bits that
// a size takes.
#pragma once
#include "AV1Entropy.h"

typedef uint8_t ck_bytes16 __attribute__((ext_vector_type(16)));

CK_BODY ck_bytes16 bytes16(const uint8_t *in) {
  ck_bytes16 v;
  __builtin_memcpy(&v, in, sizeof v);
  return v;
}

/// Contexts of all positions in a number of columns: of sizes up to 3, and of what is above.
CK_BODY void makeContexts(
    const order *o, const uint8_t *sizes, int pitch, int columns, uint8_t *size, uint8_t *more) {
  for (int at = 0; at < columns * pitch; at += 16) {
    const uint8_t *here = sizes + at;
    ck_bytes16 near[3] = {bytes16(here + 1), bytes16(here + pitch), bytes16(here + pitch + 1)};
    ck_bytes16 sum = 0, sum15 = 1;
    for (int i = 0; i < 3; i++) {
      sum += __builtin_elementwise_min(near[i], (ck_bytes16)3);
      sum15 += __builtin_elementwise_min(near[i], (ck_bytes16)15);
    }
    sum += __builtin_elementwise_min(bytes16(here + 2), (ck_bytes16)3);
    sum += __builtin_elementwise_min(bytes16(here + 2 * pitch), (ck_bytes16)3) + 1;
    sum = __builtin_elementwise_min(sum >> 1, (ck_bytes16)4) + bytes16(o->size + at);
    sum15 = __builtin_elementwise_min(sum15 >> 1, (ck_bytes16)6) + bytes16(o->more + at);
    __builtin_memcpy(size + at, &sum, sizeof sum);
    __builtin_memcpy(more + at, &sum15, sizeof sum15);
  }
  size[0] = 0;
}
