// The generalized Anscombe transform; AnscombeTransform.swift says what it is.
#pragma once
#include "CKernelsLanes.h"

// Not passed on by the include where headers are modules, as for Swift.
#pragma STDC FP_CONTRACT OFF

// Everything here is inlined, so no vector ever crosses a call.
#pragma clang diagnostic ignored "-Wpsabi"

/// `a`, `b` and √`b` of the formula.
typedef struct ck_anscombe {
  float shot, read, rootRead;
} ck_anscombe;

/// Linear values on the scale.
CV_INLINE ck_lanes ck_stabilized(ck_anscombe scale, ck_lanes x) {
  ck_lanes above = x > 0 ? x : 0;
  return (x + x) / (__builtin_elementwise_sqrt(above * scale.shot + scale.read) + scale.rootRead);
}

/// Values on the scale as linear ones whose removed noise had `bias`.
CV_INLINE ck_lanes ck_linearized(ck_anscombe scale, ck_lanes y, ck_lanes bias) {
  ck_lanes above = y > 0 ? y : 0;
  return y * scale.rootRead + (above * above + bias) * (scale.shot * 0.25f);
}
