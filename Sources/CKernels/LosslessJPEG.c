// The bits of lossless JPEG (ITU-T T.81, 1992, F.2.2 and H.2.2). See LosslessJPEGReader.swift.
//
// From one code to the next it takes a look-up and two shifts, one after the other, during which a CPU could do
// three times as much. So two readers go through a stream at a time, the second from a position further on where no
// code need begin. Such a reader finds the codes by itself: at each of its steps chance may bring it to the
// beginning of one, of the right component, and from there on it cannot but stay with them. When the first reader
// comes to where the second has started, both soon meet at a bit, and what the second has read is what follows. If
// they do not meet, it is dropped (differences that are all alike, in codes that are alike at every shift).
//
// `window` holds the next bits at its top; of `available` only the lowest six bits count, so that what is
// taken from it needs no mask. A refill reads eight bytes, whatever they are, and leaves 56 bits or more: the
// bytes have no stuffing, and there are more of them than a row can use.
#include <string.h>

#include "Lanes.h"

CK_KERNEL(
    ck_unstuffed,
    (const uint8_t *in, int64_t count, uint8_t *out, int64_t room, int64_t *taken, int64_t *made),
    (in, count, out, room, taken, made)) {
  int64_t from = 0, to = 0;
  while (to < room && from < count) {
    int64_t limit = count - from < room - to ? count - from : room - to;
    const uint8_t *found = memchr(in + from, 0xFF, (uint64_t)limit);
    int64_t run = found ? found - (in + from) : limit;
    memcpy(out + to, in + from, (uint64_t)run);
    from += run;
    to += run;
    if (!found) continue;
    if (count - from < 2 || in[from + 1] != 0) break;
    out[to++] = 0xFF;
    from += 2;
  }
  *taken = from;
  *made = to;
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

/// What the first `used` bits of the window end with; of it as many bits count as the entry has mask.
CK_BODY uint32_t stored(uint64_t window, uint32_t used) {
  return (uint32_t)(window >> (-used & 63));
}

/// As next, for codes that need more work.
static __attribute__((noinline, cold)) uint32_t slowNext(
    ck_codedBits *bits, const uint32_t *table, uint32_t entry) {
  refill(bits);
  if (entry & CK_CODE_LINK) entry = table[(entry >> 16) + (bits->window >> 48 & 15)];
  uint32_t used = entry & 63;
  if (used == 0) {
    bits->unknown = bits->next;
    used = 1;
  }
  uint32_t value = entry & CK_CODE_WHOLE ? 0xFFFF8000
                                         : (entry & 0xFFFF0000) | (uint16_t)stored(bits->window, used);
  bits->window <<= used;
  bits->available -= used;
  refill(bits);
  return value;
}

/// Takes a code and its value, into a word. Needs 28 bits in the window.
CK_BODY void next(ck_codedBits *bits, const uint32_t *table, uint32_t *out) {
  uint32_t entry = table[bits->window >> (64 - CK_CODE_PREFIX)];
  if (__builtin_expect((entry & CK_CODE_SLOW) != 0, 0)) {
    ck_codedBits here = *bits;
    *out = slowNext(&here, table, entry);
    *bits = here;
    return;
  }
  *out = (entry & 0xFFFF0000) | (uint16_t)stored(bits->window, entry);
  bits->window <<= entry & 63;
  bits->available -= entry;
}

/// Takes the next differences: of each component in turn, of one component two.
CK_BODY void unit(
    ck_codedBits *bits, const uint32_t *const *table, const int n, uint32_t *out) {
#pragma clang loop unroll(full)
  for (int k = 0; k < (n == 1 ? 2 : n); k++) {
    // Of three the last seldom needs it.
    if (k == 0 || (k == 2 && (n == 4 || (bits->available & 63) < 28))) refill(bits);
    next(bits, table[n == 1 ? 0 : k], out + k);
  }
}

CK_BODY void tablesOf(const ck_codeTables *tables, const int n, const uint32_t **table) {
  for (int c = 0; c < n; c++) table[c] = tables->first + tables->start[c];
}

CK_BODY void row(
    ck_codedBits *state, const ck_codeTables *tables, const int n, int64_t count, uint32_t *out) {
  const int each = n == 1 ? 2 : n;
  const uint32_t *table[4];
  tablesOf(tables, n, table);
  ck_codedBits bits = *state;
  int64_t i = 0;
  for (; i + each <= count; i += each) unit(&bits, table, n, out + i);
  if (i < count) {
    refill(&bits);
    next(&bits, table[0], out + i);
  }
  bits.available &= 63;
  *state = bits;
}

CK_KERNEL(
    ck_codedRow,
    (ck_codedBits *bits, const ck_codeTables *tables, int64_t components, int64_t count,
     uint32_t *out),
    (bits, tables, components, count, out)) {
  switch (components) {
    case 1: row(bits, tables, 1, count, out); break;
    case 2: row(bits, tables, 2, count, out); break;
    case 3: row(bits, tables, 3, count, out); break;
    default: row(bits, tables, 4, count, out);
  }
}

/// Bits taken since `start`.
CK_BODY int64_t position(const ck_codedBits *bits, const uint8_t *start) {
  return 8 * (bits->next - start) - (int64_t)(bits->available & 63);
}

CK_BODY void run(
    ck_codedBits *state, const ck_codeTables *tables, const int n, ck_codedRun *run) {
  const int each = n == 1 ? 2 : n;
  const uint32_t *table[4];
  tablesOf(tables, n, table);
  const uint8_t *const start = state->next + run->ahead;
  uint32_t *const out = run->out;
  ck_codedBits a = *state, b = {.next = start};
  int64_t both = 0;
  for (; both + each <= run->half && a.next < start && b.next < run->end; both += each) {
    unit(&a, table, n, out + both);
    unit(&b, table, n, run->second + both);
  }
  // The second once more from its start, until one of its positions is one of the first's.
  ck_codedBits c = {.next = start};
  int64_t own = both, skipped = 0;
  int64_t first = position(&a, start), second = 0;
  while (first != second && own + each <= both + CK_CODED_MEETING && skipped + each <= both) {
    if (first < second) {
      if (a.next >= run->end) break;
      unit(&a, table, n, out + own);
      own += each;
      first = position(&a, start);
    } else {
      unit(&c, table, n, run->second + skipped);
      skipped += each;
      second = position(&c, start);
    }
  }
  // What follows is the caller's to find out.
  if (a.unknown) return;
  if (first != second || (b.unknown && b.unknown >= c.next)) {
    b = a;
  } else {
    memcpy(out + own, run->second + skipped, (uint64_t)(both - skipped) * sizeof *out);
    own += both - skipped;
  }
  run->count = own;
  *state = (ck_codedBits){b.next, b.window, b.available & 63, 0};
}

CK_KERNEL(
    ck_codedDifferences,
    (ck_codedBits *bits, const ck_codeTables *tables, int64_t components, ck_codedRun *differences),
    (bits, tables, components, differences)) {
  differences->count = 0;
  switch (components) {
    case 1: run(bits, tables, 1, differences); break;
    case 2: run(bits, tables, 2, differences); break;
    case 3: run(bits, tables, 3, differences); break;
    default: run(bits, tables, 4, differences);
  }
}

typedef uint16_t u16x16 __attribute__((ext_vector_type(16)));
typedef uint32_t u32x16 __attribute__((ext_vector_type(16)));

/// F.2.2.1: a leading 0 marks a negative difference, stored less one.
CK_BODY u16x16 differencesOf(const uint32_t *in) {
  u32x16 words;
  memcpy(&words, in, sizeof words);
  u16x16 mask = __builtin_convertvector(words >> 16, u16x16);
  u16x16 stored = __builtin_convertvector(words, u16x16) & mask;
  return stored > mask >> 1 ? stored : stored - mask;
}
CK_BODY uint16_t differenceOf(uint32_t word) {
  uint16_t mask = (uint16_t)(word >> 16), stored = (uint16_t)word & mask;
  return stored > mask >> 1 ? stored : (uint16_t)(stored - mask);
}

CK_KERNEL(
    ck_codedValues, (const uint32_t *in, uint16_t *out, int64_t count), (in, out, count)) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    u16x16 v = differencesOf(in + i);
    memcpy(out + i, &v, sizeof v);
  }
  for (; i < count; i++) out[i] = differenceOf(in[i]);
}

