// Coding of rows of 32 samples of an intra picture of H.265, compiled for one set of instructions.
//
// A coding unit has one prediction mode and one transform block for each component, of its own
// size: 8 to 32 samples of luma. Chroma is predicted as luma is. No filter in the loop reaches
// prediction, so samples are those that a decoder has before deblocking.
#include "HEVCAnalysis.h"
#include "HEVCResidual.h"

/// Levels of one transform block, and which 4 × 4 of them are not all 0.
typedef struct block {
  int16_t levels[LONGEST * LONGEST];
  uint64_t coded;
} block;

/// Section 8.6.3 of the standard, and its inverse times 2^14.
static const int32_t levelScales[6] = {40, 45, 51, 57, 64, 72};
static const int32_t quantizerScales[6] = {26214, 23302, 20560, 18396, 16384, 14564};

/// Coefficients to levels, and in their place what a decoder makes of these. A third of a step is
/// added before rounding down: small coefficients cost more than they are worth.
static void quantize(int16_t *coefficients, int log2, int quantizer, int depth, block *b) {
  int64_t side = paddedSide(log2);
  int shift = 29 + quantizer / 6 - depth - log2, back = depth + log2 - 5;
  int32_t scale = quantizerScales[quantizer % 6], third = (1 << shift) / 3;
  int32_t backScale = levelScales[quantizer % 6] * 16 << (quantizer / 6), half = 1 << (back - 1);
  b->coded = 0;
  for (int64_t y = 0; y < 1 << log2; y++) {
    for (int64_t x = 0; x < 1 << log2; x += 8) {
      cv_i8 v = wide(s8(coefficients + y * side + x));
      cv_i8 sign = v < 0, size = (v ^ sign) - sign;
      cv_i8 level = (((size * scale + third) >> shift) ^ sign) - sign;
      ck_s8 levels = narrow(level);
      storeS8(b->levels + y * side + x, levels);
      storeS8(coefficients + y * side + x, narrow((level * backScale + half) >> back));
      uint64_t halves[2];
      __builtin_memcpy(halves, &levels, sizeof halves);
      uint64_t at = (uint64_t)(8 * (y / 4) + x / 4);
      b->coded |= (uint64_t)(halves[0] != 0) << at;
      if (log2 > 2) b->coded |= (uint64_t)(halves[1] != 0) << (at + 1);
    }
  }
}

/// Predicts, transforms and quantizes a block at `x`, `y` of its plane and leaves the decoder's
/// samples.
static void makeBlock(
    const ck_hevcPicture *p, int plane, int64_t x, int64_t y, int log2, int mode, _Bool aboveRight,
    _Bool belowLeft, block *b) {
  const ck_hevcPlane *at = p->planes + plane;
  int side = 1 << log2;
  int64_t stride = paddedSide(log2);
  references r;
  gather(at, x, y, side, aboveRight, belowLeft, p->depth, &r);
  uint16_t predicted[LONGEST * LONGEST];
  int16_t rest[LONGEST * LONGEST];
  _Bool isLuma = plane == 0;
  predict(&r, mode, log2, isLuma, isLuma || p->chromaShift == 0, p->depth, predicted, stride);
  const uint16_t *source = at->source + y * at->sourceStride + x;
  for (int64_t j = 0; j < side; j++) {
    for (int64_t i = 0; i < side; i += 8) {
      ck_u8 sample = u8(source + j * at->sourceStride + i) >> (ck_u8)(uint16_t)p->sourceShift;
      storeS8(rest + j * stride + i, (ck_s8)(sample - u8(predicted + j * stride + i)));
    }
  }
  if (log2 == 2) {
    for (int j = 0; j < 4; j++) __builtin_memset(rest + j * stride + 4, 0, 8);
    __builtin_memset(rest + 4 * stride, 0, sizeof(int16_t) * 4 * (uint64_t)stride);
  }
  forwardTransform(rest, log2, p->depth);
  quantize(rest, log2, at->quantizer, p->depth, b);
  if (b->coded) inverseTransform(rest, log2, p->depth);
  uint16_t *made = at->made + y * at->stride + x;
  ck_s8 top = (int16_t)((1 << p->depth) - 1);
  for (int64_t j = 0; j < side; j++) {
    for (int64_t i = 0; i < side; i += 8) {
      ck_s8 v = (ck_s8)u8(predicted + j * stride + i);
      if (b->coded) {
        v = __builtin_elementwise_add_sat(v, s8(rest + j * stride + i));
        v = __builtin_elementwise_max(__builtin_elementwise_min(v, top), (ck_s8)0);
      }
      // Of a size that is known, so that it is no call.
      if (side < 8) {
        __builtin_memcpy(made + j * at->stride + i, &v, sizeof(int16_t) * 4);
      } else {
        storeS8((int16_t *)made + j * at->stride + i, v);
      }
    }
  }
}

