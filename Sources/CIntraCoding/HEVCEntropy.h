// Arithmetic coding of bins (H.265, section 9.3.4.4 with the tables of 9.3.4.3), 64 bits at a time.
#pragma once
#include "RangeCoder.h"

/// First contexts of the syntax elements.
enum {
  SPLIT = 0, PART = 3, MPM = 4, CHROMA_MODE = 5, CBF_LUMA = 6, CBF_CHROMA = 8, LAST_X = 12,
  LAST_Y = 30, CODED_SUB_BLOCK = 48, SIGNIFICANT = 52, GREATER_1 = 94, GREATER_2 = 118,
};

/// What a bin does with a context in states 2 · p and 2 · p + 1, where 0 and 1 are the more
/// probable bin: the length of the other bin's part of the interval (table 9-52) for lengths of
/// 256, 320, 384 and 448, a byte each, then the next state after 0 and after 1. `n`: the
/// probability after a less probable bin (table 9-53).
#define STATES(p, a, b, c, d, n)                                                            \
  LENGTHS(a, b, c, d) | (uint64_t)(p < 62 ? 2 * p + 2 : 2 * p) << 32                        \
      | (uint64_t)(p == 0 ? 1 : 2 * n) << 40,                                               \
      LENGTHS(a, b, c, d) | (uint64_t)(p < 62 ? 2 * p + 3 : 2 * p + 1) << 40                \
          | (uint64_t)(p == 0 ? 0 : 2 * n + 1) << 32
#define LENGTHS(a, b, c, d) ((uint64_t)a | (uint64_t)b << 8 | (uint64_t)c << 16 | (uint64_t)d << 24)

static const uint64_t states[128] = {
  STATES(0, 128, 176, 208, 240, 0), STATES(1, 128, 167, 197, 227, 0),
  STATES(2, 128, 158, 187, 216, 1), STATES(3, 123, 150, 178, 205, 2),
  STATES(4, 116, 142, 169, 195, 2), STATES(5, 111, 135, 160, 185, 4),
  STATES(6, 105, 128, 152, 175, 4), STATES(7, 100, 122, 144, 166, 5),
  STATES(8, 95, 116, 137, 158, 6), STATES(9, 90, 110, 130, 150, 7),
  STATES(10, 85, 104, 123, 142, 8), STATES(11, 81, 99, 117, 135, 9),
  STATES(12, 77, 94, 111, 128, 9), STATES(13, 73, 89, 105, 122, 11),
  STATES(14, 69, 85, 100, 116, 11), STATES(15, 66, 80, 95, 110, 12),
  STATES(16, 62, 76, 90, 104, 13), STATES(17, 59, 72, 86, 99, 13), STATES(18, 56, 69, 81, 94, 15),
  STATES(19, 53, 65, 77, 89, 15), STATES(20, 51, 62, 73, 85, 16), STATES(21, 48, 59, 69, 80, 16),
  STATES(22, 46, 56, 66, 76, 18), STATES(23, 43, 53, 63, 72, 18), STATES(24, 41, 50, 59, 69, 19),
  STATES(25, 39, 48, 56, 65, 19), STATES(26, 37, 45, 54, 62, 21), STATES(27, 35, 43, 51, 59, 21),
  STATES(28, 33, 41, 48, 56, 22), STATES(29, 32, 39, 46, 53, 22), STATES(30, 30, 37, 43, 50, 23),
  STATES(31, 29, 35, 41, 48, 24), STATES(32, 27, 33, 39, 45, 24), STATES(33, 26, 31, 37, 43, 25),
  STATES(34, 24, 30, 35, 41, 26), STATES(35, 23, 28, 33, 39, 26), STATES(36, 22, 27, 32, 37, 27),
  STATES(37, 21, 26, 30, 35, 27), STATES(38, 20, 24, 29, 33, 28), STATES(39, 19, 23, 27, 31, 29),
  STATES(40, 18, 22, 26, 30, 29), STATES(41, 17, 21, 25, 28, 30), STATES(42, 16, 20, 23, 27, 30),
  STATES(43, 15, 19, 22, 25, 30), STATES(44, 14, 18, 21, 24, 31), STATES(45, 14, 17, 20, 23, 32),
  STATES(46, 13, 16, 19, 22, 32), STATES(47, 12, 15, 18, 21, 33), STATES(48, 12, 14, 17, 20, 33),
  STATES(49, 11, 14, 16, 19, 33), STATES(50, 11, 13, 15, 18, 34), STATES(51, 10, 12, 15, 17, 34),
  STATES(52, 10, 12, 14, 16, 35), STATES(53, 9, 11, 13, 15, 35), STATES(54, 9, 11, 12, 14, 35),
  STATES(55, 8, 10, 12, 14, 36), STATES(56, 8, 9, 11, 13, 36), STATES(57, 7, 9, 11, 12, 36),
  STATES(58, 7, 9, 10, 12, 37), STATES(59, 7, 8, 10, 11, 37), STATES(60, 6, 8, 9, 11, 37),
  STATES(61, 6, 7, 9, 10, 38), STATES(62, 6, 7, 8, 9, 38), STATES(63, 2, 2, 2, 2, 63),
};

/// Bits of the interval's lower end.
enum { WINDOW = 9 };

CK_BODY engine opened(const ck_hevcCoder *c) {
  return (engine){c->low, c->range, c->pending, c->out};
}
CK_BODY void closed(ck_hevcCoder *c, engine e) {
  c->low = e.low, c->range = e.range, c->pending = e.pending, c->out = e.out;
}

/// Codes a bin with its context.
CK_BODY void codeBin(engine *e, uint8_t *context, uint32_t bin) {
  uint32_t state = *context;
  uint64_t entry = states[state];
  *context = (uint8_t)(entry >> (32 + 8 * bin));
  uint32_t lps = (uint8_t)(entry >> (e->range >> 3 & 24));
  uint32_t rest = e->range - lps;
  _Bool isLPS = (state ^ bin) & 1;
  e->low += isLPS ? rest : 0;
  uint32_t range = isLPS ? lps : rest;
  int shift = __builtin_clz(range) - 23;
  e->range = range << shift;
  e->low <<= shift;
  e->pending += shift;
  drain(e, WINDOW);
}

/// Codes `count` bins of equal probability, at most 16: the lowest bits of `bins`, highest first.
CK_BODY void codeBits(engine *e, uint32_t bins, int count) {
  e->low = (e->low << count) + (uint64_t)e->range * bins;
  e->pending += count;
  drain(e, WINDOW);
}

/// Codes a bin that says whether something ends.
CK_BODY void codeEnd(engine *e, _Bool ends) {
  e->range -= 2;
  if (ends) {
    e->low += e->range;
    e->range = 2;
  }
  int shift = __builtin_clz(e->range) - 23;
  e->range <<= shift;
  e->low <<= shift;
  e->pending += shift;
  drain(e, WINDOW);
}
