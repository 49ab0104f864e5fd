// Coding of the levels of a transform block (AV1 specification, sections 5.11.39 and 8.3.2).
#pragma once
#include "AV1Contexts.h"

/// Codes the position of the last level.
CK_BODY void codeLast(engine *e, distributions *d, int last, int log2, int isChroma) {
  int bits = last == 0 ? 0 : 32 - __builtin_clz((uint32_t)last);
  switch (log2) {
    case 2: codeSmall(e, d, LAST_16 + isChroma, bits, 5); break;
    case 3: codeSmall(e, d, LAST_64 + isChroma, bits, 7); break;
    case 4: codeLarge(e, d, LAST_256 + isChroma, bits, 9); break;
    default: codeLarge(e, d, LAST_1024 + isChroma, bits, 11); break;
  }
  if (bits < 2) return;
  int number = LAST_BIT + 9 * (2 * (log2 - 2) + isChroma) + bits - 2;
  codeSmall(e, d, number, last >> (bits - 2) & 1, 2);
  codeBits(e, (uint32_t)last, bits - 2);
}

/// Codes what is left of a level above 14.
CK_BODY void codeRest(engine *e, uint32_t value) {
  int bits = 32 - __builtin_clz(value);
  codeBits(e, 0, bits - 1);
  codeBits(e, value, bits);
}

CK_BODY void codeMore(engine *e, distributions *d, int number, int level) {
  for (int rest = level - 3, i = 0; i < 4; i++, rest -= 3) {
    codeSmall(e, d, number, rest < 3 ? rest : 3, 4);
    if (rest < 3) return;
  }
}

/// Codes the levels of a transform block of 2^log2 samples a side, of which one at least is not 0.
/// `signs`: the context of the first one's sign.
CK_BODY void codeLevels(engine *e, distributions *d, const order *o, const block *b, int log2, int isChroma, int signs) {
  int pitch = PITCH(log2), kind = 2 * (log2 - 2) + isChroma, last = b->last;
  const uint8_t *sizes = b->sizes[log2 - 2];
  uint8_t size[32 * 40 + 16], more[32 * 40 + 16];
  int position = o->positions[last], count = 1, level = sizes[position], area = 1 << (2 * log2);
  // What comes before the last one lies on its diagonal or above.
  int columns = position / pitch + position % pitch + 1;
  makeContexts(o, sizes, pitch, columns < 1 << log2 ? columns : 1 << log2, size, more);
  codeLast(e, d, last, log2, isChroma);
  uint16_t found[1024];
  found[0] = (uint16_t)position;
  int context = last == 0 ? 0 : last <= area / 8 ? 1 : last <= area / 4 ? 2 : 3;
  codeSmall(e, d, LAST_SIZE + 4 * kind + context, (level < 3 ? level : 3) - 1, 3);
  if (level > 2) codeMore(e, d, MORE + 21 * kind + more[position], level);
  for (int i = last - 1; i >= 0; i--) {
    position = o->positions[i];
    level = sizes[position];
    codeSmall(e, d, SIZE + 42 * kind + size[position], level < 3 ? level : 3, 4);
    if (level > 2) codeMore(e, d, MORE + 21 * kind + more[position], level);
    found[count] = (uint16_t)position;
    count += level != 0;
  }
  for (int i = count - 1; i >= 0; i--) {
    position = found[i];
    level = b->levels[position];
    if (position == 0) {
      codeSmall(e, d, SIGN + 3 * isChroma + signs, level < 0, 2);
    } else {
      codeFixed(e, level < 0, 16384);
    }
    if (sizes[position] > 14) codeRest(e, (uint32_t)(level < 0 ? -level : level) - 14);
  }
}
