// How arithmetic coders write: 64 bits of the interval's lower end at a time, of which 32 leave
// together, and carries into what has left.
#pragma once
#include <Kernel.h>

#include "CIntraCoding.h"

/// The part of a coder that stays in registers while a block is coded. `low`: bits that are not
/// written yet, above the window of the interval's lower end, and how many.
typedef struct engine {
  uint64_t low;
  uint32_t range;
  int32_t pending;
  uint8_t *out;
} engine;

/// Adds one to the number that the bytes before `end` are.
CK_BODY void carryInto(uint8_t *end) {
  do end--;
  while (++*end == 0);
}

/// Writes 32 bits as soon as there are 32 above the `window` lowest.
CK_BODY void drain(engine *e, int window) {
  if (__builtin_expect(e->pending < 32, 1)) return;
  e->pending -= 32;
  uint64_t bits = e->low >> (window + e->pending);
  if (bits >> 32) carryInto(e->out);
  uint32_t word = __builtin_bswap32((uint32_t)bits);
  __builtin_memcpy(e->out, &word, sizeof word);
  e->out += sizeof word;
  e->low &= ((uint64_t)1 << (window + e->pending)) - 1;
}
