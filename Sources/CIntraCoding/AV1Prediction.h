// Intra prediction of AV1 (specification, section 7.11.2) in five of its modes.
#pragma once
#include "AV1Entropy.h"
#include "AV1Transform.h"

enum { DC = 0, VERTICAL = 1, HORIZONTAL = 2, SMOOTH = 9, PAETH = 12, MODES = 13 };

/// Samples above and left of a block, and the one in the corner.
typedef struct references {
  uint16_t above[LONGEST], left[LONGEST], corner;
  _Bool hasAbove, hasLeft;
} references;

/// Sm_Weights of blocks of 4, 8, 16 and 32, the first at 4, 8, 16 and 32.
static const uint8_t smoothWeights[64] = {
  0, 0, 0, 0, 255, 149, 85, 64, 255, 197, 146, 105, 73, 50, 37, 32, 255, 225, 196, 170, 145, 123, 102,
  84, 68, 54, 43, 33, 26, 20, 17, 16, 255, 240, 225, 210, 196, 182, 169, 157, 145, 133, 122, 111, 101,
  92, 83, 74, 66, 59, 52, 45, 39, 34, 29, 25, 21, 17, 14, 12, 10, 9, 8, 8,
};

/// Neighbors of the block at `x`, `y` of a plane; those outside the tile are made of the others.
CK_BODY void gather(const ck_av1Plane *plane, int64_t x, int64_t y, int side, int depth, references *r) {
  const uint16_t *here = plane->made + y * plane->stride + x;
  uint16_t middle = (uint16_t)(1 << (depth - 1));
  r->hasAbove = y > 0, r->hasLeft = x > 0;
  uint16_t above = (uint16_t)(middle - 1), left = (uint16_t)(middle + 1);
  if (y > 0) left = here[-plane->stride];
  if (x > 0) above = here[-1];
  if (y > 0) {
    __builtin_memcpy(r->above, here - plane->stride, sizeof(uint16_t) * (uint64_t)side);
  } else {
    for (int i = 0; i < side; i++) r->above[i] = above;
  }
  for (int64_t i = 0; i < side; i++) r->left[i] = x > 0 ? here[i * plane->stride - 1] : left;
  r->corner = y > 0 ? (x > 0 ? here[-plane->stride - 1] : left) : x > 0 ? above : middle;
}

CK_BODY uint16_t meanOf(const references *r, int log2, int depth) {
  int side = 1 << log2, sum = 0;
  if (!r->hasAbove && !r->hasLeft) return (uint16_t)(1 << (depth - 1));
  for (int i = 0; r->hasAbove && i < side; i++) sum += r->above[i];
  for (int i = 0; r->hasLeft && i < side; i++) sum += r->left[i];
  int shift = log2 + (r->hasAbove && r->hasLeft);
  return (uint16_t)((sum + (1 << shift >> 1)) >> shift);
}

CK_BODY cv_i8 wideCodes(ck_u8 v) { return __builtin_convertvector(v, cv_i8); }
CK_BODY ck_u8 narrowCodes(cv_i8 v) { return __builtin_convertvector(v, ck_u8); }

CK_BODY void predictSmooth(const references *r, int log2, uint16_t *out, int64_t stride) {
  int side = 1 << log2, right = r->above[side - 1], bottom = r->left[side - 1];
  const uint8_t *weights = smoothWeights + side;
  for (int x = 0; x < side; x += 8) {
    cv_i8 weight, above = wideCodes(u8(r->above + x));
    for (int i = 0; i < 8; i++) weight[i] = weights[x + i & 63];
    cv_i8 fixed = (256 - weight) * right + 256;
    for (int y = 0; y < side; y++) {
      int w = weights[y];
      cv_i8 sum = above * w + weight * (int)r->left[y] + fixed + (256 - w) * bottom;
      storeU8(out + y * stride + x, narrowCodes(sum >> 9));
    }
  }
}

/// The neighbor that is nearest to left + above - corner; left before above before corner.
CK_BODY void predictPaeth(const references *r, int side, uint16_t *out, int64_t stride) {
  int corner = r->corner;
  for (int x = 0; x < side; x += 8) {
    cv_i8 above = wideCodes(u8(r->above + x)), fromAbove = __builtin_elementwise_abs(above - corner);
    for (int y = 0; y < side; y++) {
      int left = r->left[y];
      cv_i8 toAbove = __builtin_abs(left - corner), toLeft = fromAbove;
      cv_i8 toCorner = __builtin_elementwise_abs(above + (left - 2 * corner));
      cv_i8 other = toAbove <= toCorner ? above : (cv_i8)corner;
      cv_i8 isLeft = (toLeft <= toAbove) & (toLeft <= toCorner);
      storeU8(out + y * stride + x, narrowCodes(isLeft ? (cv_i8)left : other));
    }
  }
}

/// Predicts a block of 2^log2 samples a side; rows of 4 are written as 8.
CK_BODY void predict(
    const references *r, int mode, int log2, int depth, uint16_t *out, int64_t stride) {
  int side = 1 << log2;
  if (mode == SMOOTH) {
    predictSmooth(r, log2, out, stride);
  } else if (mode == PAETH) {
    predictPaeth(r, side, out, stride);
  } else {
    uint16_t mean = mode == DC ? meanOf(r, log2, depth) : 0;
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x += 8) {
        ck_u8 v = mode == DC ? (ck_u8)mean : mode == VERTICAL ? u8(r->above + x) : (ck_u8)r->left[y];
        storeU8(out + y * stride + x, v);
      }
    }
  }
}
