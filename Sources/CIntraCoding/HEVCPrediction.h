// Intra prediction of H.265 (section 8.4.4.2) in four of its modes.
#pragma once
#include "HEVCTransform.h"

enum { PLANAR = 0, DC = 1, ALONG_ROWS = 10, ALONG_COLUMNS = 26 };

/// Samples above and left of a block, twice its side; the first of each is that in the corner.
typedef struct references {
  uint16_t above[2 * LONGEST + 8], left[2 * LONGEST + 8];
} references;

/// Order of decoding of the 8 × 8 samples of a coding tree unit, by row and column.
static const uint8_t decodingOrder[4][4] = {
  {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15},
};

CK_BODY int orderAt(int64_t x, int64_t y) { return decodingOrder[(y & 31) >> 3][(x & 31) >> 3]; }

/// Whether the samples above and right of a block of luma are decoded before it.
CK_BODY _Bool hasAboveRight(const ck_hevcPicture *p, int64_t x, int64_t y, int64_t side) {
  if (y == 0 || x + side >= p->width) return 0;
  if ((y & 31) == 0) return 1;
  return ((x + side) & 31) != 0 && orderAt(x + side, y - 1) < orderAt(x, y);
}
/// Whether those below and left of it are.
CK_BODY _Bool hasBelowLeft(int64_t x, int64_t y, int64_t side) {
  if (x == 0 || ((y + side) & 31) == 0) return 0;
  return (x & 31) == 0 || orderAt(x - 1, y + side) < orderAt(x, y);
}

CK_BODY void fill(uint16_t *out, int count, uint16_t value) {
  for (int i = 0; i < count; i++) out[i] = value;
}

/// Neighbors of the block at `x`, `y` of a plane; what is not decoded yet is the nearest that is.
CK_BODY void gather(
    const ck_hevcPlane *plane, int64_t x, int64_t y, int side, _Bool aboveRight, _Bool belowLeft,
    int depth, references *r) {
  const uint16_t *here = plane->made + y * plane->stride + x;
  int wide = aboveRight ? 2 * side : side, high = belowLeft ? 2 * side : side;
  if (y > 0) {
    __builtin_memcpy(r->above + 1, here - plane->stride, sizeof(uint16_t) * (uint64_t)wide);
    fill(r->above + 1 + wide, 2 * side - wide, r->above[wide]);
  }
  if (x > 0) {
    for (int i = 0; i < high; i++) r->left[1 + i] = here[i * plane->stride - 1];
    fill(r->left + 1 + high, 2 * side - high, r->left[high]);
  }
  uint16_t corner = (uint16_t)(1 << (depth - 1));
  if (x > 0 && y > 0) {
    corner = here[-plane->stride - 1];
  } else if (x > 0 || y > 0) {
    corner = x > 0 ? r->left[1] : r->above[1];
  }
  if (y == 0) fill(r->above + 1, 2 * side, corner);
  if (x == 0) fill(r->left + 1, 2 * side, corner);
  r->above[0] = corner;
  r->left[0] = corner;
}

/// Filters neighbors for planar prediction (8.4.4.2.3): over three, or in 32 × 32 of luma that are
/// nearly flat, a line.
CK_BODY void smooth(const references *in, references *out, int side, _Bool isStrong, int depth) {
  int corner = in->above[0], right = in->above[2 * side], bottom = in->left[2 * side];
  int limit = 1 << (depth - 5);
  if (isStrong && side == LONGEST && __builtin_abs(corner + right - 2 * in->above[side]) < limit
      && __builtin_abs(corner + bottom - 2 * in->left[side]) < limit) {
    for (int i = 0; i <= 64; i++) {
      out->above[i] = (uint16_t)(((64 - i) * corner + i * right + 32) >> 6);
      out->left[i] = (uint16_t)(((64 - i) * corner + i * bottom + 32) >> 6);
    }
    return;
  }
  out->above[0] = out->left[0] = (uint16_t)((in->left[1] + 2 * corner + in->above[1] + 2) >> 2);
  for (int i = 1; i < 2 * side; i++) {
    out->above[i] = (uint16_t)((in->above[i - 1] + 2 * in->above[i] + in->above[i + 1] + 2) >> 2);
    out->left[i] = (uint16_t)((in->left[i - 1] + 2 * in->left[i] + in->left[i + 1] + 2) >> 2);
  }
  out->above[2 * side] = (uint16_t)right;
  out->left[2 * side] = (uint16_t)bottom;
}

