// The scale on which a demosaic interpolates; DemosaicScale.swift says what it is.
#pragma once
#include "Lanes.h"

/// Linear values on the scale.
CK_BODY lanes ck_toScale(ck_demosaicScale scale, lanes x) {
  lanes lifted = larger(x + scale.offset, 0);
  return scale.isLinear ? lifted : root(lifted);
}

/// Values on the scale as linear ones.
CK_BODY lanes ck_fromScale(ck_demosaicScale scale, lanes y) {
  return scale.isLinear ? y - scale.offset : y * y - scale.offset;
}
