#include "Pixels.h"

CK_KERNEL(
    ck_evidenceRow,
    (const ck_evidence *evidence, const float *above, const float *here, const float *below,
     float *out, int64_t count, _Bool *any),
    (evidence, above, here, below, out, count, any)) {
  const ck_evidence e = *evidence;
  cv_f8 most = 0;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 a0 = f8(above + i - 1), a1 = f8(above + i), a2 = f8(above + i + 1);
    cv_f8 h0 = f8(here + i - 1), h2 = f8(here + i + 1);
    cv_f8 b0 = f8(below + i - 1), b1 = f8(below + i), b2 = f8(below + i + 1);
    cv_f8 dx = (a2 + h2 * 2 + b2) - (a0 + h0 * 2 + b0);
    cv_f8 dy = (b0 + b1 * 2 + b2) - (a0 + a1 * 2 + a2);
    cv_f8 gradient = (dx * dx + dy * dy) * (1.0f / 64);
    cv_f8 value = cv_max8(f8(here + i), 0);
    cv_f8 noise = value * e.slope + value * value * e.relative + e.offset;
    cv_f8 excess = cv_max8(gradient - noise, 0);
    most = cv_max8(most, excess);
    ck_store8(out + i, cv_min8(excess / (noise * 3), 1));
  }
  *any |= ck_any(most > 0);
}

CK_KERNEL(
    ck_overRow, (const float *in, float limit, float *out, int64_t count, _Bool *any),
    (in, limit, out, count, any)) {
  cv_f8 most = 0;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 over = f8(in + i) - limit;
    most = cv_max8(most, over);
    ck_store8(out + i, over);
  }
  *any |= ck_any(most > 0);
}

CK_BODY void maximum(const float *in, int64_t step, float *out, int64_t count, int radius) {
  for (int64_t i = 0; i < count; i += 8) {
    const float *at = in + i;
    cv_f8 top = f8(at);
    for (int k = 1; k <= radius; k++) {
      top = cv_max8(cv_max8(top, f8(at - k * step)), f8(at + k * step));
    }
    ck_store8(out + i, top);
  }
}
CK_KERNEL(
    ck_maximumRow,
    (const float *in, int64_t step, int32_t radius, float *out, int64_t count),
    (in, step, radius, out, count)) {
  // One loop for each radius, so that it is unrolled.
  if (radius == 2) {
    maximum(in, step, out, count, 2);
  } else {
    maximum(in, step, out, count, 3);
  }
}

CK_KERNEL(
    ck_clearRow, (const float *clipped, float *out, int64_t count), (clipped, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    ck_store8(out + i, f8(clipped + i) > 0 ? 0 : f8(out + i));
  }
}

CK_KERNEL(
    ck_weightRow,
    (const float *above, const float *here, const float *below, float least, float *out,
     int64_t count, ck_columns *columns),
    (above, here, below, least, out, count, columns)) {
  int64_t first = count, end = 0;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 sum = f8(above + i - 1) + f8(above + i) + f8(above + i + 1);
    sum += f8(here + i - 1) + f8(here + i) + f8(here + i + 1);
    sum += f8(below + i - 1) + f8(below + i) + f8(below + i + 1);
    cv_f8 mean = sum * (1.0f / 9);
    ck_store8(out + i, mean);
    if (ck_any(mean - least > 0)) {
      first = i < first ? i : first;
      end = i + 8;
    }
  }
  *columns = (ck_columns){first, end};
}
