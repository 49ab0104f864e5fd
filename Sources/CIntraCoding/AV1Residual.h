// What prediction leaves: transformed, quantized, and as a decoder adds it (AV1 specification, sections
// 7.12.3 and 7.13.3).
#pragma once
#include "AV1Contexts.h"
#include "AV1Prediction.h"

enum { COSINES = 0, SINES = 1 };

/// What is added to coefficients before rounding down: to those above 2, and for the contexts of others.
static const float largeRounding = 0.42f, contextRounding = 0.35f;

/// Eight signals of 2^log2 samples to coefficients, and back.
#define DIRECTION(name, vector)                                              \
  CK_BODY void name(int kind, int log2, const vector *in, vector *out) {     \
    if (log2 == 2 && kind == COSINES) name##Cosine4(in, 1, out);             \
    if (log2 == 2 && kind == SINES) name##Sine4(in, 1, out);                 \
    if (log2 == 3 && kind == COSINES) name##Cosine8(in, 1, out);             \
    if (log2 == 3 && kind == SINES) name##Sine8(in, 1, out);                 \
    if (log2 == 4 && kind == COSINES) name##Cosine16(in, 1, out);            \
    if (log2 == 4 && kind == SINES) name##Sine16(in, 1, out);                \
    if (log2 == 5) name##Cosine32(in, 1, out);                               \
  }
DIRECTION(forward, cv_f8)
DIRECTION(inverse, cv_i8)

#define TRANSPOSE(name, vector)                                                                \
  CK_BODY void name(vector *a) {                                                               \
    vector b[8];                                                                               \
    for (int step = 0; step < 3; step++) {                                                     \
      for (int i = 0; i < 4; i++) {                                                            \
        b[2 * i] = __builtin_shufflevector(a[i], a[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);          \
        b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);    \
      }                                                                                        \
      for (int i = 0; i < 8; i++) a[i] = b[i];                                                 \
    }                                                                                          \
  }
TRANSPOSE(transposeF, cv_f8)
TRANSPOSE(transposeI, cv_i8)

/// Quantizers of a plane's first coefficient, and of the others.
typedef struct quantizerSteps {
  int first, other;
} quantizerSteps;

typedef uint8_t ck_bytes8 __attribute__((ext_vector_type(8)));

CK_BODY void storeSizes(uint8_t *out, cv_i8 sizes) {
  ck_bytes8 bytes =
      __builtin_convertvector(__builtin_elementwise_min(sizes, (cv_i8)127), ck_bytes8);
  __builtin_memcpy(out, &bytes, sizeof bytes);
}

/// Levels of eight coefficients, in steps of the quantizer: what they gain must be worth their bits.
CK_BODY cv_i8 chosen(cv_f8 steps, const uint8_t *contexts, const float (*thresholds)[2]) {
  cv_f8 first, second;
  for (int i = 0; i < 8; i++) {
    first[i] = thresholds[contexts[i]][0];
    second[i] = thresholds[contexts[i]][1];
  }
  cv_i8 whole = __builtin_convertvector(steps + largeRounding, cv_i8);
  cv_i8 small = -((steps >= first) + (steps >= second));
  return whole > 2 ? whole : small;
}

