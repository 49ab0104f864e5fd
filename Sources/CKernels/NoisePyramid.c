#include "Lanes.h"

CK_WIDE_KERNEL(
    ck_halveRow, (const float *top, const float *bottom, float *out, int64_t count),
    (top, bottom, out, count)) {
  for (int64_t x = 0; x < count; x += LANES) {
    lanes low = at(top + 2 * x) + at(bottom + 2 * x);
    lanes high = at(top + 2 * x + LANES) + at(bottom + 2 * x + LANES);
    put(out + x, (evenLanes(low, high) + oddLanes(low, high)) * 0.25f);
  }
}

/// Enlarged rows, plus `base` unless that is null.
CK_BODY void enlarge(
    const float *near, const float *far, float *line, const float *base, float *out,
    int64_t count) {
  for (int64_t i = 0; i < count + 2; i += LANES) {
    put(line + i, at(near + i) * 0.75f + at(far + i) * 0.25f);
  }
  for (int64_t i = 0; i < count; i += LANES) {
    lanes middle = at(line + i + 1) * 0.75f;
    lanes even = middle + at(line + i) * 0.25f;
    lanes odd = middle + at(line + i + 2) * 0.25f;
    lanes low = zippedLow(even, odd), high = zippedHigh(even, odd);
    put(out + 2 * i, base ? at(base + 2 * i) + low : low);
    put(out + 2 * i + LANES, base ? at(base + 2 * i + LANES) + high : high);
  }
}

CK_WIDE_KERNEL(
    ck_enlargeRow, (const float *near, const float *far, float *line, float *out, int64_t count),
    (near, far, line, out, count)) {
  enlarge(near, far, line, 0, out, count);
}

CK_WIDE_KERNEL(
    ck_addEnlargedRow,
    (const float *near, const float *far, float *line, const float *base, float *out,
     int64_t count),
    (near, far, line, base, out, count)) {
  enlarge(near, far, line, base, out, count);
}

CK_WIDE_KERNEL(
    ck_subtractRow, (const float *a, const float *b, float *out, int64_t count),
    (a, b, out, count)) {
  for (int64_t x = 0; x < count; x += LANES) put(out + x, at(a + x) - at(b + x));
}
