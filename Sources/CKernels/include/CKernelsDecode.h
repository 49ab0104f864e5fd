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
  /// The next bits from the top, of which `available` are valid.
  uint64_t window, available;
  /// Where a code was met last that does not exist; else null.
  const uint8_t *unknown;
} ck_codedBits;

/// Copies coded bytes without stuffing up to a marker, the end or as many as there is room for: `made` of them,
/// from `taken` of `in`.
void ck_unstuffed(
    const uint8_t *in, int64_t count, uint8_t *out, int64_t room, int64_t *taken, int64_t *made);
/// The next `count` differences, a multiple of `components`, whose tables take turns. A difference is a word: the
/// lower half ends with its bits, the upper half is one bit for each of them. Reads no more than 4 · `count` + 16
/// bytes, which must be there.
void ck_codedRow(
    ck_codedBits *bits, const ck_codeTables *tables, int64_t components, int64_t count,
    uint32_t *out);

/// Differences that a reader takes until it has met another, at most.
enum { CK_CODED_MEETING = 512 };
/// Where two readers take differences: the second starts this number of bytes ahead, no code begins at `end` or behind, where
/// 32 bytes more must be there. `second` has room for `half` differences, `out` for two halves and the meeting.
/// `count`: those that are in `out` then, a multiple of the components; none where the next codes need ck_codedRow.
typedef struct ck_codedRun {
  int64_t ahead;
  const uint8_t *end;
  uint32_t *out, *second;
  int64_t half, count;
} ck_codedRun;
/// The next differences, by two readers.
void ck_codedDifferences(
    ck_codedBits *bits, const ck_codeTables *tables, int64_t components, ck_codedRun *differences);

/// The values of `count` differences.
void ck_codedValues(const uint32_t *differences, uint16_t *out, int64_t count);
/// The sums of those of each component, `left` the samples before the first; `all` of them together, bit by bit.
void ck_codedSums(
    const uint32_t *differences, int64_t components, const uint16_t *left, uint16_t *out,
    int64_t count, uint32_t *all);
