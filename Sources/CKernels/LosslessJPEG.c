// The bits of lossless JPEG (ITU-T T.81, 1992, F.2.2 and H.2.2). See LosslessJPEGReader.swift.
//
// `window` holds the next bits at its top; of `available` only the lowest six bits count, so that what is
// taken from it needs no mask. A refill reads eight bytes, whatever they are, and leaves 56 bits or more: the
// bytes have no stuffing, and there are more of them than a row can use.
#include <string.h>

#include "Kernel.h"

int64_t ck_unstuffed(
    const uint8_t *in, int64_t count, uint8_t *out, int64_t room, int64_t *taken) {
  int64_t from = 0, to = 0;
  while (to < room && from < count) {
    int64_t most = count - from < room - to ? count - from : room - to;
    const uint8_t *found = memchr(in + from, 0xFF, (uint64_t)most);
    int64_t run = found ? found - (in + from) : most;
    memcpy(out + to, in + from, (uint64_t)run);
    from += run;
    to += run;
    if (!found) continue;
    if (count - from < 2 || in[from + 1] != 0) break;
    out[to++] = 0xFF;
    from += 2;
  }
  *taken = from;
  return to;
}

CK_BODY void refill(ck_codedBits *bits) {
  uint64_t bytes;
  memcpy(&bytes, bits->next, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  bytes = __builtin_bswap64(bytes);
#endif
  bits->window |= bytes >> (bits->available & 63);
  bits->next += (~bits->available >> 3) & 7;
  bits->available |= 56;
}

/// The difference that the first `used` bits of the window end with, F.2.2.1: a leading 0 marks a negative
/// one, stored less one. `mask` has as many bits as it.
CK_BODY uint32_t difference(uint64_t window, uint32_t used, uint32_t mask) {
  uint32_t stored = (uint32_t)(window >> (-used & 63)) & mask;
  uint32_t negative = stored - mask;
  return stored + stored > mask ? stored : negative;
}

static __attribute__((noinline, cold)) uint32_t slowDifference(
    ck_codedBits *bits, const uint32_t *table, uint32_t entry) {
  refill(bits);
  if (entry & CK_CODE_LINK) entry = table[(entry >> 16) + (bits->window >> 48 & 15)];
  uint32_t used = entry & 63;
  if (used == 0) {
    bits->unknown = 1;
    return 0;
  }
  uint32_t value =
      entry & CK_CODE_WHOLE ? 0x8000 : difference(bits->window, used, entry >> 16);
  bits->window <<= used;
  bits->available -= used;
  refill(bits);
  return value;
}

/// Takes a code and its difference. Needs 28 bits in the window.
CK_BODY uint32_t next(ck_codedBits *bits, const uint32_t *table) {
  uint32_t entry = table[bits->window >> (64 - CK_CODE_PREFIX)];
  if (__builtin_expect((entry & CK_CODE_SLOW) != 0, 0)) {
    ck_codedBits here = *bits;
    uint32_t value = slowDifference(&here, table, entry);
    *bits = here;
    return value;
  }
  uint32_t value = difference(bits->window, entry, entry >> 16);
  bits->window <<= entry & 63;
  bits->available -= entry;
  return value;
}

/// One row of so many components; `n` is known when this is compiled.
CK_BODY void row(
    ck_codedBits *state, const ck_codeTables *tables, const int n, int64_t count,
    const uint16_t *left, uint16_t *out) {
  ck_codedBits bits = *state;
  // Of one component two samples at a time.
  const int each = n == 1 ? 2 : n;
  const uint32_t *table[4];
  uint32_t sample[4] = {0, 0, 0, 0}, all = 0;
  for (int c = 0; c < n; c++) {
    table[c] = tables->first + tables->start[c];
    if (left) sample[c] = left[c];
  }
  int64_t i = 0;
  for (; i + each <= count; i += each) {
#pragma clang loop unroll(full)
    for (int k = 0; k < each; k++) {
      // Of three the last seldom needs it.
      if (k == 0 || (k == 2 && (n == 4 || (bits.available & 63) < 28))) refill(&bits);
      const int c = n == 1 ? 0 : k;
      uint32_t value = next(&bits, table[c]);
      if (left) value = sample[c] += value;
      out[i + k] = (uint16_t)value;
      all |= value;
    }
  }
  if (n == 1 && i < count) {
    refill(&bits);
    uint32_t value = next(&bits, table[0]) + sample[0];
    out[i] = (uint16_t)value;
    all |= value;
  }
  bits.available &= 63;
  bits.all = all & 0xFFFF;
  *state = bits;
}

CK_KERNEL(
    ck_codedRow,
    (ck_codedBits *bits, const ck_codeTables *tables, int64_t components, int64_t count,
     const uint16_t *left, uint16_t *out),
    (bits, tables, components, count, left, out)) {
  // The usual predictor, from the left, with the differences in registers.
  if (left) {
    switch (components) {
      case 1: row(bits, tables, 1, count, left, out); break;
      case 2: row(bits, tables, 2, count, left, out); break;
      case 3: row(bits, tables, 3, count, left, out); break;
      default: row(bits, tables, 4, count, left, out);
    }
  } else {
    switch (components) {
      case 1: row(bits, tables, 1, count, 0, out); break;
      case 2: row(bits, tables, 2, count, 0, out); break;
      case 3: row(bits, tables, 3, count, 0, out); break;
      default: row(bits, tables, 4, count, 0, out);
    }
  }
}
