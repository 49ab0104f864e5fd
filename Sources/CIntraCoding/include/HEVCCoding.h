// Coding of intra pictures of H.265; see HEVCIntraEncoder.swift in Writers.
#pragma once
#include <stdint.h>

/// Contexts of all syntax elements that are coded with adaptive probabilities.
enum { ck_hevcContexts = 124 };

/// The arithmetic coder of section 9.3.4 of H.265.
typedef struct ck_hevcCoder {
  /// Bits that are not written yet, above the nine of the interval's lower end.
  uint64_t low;
  /// Length of the interval, 256...510.
  uint32_t range;
  /// How many such bits there are.
  int32_t pending;
  /// Where the next byte goes. A carry goes back into the bytes before.
  uint8_t *out;
  /// State of each context: twice the index of its probability, plus the more probable bin.
  uint8_t contexts[ck_hevcContexts];
} ck_hevcCoder;

/// A component of the picture: samples to code, and those that a decoder makes, before its filters.
typedef struct ck_hevcPlane {
  const uint16_t *source;
  int64_t sourceStride;
  uint16_t *made;
  int64_t stride;
  /// qP, the quantization parameter with the offset for the depth of samples.
  int32_t quantizer;
} ck_hevcPlane;

/// A picture whose sides are multiples of 32, coded in rows of 32.
typedef struct ck_hevcPicture {
  ck_hevcPlane planes[3];
  int32_t width, height;
  /// 1, or 3: luma, Cb, Cr.
  int32_t planeCount;
  /// 1 where chroma has half the columns and rows.
  int32_t chromaShift;
  /// Bits of a sample, 8 or 10.
  int32_t depth;
  /// What words of the source are shifted down by.
  int32_t sourceShift;
  /// Cost of a bit in the sum of absolute differences.
  float bitCost;
  /// Prediction mode and depth of coding for each 8 × 8 samples.
  uint8_t *modes, *depths;
  ck_hevcCoder coder;
} ck_hevcPicture;

/// Begins a slice: contexts for the quantizer `parameter` of the slice, bytes to `out`.
void ck_hevcBegin(ck_hevcCoder *coder, int32_t parameter, uint8_t *out);
/// Codes the row of coding tree units at `y`, a multiple of 32; rows come in order. At most
/// `ck_hevcSampleBytes` for each sample of all planes are written.
void ck_hevcRow(ck_hevcPicture *picture, int64_t y);
/// Ends the slice: its last bits, the stop bit, and zeros to a whole byte.
void ck_hevcEnd(ck_hevcCoder *coder);

/// Bytes that a sample can take at most: a level of 16 bits in 32, its flags at 7 bits each.
enum { ck_hevcSampleBytes = 8 };
