// The scale on which a demosaic interpolates, of eight values; DemosaicScale.swift says what it is.
#pragma once
#include "Kernel.h"

/// Linear values on the scale.
CK_BODY cv_f8 ck_scaled8(ck_demosaicScale scale, cv_f8 x) {
  cv_f8 lifted = cv_max8(x + scale.offset, 0);
  return scale.isLinear ? lifted : cv_sqrt8(lifted);
}

/// Values on the scale as linear ones.
CK_BODY cv_f8 ck_unscaled8(ck_demosaicScale scale, cv_f8 y) {
  return scale.isLinear ? y - scale.offset : y * y - scale.offset;
}
