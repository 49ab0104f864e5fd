#include "Kernel.h"

CK_KERNEL(
    ck_halveRow, (const float *top, const float *bottom, float *out, int64_t count),
    (top, bottom, out, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 low = f8(top + 2 * x) + f8(bottom + 2 * x);
    cv_f8 high = f8(top + 2 * x + 8) + f8(bottom + 2 * x + 8);
    ck_store8(out + x, (ck_even8(low, high) + ck_odd8(low, high)) * 0.25f);
  }
}

/// Enlarged rows, plus `base` unless that is null.
CK_BODY void enlarge(
    const float *near, const float *far, float *line, const float *base, float *out,
    int64_t count) {
  for (int64_t i = 0; i < count + 2; i += 8) {
    ck_store8(line + i, f8(near + i) * 0.75f + f8(far + i) * 0.25f);
  }
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 middle = f8(line + i + 1) * 0.75f;
    cv_f8 even = middle + f8(line + i) * 0.25f;
    cv_f8 odd = middle + f8(line + i + 2) * 0.25f;
    cv_f8 low = ck_zipLow8(even, odd), high = ck_zipHigh8(even, odd);
    ck_store8(out + 2 * i, base ? f8(base + 2 * i) + low : low);
    ck_store8(out + 2 * i + 8, base ? f8(base + 2 * i + 8) + high : high);
  }
}

CK_KERNEL(
    ck_enlargeRow, (const float *near, const float *far, float *line, float *out, int64_t count),
    (near, far, line, out, count)) {
  enlarge(near, far, line, 0, out, count);
}

CK_KERNEL(
    ck_addEnlargedRow,
    (const float *near, const float *far, float *line, const float *base, float *out,
     int64_t count),
    (near, far, line, base, out, count)) {
  enlarge(near, far, line, base, out, count);
}

CK_KERNEL(
    ck_subtractRow, (const float *a, const float *b, float *out, int64_t count),
    (a, b, out, count)) {
  for (int64_t x = 0; x < count; x += 8) ck_store8(out + x, f8(a + x) - f8(b + x));
}
