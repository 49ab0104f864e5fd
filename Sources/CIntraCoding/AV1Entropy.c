#include "AV1Prediction.h"
#include "IntraSpectrum.h"

#include "AV1Tables.h"

int64_t ck_av1StateBytes(void) { return sizeof(ck_av1State); }

int32_t ck_av1Quantizer(int32_t depth, int32_t index, _Bool isFirst) {
  index = index < 0 ? 0 : index > 255 ? 255 : index;
  return (isFirst ? firstQuantizers : quantizers)[256 * (depth - 8) / 2 + index];
}

/// Sets distributions of `symbols` symbols that lie at `at`, `words` apart, from a table.
static void fill(uint16_t *at, int words, int count, const uint16_t *table, int symbols) {
  for (int n = 0; n < count; n++) {
    for (int i = 0; i < words; i++) {
      at[n * words + i] = i < symbols - 1 ? (uint16_t)(32768 - table[n * (symbols - 1) + i]) : 0;
    }
  }
}

static void reset(distributions *d, int range) {
#define SMALL(first, count, symbols, table) fill((uint16_t *)(d->small + (first)), 8, count, table, symbols)
#define LARGE(first, count, symbols, table) fill((uint16_t *)(d->large + (first)), 16, count, table, symbols)
  SMALL(SKIP, 3, 2, defaultSkip);
  SMALL(PARTITION_8, 4, 4, defaultPartition8);
  SMALL(ANGLE, 8, 7, defaultAngle);
  SMALL(TRANSFORM_TYPE, 39, 5, defaultTransform);
  SMALL(FOLLOW_SIGN, 1, 8, defaultFollowSign);
  SMALL(ALL_ZERO, 52, 2, defaultAllZero + 52 * range);
  SMALL(LAST_16, 2, 5, defaultLast16 + 8 * range);
  SMALL(LAST_64, 2, 7, defaultLast64 + 12 * range);
  SMALL(LAST_BIT, 72, 2, defaultLastBit + 72 * range);
  SMALL(SIGN, 6, 2, defaultSign + 6 * range);
  SMALL(LAST_SIZE, 32, 3, defaultLastSize + 64 * range);
  SMALL(SIZE, 336, 4, defaultSize + 1008 * range);
  SMALL(MORE, 168, 4, defaultMore + 504 * range);
  LARGE(PARTITION, 12, 10, defaultPartition);
  LARGE(LUMA_MODE, 25, 13, defaultLumaMode);
  LARGE(CHROMA_MODE_1, 13, 14, defaultChromaMode);
  LARGE(FOLLOW_SIZE, 6, 16, defaultFollowSize);
  LARGE(LAST_256, 2, 9, defaultLast256 + 16 * range);
  LARGE(LAST_1024, 2, 11, defaultLast1024 + 20 * range);
}

static void makeWeights(ck_av1State *s) {
  for (int log2 = 3, n = 0; log2 <= 5; log2++) {
    for (int from = 0; from < 1 << log2; from += 8, n++) {
      for (int i = 0; i < 8; i++) s->weights[n][i] = smoothWeights[(1 << log2) + from + i];
      HADAMARD(int32_t, s->weights[n])
    }
  }
}

/// Zigzag along the diagonals (section 7.11.3 and the tables of 9.3), columns first.
static void makeOrder(order *o, int log2) {
  static const uint8_t offsets[5][5] = {
    {0, 1, 6, 6, 21}, {1, 6, 6, 21, 21}, {6, 6, 21, 21, 21}, {6, 21, 21, 21, 21}, {21, 21, 21, 21, 21},
  };
  int side = 1 << log2, pitch = PITCH(log2), count = 0;
  for (int diagonal = 0; diagonal < 2 * side - 1; diagonal++) {
    for (int i = 0; i <= diagonal; i++) {
      int y = diagonal % 2 == 0 ? diagonal - i : i, x = diagonal - y;
      if (x >= side || y >= side) continue;
      int position = x * pitch + y;
      o->ranks[position] = (int16_t)count;
      o->positions[count++] = (uint16_t)position;
      o->size[position] = offsets[x < 4 ? x : 4][y < 4 ? y : 4];
      o->more[position] = x == 0 && y == 0 ? 0 : x < 2 && y < 2 ? 7 : 14;
    }
  }
}

void ck_av1Begin(ck_av1Tile *tile) {
  ck_av1State *s = tile->state;
  __builtin_memset(s, 0, sizeof *s);
  int q = tile->quantizer;
  reset(&s->d, q <= 20 ? 0 : q <= 60 ? 1 : q <= 120 ? 2 : 3);
  s->coder.range = 32768;
  s->coder.pending = -1;
  for (int i = 0; i < 4; i++) makeOrder(s->orders + i, i + 2);
  makeWeights(s);
  // Nothing above is divided further than what is coded.
  __builtin_memset(s->aboveSizes, 7, sizeof s->aboveSizes);
}

static float above(float x) { return x > 0 ? x : 0; }

/// Sets from which size on coefficients of each context become 1, and 2, rather than less: the error, in
/// squares of the quantizer's step, against the bits that the distributions say.
void ck_av1MakeThresholds(ck_av1State *s) {
  for (int n = 0; n < MORE - SIZE; n++) {
    const uint16_t *f = (const uint16_t *)(s->d.small + SIZE + n);
    cv_f8 probabilities = {(float)(32768 - f[0]), (float)(f[0] - f[1]), (float)(f[1] - f[2])};
    cv_f8 bits = cv_log2_8(cv_max8(probabilities, 1));
    _Bool isChroma = n / 42 & 1;
    float bitValue = isChroma ? chromaBitValue : lumaBitValue;
    // A sign takes a bit.
    s->thresholds[n][0] = 0.5f + 0.5f * bitValue * above(bits[0] - bits[1] + 1);
    s->thresholds[n][1] = 1.5f + 0.5f * bitValue * above(bits[1] - bits[2]);
  }
}

void ck_av1End(ck_av1Tile *tile) {
  engine *e = &tile->state->coder;
  e->out = tile->out;
  // The shortest number in the interval that ends in a 1.
  uint64_t bits = (((e->low + 0x3fff) & ~(uint64_t)0x3fff) | 0x4000) >> 14;
  int count = e->pending + 2;
  if (bits >> count) carryInto(e->out);
  bits <<= -count & 7;
  count += -count & 7;
  for (; count > 0; count -= 8) *e->out++ = (uint8_t)(bits >> (count - 8));
  tile->out = e->out;
}
