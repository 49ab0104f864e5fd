#include "Lanes.h"

CK_BODY cv_f8 raised(
    const ck_linearHighlights *s, float trace, cv_f8 value, cv_f8 free, cv_f8 roots,
    cv_f8 weight) {
  cv_f8 mean = (roots + trace) / (weight + s->trace);
  cv_f8 top = s->ceiling;
  cv_f8 reference = weight > 0 ? smaller(mean * mean, top) : top;
  cv_f8 mixed = value + (1 - free) * larger(reference - value, 0);
  return free + weight > 0 ? mixed : top;
}

CK_KERNEL(
    ck_rebuildLinear,
    (const ck_linearHighlights *settings, ck_threeRows rows, int64_t count),
    (settings, rows, count)) {
  const ck_linearHighlights s = *settings;
  float from[3], perRange[3];
  for (int c = 0; c < 3; c++) {
    from[c] = s.clip.value[c] * s.start;
    perRange[c] = 1 / (s.clip.value[c] * (1 - s.start));
  }
  float trace = s.trace * cv_sqrt(s.ceiling);
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 v[3], free[3], parts[3];
    for (int c = 0; c < 3; c++) v[c] = f8(rows.row[c] + i) * s.gains.value[c];
    if (!anyOf(larger(larger(v[0] - from[0], v[1] - from[1]), v[2] - from[2]) > 0)) {
      continue;
    }
    for (int c = 0; c < 3; c++) {
      free[c] = limited(
          (s.clip.value[c] - v[c]) * perRange[c], 0, 1);
      parts[c] = free[c] * root(larger(v[c], 0));
    }
    for (int c = 0; c < 3; c++) {
      // The others, in the order of channels.
      int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
      cv_f8 new = raised(&s, trace, v[c], free[c], parts[a] + parts[b], free[a] + free[b]);
      put(
          rows.row[c] + i, free[c] < 1 ? new / s.gains.value[c] : f8(rows.row[c] + i));
    }
  }
}
