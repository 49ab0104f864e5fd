// A step without corners, as weights need it.
#pragma once
#include "Lanes.h"

/// From 0 to 1 as `t` goes from 0 to 1, level at both ends.
CK_BODY cv_f8 ck_smoothstep8(cv_f8 t) { return t * t * (3 - 2 * t); }

/// The same, 0 below 0 and 1 above 1.
CK_BODY cv_f8 ck_boundedSmoothstep8(cv_f8 x) { return ck_smoothstep8(limited(x, 0, 1)); }
