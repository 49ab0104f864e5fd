// Coding of intra pictures of AV1; see AV1IntraEncoder.swift in Writers.
#pragma once
#include <stdint.h>

/// A component of a tile: samples to code, and those that a decoder makes, before its filters.
typedef struct ck_av1Plane {
  const uint16_t *source;
  int64_t sourceStride;
  uint16_t *made;
  int64_t stride;
} ck_av1Plane;

/// What a tile's contexts and probabilities are kept in; `ck_av1StateBytes` long.
typedef struct ck_av1State ck_av1State;

/// A tile, coded in rows of 64 samples. Only the tiles at the right and lower end of a picture may have
/// sides that are no multiples of 64.
typedef struct ck_av1Tile {
  ck_av1Plane planes[3];
  /// Multiples of 8, `width` at most 4096.
  int32_t width, height;
  /// 1, or 3: luma, Cb, Cr.
  int32_t planeCount;
  /// 1 where chroma has half the columns and rows.
  int32_t chromaShift;
  /// Bits of a sample: 8, 10 or 12.
  int32_t depth;
  /// What words of the source are shifted down by.
  int32_t sourceShift;
  /// base_q_idx, 1...255.
  int32_t quantizer;
  /// Cost of a bit in the sum of absolute differences.
  float bitCost;
  /// Where the next byte goes. A carry goes back into the bytes before.
  uint8_t *out;
  ck_av1State *state;
} ck_av1Tile;

int64_t ck_av1StateBytes(void);
/// The quantizer of an index (section 7.12.2): of the first coefficient, or of the others.
int32_t ck_av1Quantizer(int32_t depth, int32_t index, _Bool isFirst);
/// Begins a tile: `out` is where its bytes go.
void ck_av1Begin(ck_av1Tile *tile);
/// Codes the 64 rows at `y`, a multiple of 64; rows come in order. At most `ck_av1SampleBytes` for each
/// sample of all planes, rows beyond the height included, are written.
void ck_av1Row(ck_av1Tile *tile, int64_t y);
/// Ends the tile: its last bits, and zeros to a whole byte.
void ck_av1End(ck_av1Tile *tile);

/// Bytes that a sample can take at most: a level of 20 bits in 39, its symbols at 15 bits each.
enum { ck_av1SampleBytes = 16 };
