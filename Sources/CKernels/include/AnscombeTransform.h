// The generalized Anscombe transform, of eight values; AnscombeTransform.swift says what it is.
#pragma once
#include <CVector.h>

// Not passed on by the include where headers are modules, as for Swift.
#pragma STDC FP_CONTRACT OFF

// Everything here is inlined, so no vector ever crosses a call.
#pragma clang diagnostic ignored "-Wpsabi"

/// `a`, `b` and √`b` of the formula.
typedef struct ck_anscombe {
  float shot, read, rootRead;
} ck_anscombe;

/// Linear values on the scale.
CV_INLINE cv_f8 ck_stabilized8(ck_anscombe scale, cv_f8 x) {
  return (x + x) / (cv_sqrt8(cv_max8(x, 0) * scale.shot + scale.read) + scale.rootRead);
}

/// Values on the scale as linear ones whose removed noise had `bias`.
CV_INLINE cv_f8 ck_linearized8(ck_anscombe scale, cv_f8 y, cv_f8 bias) {
  cv_f8 above = cv_max8(y, 0);
  return y * scale.rootRead + (above * above + bias) * (scale.shot * 0.25f);
}
