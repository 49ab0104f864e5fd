// Cosine and sine transforms of AV1 (specification, section 7.13.2) of 4 to 32 samples. The inverse ones
// are the specification's, bit for bit: integers, rounded after each rotation. The forward ones are
// their transposes in floats. A vector holds one sample, or one coefficient, of eight signals.
//
// What the specification requires of streams, that sums fit into a number of bits, is not enforced between
// the steps: residuals of pictures cannot pass it.
#pragma once
#include "IntraVectors.h"

enum { LONGEST = 32 };

CK_BODY cv_i8 weightedI(cv_i8 a, int p, cv_i8 b, int q) { return (a * p + b * q + 2048) >> 12; }
CK_BODY cv_f8 weightedF(cv_f8 a, int p, cv_f8 b, int q) {
  return a * ((float)p * 0x1p-12f) + b * ((float)q * 0x1p-12f);
}

/// The steps of all transforms, for integers (I) and floats (F), on two positions of `t`: `cross` makes sum
/// and difference, the others multiply by matrices of a cosine and a sine.
#define STEPS(S, vector)                                                              \
  CK_BODY void cross##S(vector *t, int a, int b) {                                    \
    vector sum = t[a] + t[b];                                                         \
    t[b] = t[a] - t[b];                                                               \
    t[a] = sum;                                                                       \
  }                                                                                   \
  CK_BODY void turn##S(vector *t, int a, int b, int cosine, int sine) {               \
    vector first = weighted##S(t[a], cosine, t[b], -sine);                            \
    t[b] = weighted##S(t[a], sine, t[b], cosine);                                     \
    t[a] = first;                                                                     \
  }                                                                                   \
  CK_BODY void mirror##S(vector *t, int a, int b, int cosine, int sine) {             \
    vector first = weighted##S(t[a], cosine, t[b], sine);                             \
    t[b] = weighted##S(t[a], sine, t[b], -cosine);                                    \
    t[a] = first;                                                                     \
  }
STEPS(I, cv_i8)
STEPS(F, cv_f8)

/// Which coefficients the odd half of a transform begins with.
static const int oddOrder[3][16] = {
  {1, 5, 3, 7},
  {1, 9, 5, 13, 3, 11, 7, 15},
  {1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31},
};

