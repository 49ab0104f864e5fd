// Cube roots, as colors in Oklab need them.
#pragma once
#include "Pixels.h"

/// Cube roots, by logarithm; their error is below 1e-6.
CK_BODY lanes ck_cubeRoot(lanes x) {
  lanes positive = powerOfTwo(logarithm(larger(magnitude(x), (lanes){} + 1e-30f)) * (1.0f / 3));
  return x < 0 ? -positive : positive;
}
/// Those of all channels.
CK_BODY ck_pixels ck_cubeRoots(ck_pixels p) {
  return (ck_pixels){ck_cubeRoot(p.red), ck_cubeRoot(p.green), ck_cubeRoot(p.blue)};
}