/// Transforms a block of 2^log2 samples a side of which `rest` is what prediction leaves, rows of
/// vectors, to levels, and to `rest` what a decoder adds. False where nothing is left.
CK_BODY _Bool residual(
    const order *o, cv_f8 *rest, cv_i8 *added, int log2, int vertical, int horizontal, quantizerSteps q, int depth,
    const float (*thresholds)[2], _Bool isChroma, block *b) {
  int side = 1 << log2, chunks = side < 8 ? 1 : side / 8, pitch = PITCH(log2);
  cv_f8 turned[LONGEST * LONGEST / 8];
  for (int c = 0; c < chunks; c++) {
    cv_f8 in[LONGEST], out[LONGEST];
    for (int y = 0; y < side; y++) in[y] = rest[y * chunks + c];
    forward(vertical, log2, in, out);
    if (side < 8) for (int y = side; y < 8; y++) out[y] = 0;
    for (int d = 0; d < chunks; d++) {
      transposeF(out + 8 * d);
      for (int i = 0; i < 8; i++) turned[(8 * c + i) * chunks + d] = out[8 * d + i];
    }
  }
  int shift = log2 == 5 ? 1 : 0;
  float scale = log2 == 5 ? 0.5f : (float)(16 >> log2);
  int limit = ((1 << (7 + depth)) - 1) << shift;
  cv_f8 scales = scale / (float)q.other, limits = (float)(limit / q.other);
  cv_f8 firstScales = scales, firstLimits = limits;
  firstScales[0] = scale / (float)q.first, firstLimits[0] = (float)(limit / q.first);
  cv_f8 steps[LONGEST * LONGEST / 8];
  uint8_t *sizes = b->sizes[log2 - 2];
  int columns = 0;
  for (int c = 0; c < chunks; c++) {
    cv_f8 in[LONGEST], out[LONGEST];
    for (int x = 0; x < side; x++) in[x] = turned[x * chunks + c];
    forward(horizontal, log2, in, out);
    for (int x = 0; x < side; x++) {
      _Bool isFirst = c == 0 && x == 0;
      cv_f8 v = out[x] * (isFirst ? firstScales : scales);
      steps[x * chunks + c] = v;
      cv_f8 size = __builtin_elementwise_min(__builtin_elementwise_abs(v), isFirst ? firstLimits : limits);
      storeSizes(sizes + x * pitch + 8 * c, __builtin_convertvector(size + contextRounding, cv_i8));
      if (__builtin_reduce_or(size > 0.5f)) columns = x + 1 > columns ? x + 1 : columns;
    }
  }
  uint8_t contexts[32 * 40 + 16], more[32 * 40 + 16];
  if (columns > 0) makeContexts(o, sizes, pitch, columns, contexts, more);
  cv_i8 lastRank = -1, sum = 0;
  cv_i8 back[LONGEST * LONGEST / 8];
  _Bool isCoded[4] = {0};
  cv_f8 gain = 0;
  for (int c = 0; c < chunks; c++) {
    for (int x = 0; x < side; x++) {
      _Bool isFirst = c == 0 && x == 0;
      int position = x * pitch + 8 * c;
      cv_f8 v = steps[x * chunks + c];
      cv_f8 size = __builtin_elementwise_min(__builtin_elementwise_abs(v), isFirst ? firstLimits : limits);
      back[x * chunks + c] = 0;
      storeSizes(sizes + position, 0);
      if (x >= columns || !__builtin_reduce_or(size > 0.5f)) continue;
      cv_i8 level = chosen(size, contexts + position, thresholds);
      cv_i8 isLevel = level > 0, negative = v < 0;
      if (!__builtin_reduce_or(isLevel)) continue;
      cv_i8 rank = wide(s8(o->ranks + position));
      lastRank = __builtin_elementwise_max(lastRank, (rank & isLevel) | ~isLevel);
      isCoded[c] = 1;
      sum += __builtin_elementwise_min(level, (cv_i8)63);
      cv_f8 whole = __builtin_convertvector(level, cv_f8);
      gain += whole * (size * 2 - whole);
      cv_i8 shown = (level ^ negative) - negative;
      __builtin_memcpy(b->levels + position, &shown, sizeof shown);
      storeSizes(sizes + position, level);
      cv_i8 quantizers = q.other;
      if (isFirst) quantizers[0] = q.first;
      cv_i8 value = (level * quantizers) >> shift;
      back[x * chunks + c] = (value ^ negative) - negative;
    }
  }
  b->last = __builtin_reduce_max(lastRank);
  int total = sumOf(sum);
  b->sum = total < 63 ? total : 63;
  if (b->last < 0) return 0;
  // Few levels of luma must also be worth that the block has any.
  cv_f8 halves = gain + __builtin_shufflevector(gain, gain, 4, 5, 6, 7, 0, 1, 2, 3);
  float gained = halves[0] + halves[1] + halves[2] + halves[3];
  if (!isChroma && total <= 3 && gained < lumaBitValue * (float)(6 + 6 * total)) {
    for (int x = 0; x < side; x++) {
      for (int c = 0; c < chunks; c++) storeSizes(sizes + x * pitch + 8 * c, 0);
    }
    b->last = -1;
    b->sum = 0;
    return 0;
  }
  int rowShift = log2 == 2 ? 0 : log2 == 3 ? 1 : 2;
  int bound = 1 << (depth + 5 > 15 ? depth + 5 : 15);
  cv_i8 lines[LONGEST * LONGEST / 8];
  for (int c = 0; c < chunks; c++) {
    cv_i8 in[LONGEST], out[LONGEST];
    if (!isCoded[c]) {
      for (int i = 0; i < 8; i++) {
        for (int d = 0; d < chunks; d++) lines[(8 * c + i) * chunks + d] = 0;
      }
      continue;
    }
    for (int x = 0; x < side; x++) in[x] = back[x * chunks + c];
    inverse(horizontal, log2, in, out);
    if (side < 8) for (int x = side; x < 8; x++) out[x] = 0;
    for (int x = 0; x < side; x++) {
      cv_i8 v = rowShift == 0 ? out[x] : (out[x] + (1 << rowShift >> 1)) >> rowShift;
      v = __builtin_elementwise_max(__builtin_elementwise_min(v, (cv_i8)(bound - 1)), (cv_i8)-bound);
      out[x] = v;
    }
    for (int d = 0; d < chunks; d++) {
      transposeI(out + 8 * d);
      for (int i = 0; i < 8; i++) lines[(8 * c + i) * chunks + d] = out[8 * d + i];
    }
  }
  for (int c = 0; c < chunks; c++) {
    cv_i8 in[LONGEST], out[LONGEST];
    for (int y = 0; y < side; y++) in[y] = lines[y * chunks + c];
    inverse(vertical, log2, in, out);
    for (int y = 0; y < side; y++) added[y * chunks + c] = (out[y] + 8) >> 4;
  }
  return 1;
}

