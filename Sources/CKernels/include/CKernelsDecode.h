// The loops of LosslessJPEGReader. Part of CKernels.h.
#pragma once
#include <stdint.h>

/// How an entry of a table of codes is built: its lowest six bits are the bits of code and value together, none
/// for a code that does not exist; its upper half is one bit for each bit of the value. Entries with SLOW need
/// more: LINK, whose upper half is the position of the 16 entries for the next 4 bits; WHOLE, −32768.
enum {
  CK_CODE_PREFIX = 12,
  CK_CODE_LINK = 0x40,
  CK_CODE_SLOW = 0x80,
  CK_CODE_WHOLE = 0x100,
};

/// Tables one behind the other, and where that of each component starts.
typedef struct ck_codeTables {
  const uint32_t *first;
  int64_t start[4];
} ck_codeTables;

/// Where a reader of coded bits is. All zero but `next` at first.
typedef struct ck_codedBits {
  /// The bytes behind the window.
  const uint8_t *next;
  /// The next bits from the top, of which so many count.
  uint64_t window, available;
  /// All samples of the last row together, and whether a code was met that does not exist.
  uint32_t all, unknown;
} ck_codedBits;

/// Copies coded bytes without stuffing up to a marker, the end or as many as there is room for. Returns
/// their number; `taken`: that of `in`.
int64_t ck_unstuffed(
    const uint8_t *in, int64_t count, uint8_t *out, int64_t room, int64_t *taken);
/// The next `count` differences, a multiple of `components`, whose tables take turns; with `left`, the samples before
/// the first of each component, the sums of these. Reads no more than 4 · `count` + 16 bytes, which must be there.
void ck_codedRow(
    ck_codedBits *bits, const ck_codeTables *tables, int64_t components, int64_t count,
    const uint16_t *left, uint16_t *out);
