// MD5 (RFC 1321, 3.4). See MD5.swift.
#include <string.h>

#include "Lanes.h"

static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

void ck_md5(uint32_t state[4], const uint8_t *bytes, int64_t blocks) {
  static const int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32_t words[16];
    memcpy(words, bytes, sizeof words);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    for (int i = 0; i < 16; i++) words[i] = __builtin_bswap32(words[i]);
#endif
    uint32_t before[4] = {a, b, c, d};
#pragma clang loop unroll(full)
    for (int i = 0; i < 64; i++) {
      uint32_t mixed = i < 16   ? (b & c) | (~b & d)
                       : i < 32 ? (d & b) | (~d & c)
                       : i < 48 ? b ^ c ^ d
                                : c ^ (b | ~d);
      int word = i < 16 ? i : i < 32 ? (5 * i + 1) & 15 : i < 48 ? (3 * i + 5) & 15 : (7 * i) & 15;
      uint32_t sum = a + mixed + words[word] + sines[i];
      int turn = turns[i / 16][i & 3];
      a = d;
      d = c;
      c = b;
      b += sum << turn | sum >> (32 - turn);
    }
    a += before[0];
    b += before[1];
    c += before[2];
    d += before[3];
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}