/// Predicts, transforms and quantizes a block of 2^log2 samples a side at `x`, `y` of its plane and
/// leaves the decoder's samples.
CK_BODY void makeBlockOf(
    const ck_av1Tile *t, int plane, int64_t x, int64_t y, int log2, int mode, block *b) {
  const ck_av1Plane *at = t->planes + plane;
  int side = 1 << log2, chunks = side < 8 ? 1 : side / 8;
  int64_t stride = side < 8 ? 8 : side;
  references r;
  gather(at, x, y, side, t->depth, &r);
  uint16_t predicted[LONGEST * LONGEST];
  predict(&r, mode, log2, t->depth, predicted, stride);
  cv_f8 rest[LONGEST * LONGEST / 8];
  cv_i8 added[LONGEST * LONGEST / 8];
  const uint16_t *source = at->source + y * at->sourceStride + x;
  for (int64_t j = 0; j < side; j++) {
    for (int64_t c = 0; c < chunks; c++) {
      ck_u8 sample = u8(source + j * at->sourceStride + 8 * c) >> (ck_u8)(uint16_t)t->sourceShift;
      ck_s8 v = (ck_s8)(sample - u8(predicted + j * stride + 8 * c));
      if (side < 8) v &= (ck_s8){-1, -1, -1, -1, 0, 0, 0, 0};
      rest[j * chunks + c] = __builtin_convertvector(wide(v), cv_f8);
    }
  }
  quantizerSteps q = {
    ck_av1Quantizer(t->depth, t->quantizer, 1), ck_av1Quantizer(t->depth, t->quantizer, 0)};
  _Bool isSmooth = mode == SMOOTH || mode == PAETH;
  int vertical = log2 < 5 && (mode == VERTICAL || isSmooth) ? SINES : COSINES;
  int horizontal = log2 < 5 && (mode == HORIZONTAL || isSmooth) ? SINES : COSINES;
  _Bool isCoded =
      residual(t->state->orders + log2 - 2, rest, added, log2, vertical, horizontal, q, t->depth,
          (const float(*)[2])t->state->thresholds + 42 * (2 * (log2 - 2) + (plane > 0)), plane > 0, b);
  uint16_t *made = at->made + y * at->stride + x;
  cv_i8 top = (1 << t->depth) - 1;
  for (int64_t j = 0; j < side; j++) {
    for (int64_t c = 0; c < chunks; c++) {
      ck_u8 v = u8(predicted + j * stride + 8 * c);
      if (isCoded) {
        cv_i8 sum = wideCodes(v) + added[j * chunks + c];
        sum = __builtin_elementwise_max(__builtin_elementwise_min(sum, top), (cv_i8)0);
        v = narrowCodes(sum);
      }
      __builtin_memcpy(made + j * at->stride + 8 * c, &v, side < 8 ? 8 : 16);
    }
  }
}

static void makeBlock(
    const ck_av1Tile *t, int plane, int64_t x, int64_t y, int log2, int mode, block *b) {
  switch (log2) {
    case 2: makeBlockOf(t, plane, x, y, 2, mode, b); break;
    case 3: makeBlockOf(t, plane, x, y, 3, mode, b); break;
    case 4: makeBlockOf(t, plane, x, y, 4, mode, b); break;
    default: makeBlockOf(t, plane, x, y, 5, mode, b); break;
  }
}
