// Differences of lossless JPEG as bits (ITU-T T.81, 1992, F.1.2, H.1.2 and H.2). See LosslessJPEGEncoder.swift.
#include <string.h>

#include "Lanes.h"

/// Bits that the magnitude of a difference takes: 0 to 16.
CK_BODY uint32_t category(int32_t difference) {
  uint32_t magnitude = (uint32_t)(difference < 0 ? -difference : difference);
  return 31u - (uint32_t)__builtin_clz(2 * magnitude + 1);
}

CK_BODY int32_t differenceAt(const ck_losslessTile *tile, int64_t y, int64_t i, const int n) {
  const uint16_t *row = tile->samples + y * tile->count;
  uint16_t before = i >= n ? row[i - n] : y > 0 ? row[i - tile->count] : tile->first;
  return (int16_t)(row[i] - before);
}

CK_BODY void categories(const ck_losslessTile *tile, const int n, int64_t *counts) {
  // Two sets that take turns: samples that are alike would wait for each other's count.
  uint32_t sums[2][4][17];
  memset(sums, 0, sizeof sums);
  for (int64_t y = 0; y < tile->rows; y++) {
    const uint16_t *row = tile->samples + y * tile->count;
    for (int c = 0; c < n; c++) sums[0][c][category(differenceAt(tile, y, c, n))]++;
    int64_t i = n;
    for (; i + 2 * n <= tile->count; i += 2 * n) {
#pragma clang loop unroll(full)
      for (int k = 0; k < 2 * n; k++) {
        sums[k / n][k % n][category((int16_t)(row[i + k] - row[i + k - n]))]++;
      }
    }
    for (; i < tile->count; i++) sums[0][i % n][category((int16_t)(row[i] - row[i - n]))]++;
  }
  for (int c = 0; c < n; c++) {
    for (int k = 0; k < 17; k++) counts[17 * c + k] += sums[0][c][k] + sums[1][c][k];
  }
}

CK_KERNEL(
    ck_losslessCategories, (const ck_losslessTile *tile, int64_t *counts), (tile, counts)) {
  switch (tile->components) {
    case 1: categories(tile, 1, counts); break;
    case 2: categories(tile, 2, counts); break;
    case 3: categories(tile, 3, counts); break;
    default: categories(tile, 4, counts);
  }
}

/// Bits of which the lowest `count` are still to be written; fewer than 32 between samples.
typedef struct sink {
  uint64_t bits;
  uint32_t count;
  uint8_t *out;
} sink;

CK_BODY void putByte(sink *to, uint8_t byte) {
  *to->out++ = byte;
  if (byte == 0xFF) *to->out++ = 0;
}

CK_BODY void putDifference(sink *to, const ck_losslessCode *codes, int32_t difference) {
  uint32_t k = category(difference);
  ck_losslessCode code = codes[k];
  // F.1.2.1: a negative difference less one, of which the lowest bits count; of −32768 none.
  uint32_t value = (uint32_t)(difference + (difference >> 31)) & ((1u << (k & 15)) - 1);
  to->bits = to->bits << code.length | code.bits | value;
  to->count += code.length;
  if (to->count < 32) return;
  to->count -= 32;
  uint32_t word = (uint32_t)(to->bits >> to->count);
  if (__builtin_expect((word & ~(word + 0x01010101u) & 0x80808080u) == 0, 1)) {
    uint32_t bytes = word;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap32(word);
#endif
    memcpy(to->out, &bytes, sizeof bytes);
    to->out += sizeof bytes;
    return;
  }
  for (int shift = 24; shift >= 0; shift -= 8) putByte(to, (uint8_t)(word >> shift));
}

CK_BODY int64_t bits(
    const ck_losslessTile *tile, const int n, const ck_losslessCode *codes, uint8_t *out) {
  sink to = {.out = out};
  for (int64_t y = 0; y < tile->rows; y++) {
    const uint16_t *row = tile->samples + y * tile->count;
    for (int c = 0; c < n; c++) putDifference(&to, codes + 17 * c, differenceAt(tile, y, c, n));
    for (int64_t i = n; i + n <= tile->count; i += n) {
#pragma clang loop unroll(full)
      for (int k = 0; k < n; k++) {
        putDifference(&to, codes + 17 * k, (int16_t)(row[i + k] - row[i + k - n]));
      }
    }
  }
  while (to.count >= 8) {
    to.count -= 8;
    putByte(&to, (uint8_t)(to.bits >> to.count));
  }
  if (to.count > 0) {
    putByte(&to, (uint8_t)(to.bits << (8 - to.count) | ((1u << (8 - to.count)) - 1)));
  }
  return to.out - out;
}

CK_KERNEL(
    ck_losslessBits,
    (const ck_losslessTile *tile, const ck_losslessCode *codes, uint8_t *out, int64_t *length),
    (tile, codes, out, length)) {
  switch (tile->components) {
    case 1: *length = bits(tile, 1, codes, out); break;
    case 2: *length = bits(tile, 2, codes, out); break;
    case 3: *length = bits(tile, 3, codes, out); break;
    default: *length = bits(tile, 4, codes, out);
  }
}
