// The scale on which a demosaic interpolates, of eight values; DemosaicScale.swift says what it is.
#pragma once
#include <CVector.h>

// Not passed on by the include where headers are modules, as for Swift.
#pragma STDC FP_CONTRACT OFF

// Everything here is inlined, so no vector ever crosses a call.
#pragma clang diagnostic ignored "-Wpsabi"

typedef struct ck_demosaicScale {
  float offset;
  _Bool isLinear;
} ck_demosaicScale;

/// Linear values on the scale.
CV_INLINE cv_f8 ck_scaled8(ck_demosaicScale scale, cv_f8 x) {
  cv_f8 lifted = cv_max8(x + scale.offset, (cv_f8)(0.0f));
  return scale.isLinear ? lifted : cv_sqrt8(lifted);
}

/// Values on the scale as linear ones.
CV_INLINE cv_f8 ck_unscaled8(ck_demosaicScale scale, cv_f8 y) {
  return scale.isLinear ? y - scale.offset : y * y - scale.offset;
}
