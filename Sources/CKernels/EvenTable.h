// Looking up values in a table at even steps.
#pragma once
#include "Pixels.h"

/// What the table has for `x`, clamped to 0…1, over which `pairs` lie at even steps: a value and the step to the next,
/// `cells` of them and one pair more.
CK_BODY cv_f8 ck_even(const float *pairs, int32_t cells, cv_f8 x) {
  cv_f8 position = cv_clamp8(x, 0, 1) * (float)cells;
  cv_i8 index = __builtin_convertvector(position, cv_i8);
  cv_f8 part = position - __builtin_convertvector(index, cv_f8);
  ck_pairs found = ck_lookUp(pairs, index);
  return found.first + found.second * part;
}
