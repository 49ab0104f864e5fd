#include "Kernel.h"

/// How far `value` is outside of `low`...`high`, above the limit.
CK_BODY cv_f8 excess(ck_defectLimits limits, cv_f8 value, cv_f8 low, cv_f8 high) {
  cv_f8 beyond = cv_max8(value - high, low - value);
  return beyond - (high - low) * limits.spreads - limits.floor;
}

CK_KERNEL(
    ck_nextSuspects,
    (ck_defectLimits limits, const float *row, const float *above, const float *below, int64_t x,
     int64_t end, float *over, int64_t *found),
    (limits, row, above, below, x, end, over, found)) {
  for (; x < end; x += 8) {
    cv_f8 v = f8(row + x);
    cv_f8 a = f8(row + x - 2), b = f8(row + x + 2);
    cv_f8 c = f8(above + x), d = f8(below + x);
    cv_f8 high = cv_max8(cv_max8(a, b), cv_max8(c, d));
    cv_f8 low = cv_min8(cv_min8(a, b), cv_min8(c, d));
    if (!ck_any(excess(limits, v, low, high) > 0)) continue;
    // The four neighbors of most of these happen to agree: compare with the other four.
    cv_f8 e = f8(above + x - 2), f = f8(above + x + 2);
    cv_f8 g = f8(below + x - 2), h = f8(below + x + 2);
    high = cv_max8(high, cv_max8(cv_max8(e, f), cv_max8(g, h)));
    low = cv_min8(low, cv_min8(cv_min8(e, f), cv_min8(g, h)));
    cv_f8 most = excess(limits, v, low, high);
    if (ck_any(most > 0)) {
      ck_store8(over, most);
      break;
    }
  }
  *found = x;
}