static const uint16_t upward[LONGEST] = {
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
  17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
};

/// Samples of 10 bits times 64 and half of it fit into 16 bits.
CK_BODY void predictPlanar(const references *r, int log2, uint16_t *out, int64_t stride) {
  int side = 1 << log2;
  uint16_t right = r->above[side + 1], bottom = r->left[side + 1];
  for (int x = 0; x < side; x += 8) {
    ck_u8 weight = u8(upward + x), above = u8(r->above + 1 + x);
    ck_u8 rest = (ck_u8)(uint16_t)side - weight;
    ck_u8 sum = weight * right + (above + 1) * (ck_u8)(uint16_t)side;
    ck_u8 step = (ck_u8)bottom - above;
    for (int y = 0; y < side; y++) {
      sum += step;
      storeU8(out + y * stride + x, (sum + rest * r->left[1 + y]) >> (ck_u8)(uint16_t)(log2 + 1));
    }
  }
}

CK_BODY void predictFlat(
    const references *r, int log2, _Bool hasEdges, uint16_t *out, int64_t stride) {
  int side = 1 << log2, sum = side;
  for (int i = 1; i <= side; i++) sum += r->above[i] + r->left[i];
  int mean = sum >> (log2 + 1);
  for (int y = 0; y < side; y++) {
    for (int x = 0; x < side; x += 8) storeU8(out + y * stride + x, (ck_u8)(uint16_t)mean);
  }
  if (!hasEdges) return;
  for (int i = 1; i < side; i++) {
    out[i] = (uint16_t)((r->above[1 + i] + 3 * mean + 2) >> 2);
    out[i * stride] = (uint16_t)((r->left[1 + i] + 3 * mean + 2) >> 2);
  }
  out[0] = (uint16_t)((r->left[1] + 2 * mean + r->above[1] + 2) >> 2);
}

/// Predicts a block of 2^log2 samples a side; rows of 4 are written as 8. Edges are blended into
/// luma alone; `smooths`: luma, and chroma at full resolution, filter the neighbors for planar
/// prediction.
CK_BODY void predict(
    const references *r, int mode, int log2, _Bool isLuma, _Bool smooths, int depth, uint16_t *out,
    int64_t stride) {
  int side = 1 << log2, top = (1 << depth) - 1;
  _Bool hasEdges = isLuma && side < LONGEST;
  if (mode == PLANAR) {
    references smoothed;
    _Bool isSmoothed = smooths && log2 > 2;
    if (isSmoothed) smooth(r, &smoothed, side, isLuma, depth);
    predictPlanar(isSmoothed ? &smoothed : r, log2, out, stride);
  } else if (mode == DC) {
    predictFlat(r, log2, hasEdges, out, stride);
  } else {
    const uint16_t *along = mode == ALONG_ROWS ? r->left : r->above;
    const uint16_t *across = mode == ALONG_ROWS ? r->above : r->left;
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x += 8) {
        storeU8(out + y * stride + x, mode == ALONG_ROWS ? (ck_u8)along[1 + y] : u8(along + 1 + x));
      }
    }
    int64_t step = mode == ALONG_ROWS ? 1 : stride;
    for (int i = 0; hasEdges && i < side; i++) {
      int value = along[1] + ((across[1 + i] - across[0]) >> 1);
      out[i * step] = (uint16_t)(value < 0 ? 0 : value > top ? top : value);
    }
  }
}