/// Codes the mode of luma by the three that its neighbors make probable (8.4.2).
static void codeMode(ck_hevcPicture *p, engine *e, int64_t x, int64_t y, int mode) {
  int64_t unitStride = p->width / 8;
  const uint8_t *modes = p->modes + y / 8 * unitStride + x / 8;
  int left = x > 0 ? modes[-1] : DC, above = (y & 31) ? modes[-unitStride] : DC;
  int likely[3] = {left, above, 0};
  if (left == above && left < 2) {
    likely[0] = PLANAR, likely[1] = DC, likely[2] = ALONG_COLUMNS;
  } else if (left == above) {
    likely[1] = 2 + ((left + 29) & 31), likely[2] = 2 + ((left - 1) & 31);
  } else {
    _Bool hasPlanar = left == PLANAR || above == PLANAR, hasDC = left == DC || above == DC;
    likely[2] = !hasPlanar ? PLANAR : !hasDC ? DC : ALONG_COLUMNS;
  }
  int rest = mode;
  for (int i = 0; i < 3; i++) {
    if (likely[i] == mode) {
      codeBin(e, p->coder.contexts + MPM, 1);
      codeBits(e, i == 0 ? 0 : i == 1 ? 2 : 3, i == 0 ? 1 : 2);
      return;
    }
    rest -= likely[i] < mode;
  }
  codeBin(e, p->coder.contexts + MPM, 0);
  codeBits(e, (uint32_t)rest, 5);
}

/// Codes the unit of 2^log2 samples at `x`, `y`, `depth` divisions below 32.
static void codeUnit(ck_hevcPicture *p, int64_t x, int64_t y, int log2, int mode) {
  int64_t unitStride = p->width / 8, side = 1 << log2;
  uint8_t *contexts = p->coder.contexts;
  engine e = opened(&p->coder);
  if (log2 == 3) codeBin(&e, contexts + PART, 1);
  codeMode(p, &e, x, y, mode);
  for (int64_t j = y / 8; j < (y + side) / 8; j++) {
    for (int64_t i = x / 8; i < (x + side) / 8; i++) {
      p->modes[j * unitStride + i] = (uint8_t)mode;
      p->depths[j * unitStride + i] = (uint8_t)(5 - log2);
    }
  }
  _Bool aboveRight = hasAboveRight(p, x, y, side), belowLeft = hasBelowLeft(x, y, side);
  block blocks[3];
  for (int plane = 0; plane < p->planeCount; plane++) {
    int shift = plane > 0 ? p->chromaShift : 0;
    makeBlock(p, plane, x >> shift, y >> shift, log2 - shift, mode, aboveRight, belowLeft, blocks + plane);
  }
  if (p->planeCount > 1) {
    codeBin(&e, contexts + CHROMA_MODE, 0);
    codeBin(&e, contexts + CBF_CHROMA, blocks[1].coded != 0);
    codeBin(&e, contexts + CBF_CHROMA, blocks[2].coded != 0);
  }
  codeBin(&e, contexts + CBF_LUMA + 1, blocks[0].coded != 0);
  closed(&p->coder, e);
  for (int plane = 0; plane < p->planeCount; plane++) {
    if (!blocks[plane].coded) continue;
    int size = plane > 0 ? log2 - p->chromaShift : log2;
    // Small blocks are coded across the direction of prediction (7.4.9.11).
    _Bool isSmall = size == 2 || (size == 3 && (plane == 0 || p->chromaShift == 0));
    int scan = !isSmall                ? DIAGONAL
               : mode == ALONG_ROWS    ? VERTICAL
               : mode == ALONG_COLUMNS ? HORIZONTAL
                                       : DIAGONAL;
    codeResidual(
        &p->coder, blocks[plane].levels, paddedSide(size), blocks[plane].coded, size, plane > 0, scan);
  }
}

/// Codes whether the unit at `x`, `y` is split further.
static void codeSplit(ck_hevcPicture *p, int64_t x, int64_t y, int depth, _Bool isSplit) {
  int64_t unitStride = p->width / 8;
  const uint8_t *depths = p->depths + y / 8 * unitStride + x / 8;
  int deeper = (x > 0 && depths[-1] > depth) + (y > 0 && depths[-unitStride] > depth);
  engine e = opened(&p->coder);
  codeBin(&e, p->coder.contexts + SPLIT + deeper, isSplit);
  closed(&p->coder, e);
}

CK_WIDE_KERNEL(ck_hevcRow, (ck_hevcPicture *p, int64_t y), (p, y)) {
  for (int64_t x = 0; x < p->width; x += 32) {
    blockTree tree;
    analyze(p, x, y, &tree);
    _Bool isSplit = tree.whole == SPLIT_BLOCK;
    codeSplit(p, x, y, 0, isSplit);
    if (!isSplit) codeUnit(p, x, y, 5, tree.whole);
    for (int n = 0; isSplit && n < 4; n++) {
      int64_t left = x + 16 * (n & 1), top = y + 16 * (n >> 1);
      _Bool isQuarterSplit = tree.quarters[n] == SPLIT_BLOCK;
      codeSplit(p, left, top, 1, isQuarterSplit);
      if (!isQuarterSplit) codeUnit(p, left, top, 4, tree.quarters[n]);
      for (int i = 0; isQuarterSplit && i < 4; i++) {
        codeUnit(p, left + 8 * (i & 1), top + 8 * (i >> 1), 3, tree.eighths[4 * n + i]);
      }
    }
    engine e = opened(&p->coder);
    codeEnd(&e, y + 32 >= p->height && x + 32 >= p->width);
    closed(&p->coder, e);
  }
}
