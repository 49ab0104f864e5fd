// Arithmetic coding of symbols (AV1 specification, section 8.2, seen from the encoder), 32 bits at a time.
//
// A distribution is kept as the specification's, taken from 32768: 8 or 16 words, of which those from
// the last symbol on are 0. So one vector operation adapts it, and the last symbol needs no case of
// its own. How often it has been adapted is kept apart, as a word written into a vector would delay
// the load of the whole.
#pragma once
#include "RangeCoder.h"

typedef uint16_t ck_words8 __attribute__((ext_vector_type(8)));
typedef uint16_t ck_words16 __attribute__((ext_vector_type(16)));

/// First distributions of up to 8 symbols, and how many symbols they have.
enum {
  SKIP = 0, PARTITION_8 = SKIP + 3, ANGLE = PARTITION_8 + 4, TRANSFORM_TYPE = ANGLE + 8,
  FOLLOW_SIGN = TRANSFORM_TYPE + 39, ALL_ZERO = FOLLOW_SIGN + 1, LAST_16 = ALL_ZERO + 52,
  LAST_64 = LAST_16 + 2, LAST_BIT = LAST_64 + 2, SIGN = LAST_BIT + 72, LAST_SIZE = SIGN + 6,
  SIZE = LAST_SIZE + 32, MORE = SIZE + 336, SMALL_COUNT = MORE + 168,
};
/// First distributions of up to 16 symbols.
enum {
  PARTITION = 0, LUMA_MODE = PARTITION + 12, CHROMA_MODE_1 = LUMA_MODE + 25,
  FOLLOW_SIZE = CHROMA_MODE_1 + 13, LAST_256 = FOLLOW_SIZE + 6, LAST_1024 = LAST_256 + 2,
  LARGE_COUNT = LAST_1024 + 2,
};

typedef struct distributions {
  ck_words8 small[SMALL_COUNT];
  ck_words16 large[LARGE_COUNT];
  uint8_t smallUses[SMALL_COUNT], largeUses[LARGE_COUNT];
} distributions;

/// Bits of the interval's lower end. One bit less than none is pending at first, as the first
/// interval is half of what they hold.
enum { WINDOW = 16 };

/// Columns of coefficients start this number of positions apart, so that what lies beyond a side, which is
/// always 0, is there to be read.
#define PITCH(log2) ((log2) == 2 ? 8 : (1 << (log2)) + 8)
enum { LONGEST_LEVELS = 34 * 40 + 16 };

/// Levels of a transform block, at positions column · pitch + row.
typedef struct block {
  int32_t levels[32 * 40];
  /// Their sizes, at most 127, for each of the four sizes of blocks, whose pitches differ.
  uint8_t sizes[4][LONGEST_LEVELS];
  /// Place of the last one in the order of coding, -1 where there is none.
  int32_t last;
  /// Sum of the sizes, at most 63.
  int32_t sum;
} block;

/// Of transform blocks of one size.
typedef struct order {
  /// Positions in the order of coding, and that order at each position.
  uint16_t positions[1024];
  int16_t ranks[32 * 40];
  /// What is added to the contexts at each position: up to 3, and above.
  uint8_t size[32 * 40 + 16], more[32 * 40 + 16];
} order;

struct ck_av1State {
  distributions d;
  engine coder;
  /// Of the blocks above the row that is coded, and left of the block: for 8 samples the binary logarithm
  /// of the side, the mode, and whether it has no coefficients; for 4 of each plane the sum of levels,
  /// and the sign of the first coefficient in the two highest bits.
  uint8_t aboveSizes[512], aboveModes[512], aboveSkips[512], aboveLevels[3][1024];
  uint8_t leftSizes[8], leftModes[8], leftSkips[8], leftLevels[3][16];
  order orders[4];
  /// By the contexts of sizes: from where on a coefficient, in steps of the quantizer, is 1, and 2.
  float thresholds[MORE - SIZE][2];
  block blocks[3];
  /// Hadamard coefficients of the weights of smooth prediction: of 8, two of 16, four of 32.
  int32_t weights[7][8];
};

/// Error that a bit is worth, in squares of the quantizer's step. Less in chroma, which luma's modes predict
/// badly and few bits code.
static const float lumaBitValue = 0.12f, chromaBitValue = 0.06f;

void ck_av1MakeThresholds(ck_av1State *s);

/// Narrows the interval to the part between `from` and `to`, counted from its upper end.
CK_BODY void narrowTo(engine *e, uint32_t from, uint32_t to) {
  e->low += e->range - from;
  uint32_t range = from - to;
  int shift = __builtin_clz(range) - 16;
  e->range = range << shift;
  e->low <<= shift;
  e->pending += shift;
  drain(e, WINDOW);
}

/// Ones for as many lanes as the position before `zeros` says.
static const uint16_t laneMasks[32] = {
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
};

#define CODE_SYMBOL(name, words)                                                                       \
  CK_BODY void name(engine *e, words *distribution, uint8_t *uses, int symbol, int count) {            \
    uint16_t *f = (uint16_t *)distribution;                                                            \
    uint32_t part = e->range >> 8;                                                                     \
    uint32_t to = (part * (f[symbol] >> 6) >> 1) + 4 * (uint32_t)(count - 1 - symbol);                 \
    uint32_t from =                                                                                    \
        symbol == 0 ? e->range : (part * (f[symbol - 1] >> 6) >> 1) + 4 * (uint32_t)(count - symbol);  \
    words v, isBelow;                                                                                  \
    __builtin_memcpy(&v, f, sizeof v);                                                                 \
    __builtin_memcpy(&isBelow, laneMasks + 16 - symbol, sizeof isBelow);                               \
    int used = *uses, rate = (count < 4 ? 4 : 5) + (used > 15) + (used > 31);                          \
    words up = ((words)(uint16_t)32768 - v) >> (words)(uint16_t)rate;                                  \
    words down = v >> (words)(uint16_t)rate;                                                           \
    v += (up & isBelow) - (down & ~isBelow);                                                           \
    __builtin_memcpy(f, &v, sizeof v);                                                                 \
    *uses = (uint8_t)(used + (used < 32));                                                             \
    narrowTo(e, from, to);                                                                             \
  }
CODE_SYMBOL(codeOf8, ck_words8)
CODE_SYMBOL(codeOf16, ck_words16)

/// Codes one of up to 8 symbols, and of up to 16, with the distribution of this number.
CK_BODY void codeSmall(engine *e, distributions *d, int number, int symbol, int count) {
  codeOf8(e, d->small + number, d->smallUses + number, symbol, count);
}
CK_BODY void codeLarge(engine *e, distributions *d, int number, int symbol, int count) {
  codeOf16(e, d->large + number, d->largeUses + number, symbol, count);
}

/// Codes a bit that is 1 with a probability of `one` in 32768.
CK_BODY void codeFixed(engine *e, uint32_t bit, uint32_t one) {
  uint32_t part = ((e->range >> 8) * (one >> 6) >> 1) + 4;
  narrowTo(e, bit ? part : e->range, bit ? 0 : part);
}
/// Codes `count` bits of equal probability, highest first.
CK_BODY void codeBits(engine *e, uint32_t bits, int count) {
  for (int i = count - 1; i >= 0; i--) codeFixed(e, bits >> i & 1, 16384);
}