/// The vector shifted by a number of lanes, after zeros.
#define LATER(v, k)                                                                             \
  __builtin_shufflevector(                                                                      \
      (u16x16)(0), v, 16 - k, 17 - k, 18 - k, 19 - k, 20 - k, 21 - k, 22 - k, 23 - k, 24 - k,   \
      25 - k, 26 - k, 27 - k, 28 - k, 29 - k, 30 - k, 31 - k)
/// The last values of n components, from the first lane of the next vector on.
#define LAST(v, n)                                                                              \
  __builtin_shufflevector(                                                                      \
      v, v, 16 - n, 16 - n + 1 % n, 16 - n + 2 % n, 16 - n + 3 % n, 16 - n + 4 % n,             \
      16 - n + 5 % n, 16 - n + 6 % n, 16 - n + 7 % n, 16 - n + 8 % n, 16 - n + 9 % n,           \
      16 - n + 10 % n, 16 - n + 11 % n, 16 - n + 12 % n, 16 - n + 13 % n, 16 - n + 14 % n,      \
      16 - n + 15 % n)
#define SUMS(n)                                                                                 \
  CK_BODY uint32_t sums##n(                                                                     \
      const uint32_t *in, const uint16_t *left, uint16_t *out, int64_t count) {                 \
    u16x16 before, all = 0;                                                                     \
    for (int lane = 0; lane < 16; lane++) before[lane] = left[lane % n];                        \
    int64_t i = 0;                                                                              \
    for (; i + 16 <= count; i += 16) {                                                          \
      u16x16 v = differencesOf(in + i);                                                         \
      v += LATER(v, n);                                                                         \
      if (2 * n < 16) v += LATER(v, (2 * n % 16));                                              \
      if (4 * n < 16) v += LATER(v, (4 * n % 16));                                              \
      if (8 * n < 16) v += LATER(v, (8 * n % 16));                                              \
      u16x16 sum = v + before;                                                                  \
      memcpy(out + i, &sum, sizeof sum);                                                        \
      all |= sum;                                                                               \
      before = LAST(v, n) + LAST(before, n);                                                    \
    }                                                                                           \
    uint32_t any = __builtin_reduce_or(all);                                                    \
    for (; i < count; i++) {                                                                    \
      out[i] = (uint16_t)(differenceOf(in[i]) + (i < n ? left[i] : out[i - n]));                \
      any |= out[i];                                                                            \
    }                                                                                           \
    return any;                                                                                 \
  }
SUMS(1)
SUMS(2)
SUMS(3)
SUMS(4)

CK_KERNEL(
    ck_codedSums,
    (const uint32_t *differences, int64_t components, const uint16_t *left, uint16_t *out,
     int64_t count, uint32_t *all),
    (differences, components, left, out, count, all)) {
  switch (components) {
    case 1: *all = sums1(differences, left, out, count); break;
    case 2: *all = sums2(differences, left, out, count); break;
    case 3: *all = sums3(differences, left, out, count); break;
    default: *all = sums4(differences, left, out, count);
  }
}