CK_BODY void inverseOdd8(cv_i8 *t) {
  turnI(t, 0, 3, 799, 4017); turnI(t, 1, 2, 3406, 2276); crossI(t, 0, 1); crossI(t, 3, 2);
  mirrorI(t, 1, 2, -2896, 2896);
}
CK_BODY void forwardOdd8(cv_f8 *t) {
  mirrorF(t, 1, 2, -2896, 2896); crossF(t, 3, 2); crossF(t, 0, 1); turnF(t, 1, 2, 3406, -2276);
  turnF(t, 0, 3, 799, -4017);
}
CK_BODY void inverseOdd16(cv_i8 *t) {
  turnI(t, 0, 7, 401, 4076); turnI(t, 1, 6, 3166, 2598); turnI(t, 2, 5, 1931, 3612);
  turnI(t, 3, 4, 3920, 1189); crossI(t, 0, 1); crossI(t, 3, 2); crossI(t, 4, 5); crossI(t, 7, 6);
  mirrorI(t, 1, 6, -3784, 1567); mirrorI(t, 2, 5, -1567, -3784); crossI(t, 0, 3); crossI(t, 1, 2);
  crossI(t, 7, 4); crossI(t, 6, 5); mirrorI(t, 2, 5, -2896, 2896); mirrorI(t, 3, 4, -2896, 2896);
}
CK_BODY void forwardOdd16(cv_f8 *t) {
  mirrorF(t, 3, 4, -2896, 2896); mirrorF(t, 2, 5, -2896, 2896); crossF(t, 6, 5); crossF(t, 7, 4);
  crossF(t, 1, 2); crossF(t, 0, 3); mirrorF(t, 2, 5, -1567, -3784); mirrorF(t, 1, 6, -3784, 1567);
  crossF(t, 7, 6); crossF(t, 4, 5); crossF(t, 3, 2); crossF(t, 0, 1); turnF(t, 3, 4, 3920, -1189);
  turnF(t, 2, 5, 1931, -3612); turnF(t, 1, 6, 3166, -2598); turnF(t, 0, 7, 401, -4076);
}
CK_BODY void inverseOdd32(cv_i8 *t) {
  turnI(t, 0, 15, 201, 4091); turnI(t, 1, 14, 3035, 2751); turnI(t, 2, 13, 1751, 3703);
  turnI(t, 3, 12, 3857, 1380); turnI(t, 4, 11, 995, 3973); turnI(t, 5, 10, 3513, 2106);
  turnI(t, 6, 9, 2440, 3290); turnI(t, 7, 8, 4052, 601); crossI(t, 0, 1); crossI(t, 3, 2);
  crossI(t, 4, 5); crossI(t, 7, 6); crossI(t, 8, 9); crossI(t, 11, 10); crossI(t, 12, 13);
  crossI(t, 15, 14); mirrorI(t, 1, 14, -4017, 799); mirrorI(t, 2, 13, -799, -4017);
  mirrorI(t, 5, 10, -2276, 3406); mirrorI(t, 6, 9, -3406, -2276); crossI(t, 0, 3); crossI(t, 1, 2);
  crossI(t, 7, 4); crossI(t, 6, 5); crossI(t, 8, 11); crossI(t, 9, 10); crossI(t, 15, 12);
  crossI(t, 14, 13); mirrorI(t, 2, 13, -3784, 1567); mirrorI(t, 3, 12, -3784, 1567);
  mirrorI(t, 4, 11, -1567, -3784); mirrorI(t, 5, 10, -1567, -3784); crossI(t, 0, 7);
  crossI(t, 1, 6); crossI(t, 2, 5); crossI(t, 3, 4); crossI(t, 15, 8); crossI(t, 14, 9);
  crossI(t, 13, 10); crossI(t, 12, 11); mirrorI(t, 4, 11, -2896, 2896);
  mirrorI(t, 5, 10, -2896, 2896); mirrorI(t, 6, 9, -2896, 2896); mirrorI(t, 7, 8, -2896, 2896);
}
CK_BODY void forwardOdd32(cv_f8 *t) {
  mirrorF(t, 7, 8, -2896, 2896); mirrorF(t, 6, 9, -2896, 2896); mirrorF(t, 5, 10, -2896, 2896);
  mirrorF(t, 4, 11, -2896, 2896); crossF(t, 12, 11); crossF(t, 13, 10); crossF(t, 14, 9);
  crossF(t, 15, 8); crossF(t, 3, 4); crossF(t, 2, 5); crossF(t, 1, 6); crossF(t, 0, 7);
  mirrorF(t, 5, 10, -1567, -3784); mirrorF(t, 4, 11, -1567, -3784); mirrorF(t, 3, 12, -3784, 1567);
  mirrorF(t, 2, 13, -3784, 1567); crossF(t, 14, 13); crossF(t, 15, 12); crossF(t, 9, 10);
  crossF(t, 8, 11); crossF(t, 6, 5); crossF(t, 7, 4); crossF(t, 1, 2); crossF(t, 0, 3);
  mirrorF(t, 6, 9, -3406, -2276); mirrorF(t, 5, 10, -2276, 3406); mirrorF(t, 2, 13, -799, -4017);
  mirrorF(t, 1, 14, -4017, 799); crossF(t, 15, 14); crossF(t, 12, 13); crossF(t, 11, 10);
  crossF(t, 8, 9); crossF(t, 7, 6); crossF(t, 4, 5); crossF(t, 3, 2); crossF(t, 0, 1);
  turnF(t, 7, 8, 4052, -601); turnF(t, 6, 9, 2440, -3290); turnF(t, 5, 10, 3513, -2106);
  turnF(t, 4, 11, 995, -3973); turnF(t, 3, 12, 3857, -1380); turnF(t, 2, 13, 1751, -3703);
  turnF(t, 1, 14, 3035, -2751); turnF(t, 0, 15, 201, -4091);
}

CK_BODY void inverseCosine4(const cv_i8 *y, int step, cv_i8 *x) {
  cv_i8 t[4] = {y[0], y[2 * step], y[step], y[3 * step]};
  mirrorI(t, 0, 1, 2896, 2896);
  turnI(t, 2, 3, 1567, 3784);
  x[0] = t[0] + t[3], x[1] = t[1] + t[2], x[2] = t[1] - t[2], x[3] = t[0] - t[3];
}
CK_BODY void forwardCosine4(const cv_f8 *x, int step, cv_f8 *y) {
  cv_f8 t[4] = {x[0] + x[3], x[1] + x[2], x[1] - x[2], x[0] - x[3]};
  mirrorF(t, 0, 1, 2896, 2896);
  turnF(t, 2, 3, 1567, -3784);
  y[0] = t[0], y[step] = t[2], y[2 * step] = t[1], y[3 * step] = t[3];
}

/// From the transforms of half the length, of `step` positions from one coefficient to the next.
#define COSINE(N, H, order)                                             \
  CK_BODY void inverseCosine##N(const cv_i8 *y, int step, cv_i8 *x) {   \
    cv_i8 even[H], odd[H];                                              \
    inverseCosine##H(y, 2 * step, even);                                \
    for (int i = 0; i < H; i++) odd[i] = y[oddOrder[order][i] * step];  \
    inverseOdd##N(odd);                                                 \
    for (int i = 0; i < H; i++) {                                       \
      x[i] = even[i] + odd[H - 1 - i];                                  \
      x[N - 1 - i] = even[i] - odd[H - 1 - i];                          \
    }                                                                   \
  }                                                                     \
  CK_BODY void forwardCosine##N(const cv_f8 *x, int step, cv_f8 *y) {   \
    cv_f8 even[H], odd[H];                                              \
    for (int i = 0; i < H; i++) {                                       \
      even[i] = x[i] + x[N - 1 - i];                                    \
      odd[H - 1 - i] = x[i] - x[N - 1 - i];                             \
    }                                                                   \
    forwardCosine##H(even, 2 * step, y);                                \
    forwardOdd##N(odd);                                                 \
    for (int i = 0; i < H; i++) y[oddOrder[order][i] * step] = odd[i];  \
  }
