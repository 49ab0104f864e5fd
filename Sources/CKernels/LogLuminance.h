// Luminance in stops, shared by the stages that work in them; see LogLuminance.swift.
#pragma once
#include "Pixels.h"

CK_BODY cv_f8 ck_stops(cv_f8 luminance, float floor) {
  return logarithm(larger(luminance, floor));
}
