// Cosine transform of eight samples, type II, and its inverse, of signals side by side, one a lane:
// 29 additions and 5 multiplications each.
//
// Source: Arai, Agui, Nakajima, "A fast DCT-SQ scheme for images" (1988). What coefficients are
// scaled by is in Swift (CosineTransform), which alone has to know it.
#pragma once
#include "CKernelsLanes.h"

// Not passed on by the include where headers are modules, as for Swift.
#pragma STDC FP_CONTRACT OFF

// Everything here is inlined, so no vector ever crosses a call.
#pragma clang diagnostic ignored "-Wpsabi"

/// Makes eight samples √8 · scale[k] times the orthonormal coefficients k.
static inline __attribute__((always_inline)) void ck_forwardCosines(ck_lanes *v) {
  ck_lanes s0 = v[0] + v[7], d0 = v[0] - v[7];
  ck_lanes s1 = v[1] + v[6], d1 = v[1] - v[6];
  ck_lanes s2 = v[2] + v[5], d2 = v[2] - v[5];
  ck_lanes s3 = v[3] + v[4], d3 = v[3] - v[4];
  ck_lanes e0 = s0 + s3, e3 = s0 - s3;
  ck_lanes e1 = s1 + s2, e2 = s1 - s2;
  ck_lanes turn = (e2 + e3) * 0.707106781f;
  ck_lanes o0 = d3 + d2, o1 = d2 + d1, o2 = d1 + d0;
  ck_lanes common = (o0 - o2) * 0.382683433f;
  ck_lanes low = o0 * 0.541196100f + common;
  ck_lanes high = o2 * 1.306562965f + common;
  ck_lanes middle = o1 * 0.707106781f;
  ck_lanes sum = d0 + middle, difference = d0 - middle;
  v[0] = e0 + e1;
  v[1] = sum + high;
  v[2] = e3 + turn;
  v[3] = difference - low;
  v[4] = e0 - e1;
  v[5] = difference + low;
  v[6] = e3 - turn;
  v[7] = sum - high;
}

/// Makes what `ck_forwardCosines` gave 8 times the samples.
static inline __attribute__((always_inline)) void ck_inverseCosines(ck_lanes *v) {
  ck_lanes a0 = v[0] + v[4], a1 = v[0] - v[4];
  ck_lanes a3 = v[2] + v[6];
  ck_lanes a2 = (v[2] - v[6]) * 1.414213562f - a3;
  ck_lanes e0 = a0 + a3, e3 = a0 - a3, e1 = a1 + a2, e2 = a1 - a2;
  ck_lanes z13 = v[5] + v[3], z10 = v[5] - v[3];
  ck_lanes z11 = v[1] + v[7], z12 = v[1] - v[7];
  ck_lanes o7 = z11 + z13;
  ck_lanes z5 = (z10 + z12) * 1.847759065f;
  ck_lanes o6 = z5 - z10 * 2.613125930f - o7;
  ck_lanes o5 = (z11 - z13) * 1.414213562f - o6;
  ck_lanes o4 = z5 - z12 * 1.082392200f - o5;
  v[0] = e0 + o7;
  v[1] = e1 + o6;
  v[2] = e2 + o5;
  v[3] = e3 + o4;
  v[4] = e3 - o4;
  v[5] = e2 - o5;
  v[6] = e1 - o6;
  v[7] = e0 - o7;
}
