// The change of a pixel by a local tone map, shared by its making and its application; see
// LocalToneGains.swift.
#pragma once
#include "LogLuminance.h"
#include "Smoothstep.h"

/// Change of pixels of `stops` where the map's line is `slope`, `offset`.
CK_BODY cv_f8 ck_toneChange(const ck_localTone *tone, cv_f8 stops, cv_f8 slope, cv_f8 offset) {
  return limited(slope * stops + offset, tone->lowest, tone->highest);
}
/// Weight of the change by the largest channel: 1, falling to 0 at the picture's peak.
CK_BODY cv_f8 ck_toneWeight(const ck_localTone *tone, cv_f8 brightest) {
  cv_f8 below = ck_stops(tone->peak, tone->floor) - ck_stops(brightest, tone->floor);
  return ck_boundedSmoothstep8(below * (1 / tone->fade));
}
