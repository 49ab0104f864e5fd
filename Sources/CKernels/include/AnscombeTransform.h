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

/// x; 0 for NaN, and magnitudes of at most 65536.
CV_INLINE cv_f8 ck_finite8(cv_f8 x) {
  return cv_clamp8(cv_number8(x), (cv_f8)(-65536.0f), (cv_f8)(65536.0f));
}

/// Linear values on the scale.
CV_INLINE cv_f8 ck_stabilized8(ck_anscombe scale, cv_f8 x) {
  return (x + x) /
      (cv_sqrt8(cv_max8(x, (cv_f8)(0.0f)) * scale.shot + scale.read) + scale.rootRead);
}

/// Values on the scale as linear ones whose removed noise had `bias`.
CV_INLINE cv_f8 ck_linearized8(ck_anscombe scale, cv_f8 y, cv_f8 bias) {
  cv_f8 above = cv_max8(y, (cv_f8)(0.0f));
  return y * scale.rootRead + (above * above + bias) * (scale.shot * 0.25f);
}
