// Looking up values in a table at even steps.
#pragma once
#include "Lanes.h"

/// What the table has for `x`, clamped to 0…1, over which `pairs` lie at even steps: a value and the step to the next,
/// `cells` of them and one pair more.
CK_BODY lanes ck_even(const float *pairs, int32_t cells, lanes x) {
  lanes position = limited(x, 0, 1) * (float)cells;
  integers index = __builtin_convertvector(position, integers);
  lanes part = position - __builtin_convertvector(index, lanes);
  ck_pairs found = ck_lookUp(pairs, 2, index);
  return found.first + found.second * part;
}
