#include "Lanes.h"

CK_WIDE_KERNEL(
    ck_evidenceRow,
    (const ck_evidence *evidence, const float *above, const float *here, const float *below,
     float *out, int64_t count, _Bool *any),
    (evidence, above, here, below, out, count, any)) {
  const ck_evidence e = *evidence;
  lanes largest = 0;
  for (int64_t i = 0; i < count; i += LANES) {
    lanes a0 = at(above + i - 1), a1 = at(above + i), a2 = at(above + i + 1);
    lanes h0 = at(here + i - 1), h2 = at(here + i + 1);
    lanes b0 = at(below + i - 1), b1 = at(below + i), b2 = at(below + i + 1);
    lanes dx = (a2 + h2 * 2 + b2) - (a0 + h0 * 2 + b0);
    lanes dy = (b0 + b1 * 2 + b2) - (a0 + a1 * 2 + a2);
    lanes gradient = (dx * dx + dy * dy) * (1.0f / 64);
    lanes value = larger(at(here + i), 0);
    lanes noise = value * e.slope + value * value * e.relative + e.offset;
    lanes excess = larger(gradient - noise, 0);
    largest = larger(largest, ofRow(excess, i, count));
    put(out + i, smaller(excess / (noise * 3), 1));
  }
  *any |= anyOf(largest > 0);
}

CK_WIDE_KERNEL(
    ck_overRow, (const float *in, float limit, float *out, int64_t count, _Bool *any),
    (in, limit, out, count, any)) {
  lanes largest = 0;
  for (int64_t i = 0; i < count; i += LANES) {
    lanes over = at(in + i) - limit;
    largest = larger(largest, ofRow(over, i, count));
    put(out + i, over);
  }
  *any |= anyOf(largest > 0);
}

CK_BODY void maximum(const float *in, int64_t step, float *out, int64_t count, int radius) {
  for (int64_t i = 0; i < count; i += LANES) {
    lanes top = at(in + i);
    for (int k = 1; k <= radius; k++) {
      top = larger(larger(top, at(in + i - k * step)), at(in + i + k * step));
    }
    put(out + i, top);
  }
}
CK_WIDE_KERNEL(
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

CK_WIDE_KERNEL(
    ck_clearRow, (const float *clipped, float *out, int64_t count), (clipped, out, count)) {
  for (int64_t i = 0; i < count; i += LANES) {
    put(out + i, at(clipped + i) > 0 ? 0 : at(out + i));
  }
}

CK_WIDE_KERNEL(
    ck_weightRow,
    (const float *above, const float *here, const float *below, float minimum, float *out,
     int64_t count, ck_columns *columns),
    (above, here, below, minimum, out, count, columns)) {
  int64_t first = count, end = 0;
  for (int64_t i = 0; i < count; i += LANES) {
    lanes sum = at(above + i - 1) + at(above + i) + at(above + i + 1);
    sum += at(here + i - 1) + at(here + i) + at(here + i + 1);
    sum += at(below + i - 1) + at(below + i) + at(below + i + 1);
    lanes mean = sum * (1.0f / 9);
    put(out + i, mean);
    for (int k = 0; k < LANES && i + k < count; k += 8) {
      if (anyOf(eightOf(mean, k) - minimum > 0)) {
        first = i + k < first ? i + k : first;
        end = i + k + 8;
      }
    }
  }
  *columns = (ck_columns){first, end};
}