COSINE(8, 4, 0)
COSINE(16, 8, 1)
COSINE(32, 16, 2)

/// Sine transforms. Those of 8 and 16 are their own transposes.
CK_BODY void inverseSine4(const cv_i8 *y, int step, cv_i8 *x) {
  cv_i8 a = y[0], b = y[step], c = y[2 * step], d = y[3 * step];
  x[0] = (a * 1321 + c * 3803 + d * 2482 + b * 3344 + 2048) >> 12;
  x[1] = (a * 2482 - c * 1321 - d * 3803 + b * 3344 + 2048) >> 12;
  x[2] = ((a - c + d) * 3344 + 2048) >> 12;
  x[3] = (a * 3803 + c * 2482 - d * 1321 - b * 3344 + 2048) >> 12;
}
CK_BODY void forwardSine4(const cv_f8 *x, int step, cv_f8 *y) {
  static const float p = 1321 * 0x1p-12f, q = 2482 * 0x1p-12f, r = 3344 * 0x1p-12f, s = 3803 * 0x1p-12f;
  y[0] = x[0] * p + x[1] * q + x[2] * r + x[3] * s;
  y[step] = (x[0] + x[1] - x[3]) * r;
  y[2 * step] = x[0] * s - x[1] * p - x[2] * r + x[3] * q;
  y[3 * step] = x[0] * q - x[1] * s + x[2] * r - x[3] * p;
}

#define SINE(S, vector, direction)                                                                  \
  CK_BODY void direction##Sine8(const vector *y, int step, vector *x) {                             \
    vector t[8];                                                                                    \
    for (int i = 0; i < 4; i++) t[2 * i] = y[(7 - 2 * i) * step], t[2 * i + 1] = y[2 * i * step];   \
    mirror##S(t, 0, 1, 4076, 401), mirror##S(t, 2, 3, 3612, 1931);                                  \
    mirror##S(t, 4, 5, 2598, 3166), mirror##S(t, 6, 7, 1189, 3920);                                 \
    for (int i = 0; i < 4; i++) cross##S(t, i, i + 4);                                              \
    mirror##S(t, 4, 5, 3784, 1567), mirror##S(t, 6, 7, -1567, 3784);                                \
    cross##S(t, 0, 2), cross##S(t, 1, 3), cross##S(t, 4, 6), cross##S(t, 5, 7);                     \
    mirror##S(t, 2, 3, 2896, 2896), mirror##S(t, 6, 7, 2896, 2896);                                 \
    static const int order[8] = {0, 4, 6, 2, 3, 7, 5, 1};                                           \
    for (int i = 0; i < 8; i++) x[i * step] = (i & 1) == 0 ? t[order[i]] : -t[order[i]];            \
  }                                                                                                 \
  CK_BODY void direction##Sine16(const vector *y, int step, vector *x) {                            \
    vector t[16];                                                                                   \
    for (int i = 0; i < 8; i++) t[2 * i] = y[(15 - 2 * i) * step], t[2 * i + 1] = y[2 * i * step];  \
    mirror##S(t, 0, 1, 4091, 201), mirror##S(t, 2, 3, 3973, 995);                                   \
    mirror##S(t, 4, 5, 3703, 1751), mirror##S(t, 6, 7, 3290, 2440);                                 \
    mirror##S(t, 8, 9, 2751, 3035), mirror##S(t, 10, 11, 2106, 3513);                               \
    mirror##S(t, 12, 13, 1380, 3857), mirror##S(t, 14, 15, 601, 4052);                              \
    for (int i = 0; i < 8; i++) cross##S(t, i, i + 8);                                              \
    mirror##S(t, 8, 9, 4017, 799), mirror##S(t, 10, 11, 2276, 3406);                                \
    mirror##S(t, 12, 13, -799, 4017), mirror##S(t, 14, 15, -3406, 2276);                            \
    for (int i = 0; i < 4; i++) cross##S(t, i, i + 4), cross##S(t, i + 8, i + 12);                  \
    for (int i = 4; i < 16; i += 8) {                                                               \
      mirror##S(t, i, i + 1, 3784, 1567), mirror##S(t, i + 2, i + 3, -1567, 3784);                  \
    }                                                                                               \
    for (int i = 0; i < 16; i += 4) cross##S(t, i, i + 2), cross##S(t, i + 1, i + 3);               \
    for (int i = 2; i < 16; i += 4) mirror##S(t, i, i + 1, 2896, 2896);                             \
    static const int order[16] = {0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1};            \
    for (int i = 0; i < 16; i++) x[i * step] = (i & 1) == 0 ? t[order[i]] : -t[order[i]];           \
  }
SINE(I, cv_i8, inverse)
SINE(F, cv_f8, forward)
