// Luma and two color differences, an orthonormal rotation of red, green and blue: gray has no color, and noise
// that is equal and independent in the channels has the same variance in each plane.
// Formula: Y = (R + G + B)/√3, U = (R − B)/√2, V = (R − 2G + B)/√6.
#pragma once
#include "Lanes.h"

/// Makes red, green and blue Y, U and V.
CK_BODY void toNoiseColors(lanes *v) {
  lanes red = v[0], green = v[1], blue = v[2];
  lanes sum = red + blue;
  v[0] = (sum + green) * 0.577350269f;
  v[1] = (red - blue) * 0.707106781f;
  v[2] = (sum - (green + green)) * 0.408248290f;
}

/// Makes Y, U and V red, green and blue.
CK_BODY void fromNoiseColors(lanes *v) {
  lanes gray = v[0] * 0.577350269f;
  lanes purple = gray + v[2] * 0.408248290f;
  lanes side = v[1] * 0.707106781f;
  v[1] = gray - v[2] * 0.816496581f;
  v[0] = purple + side;
  v[2] = purple - side;
}

/// x; 0 for NaN, and magnitudes of at most 65536.
CK_BODY lanes finiteColor(lanes x) { return limited(number(x), -65536, 65536); }
