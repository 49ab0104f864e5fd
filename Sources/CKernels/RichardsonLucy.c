#include "Lanes.h"

// A round goes down the region once: v is predicted and blurred along row y, divided into what was
// measured and blurred again a radius above, and corrected another radius above. What lies between
// stays in rings of a few rows, in the nearest cache.

/// Rows of a ring: 2 + 2 · radius, to a power of two.
#define RING(radius) ((radius) > 3 ? 16 : 8)

/// Rows of a ring about row `y`, those at the edges repeated.
typedef struct column {
  const float *row[2 * CK_LUCY_RADIUS + 1];
} column;
CK_BODY column columnAt(const ck_lucy *l, const float *ring, int64_t y, int radius) {
  column c;
  for (int k = -radius; k <= radius; k++) {
    int64_t row = y + k < 0 ? 0 : y + k < l->rows ? y + k : l->rows - 1;
    c.row[radius + k] = ring + (row & (RING(radius) - 1)) * l->step;
  }
  return c;
}

/// The blur along columns.
CK_BODY lanes across(const ck_blur *blur, const column *c, int64_t i, int radius) {
  const float *const *middle = c->row + radius;
  lanes sum = at(middle[0] + i) * blur->weight[0];
  for (int k = 1; k <= radius; k++) {
    sum += (at(middle[-k] + i) + at(middle[k] + i)) * blur->weight[k];
  }
  return sum;
}

/// The blur along a row of the lanes `here`, beside which are `left` and `right`.
CK_BODY lanes along(const ck_blur *blur, lanes left, lanes here, lanes right, int radius) {
  lanes sum = here * blur->weight[0];
  sum += (SLID(left, here, LANES - 1) + SLID(here, right, 1)) * blur->weight[1];
  sum += (SLID(left, here, LANES - 2) + SLID(here, right, 2)) * blur->weight[2];
  if (radius > 2) sum += (SLID(left, here, LANES - 3) + SLID(here, right, 3)) * blur->weight[3];
  if (radius > 3) sum += (SLID(left, here, LANES - 4) + SLID(here, right, 4)) * blur->weight[4];
  return sum;
}

CK_BODY lanes predicted(const float *now, const float *before, float momentum, int64_t i) {
  lanes value = at(now + i);
  lanes ahead = value + momentum * (value - at(before + i));
  return larger(ahead, value * 0.25f);
}

CK_BODY void predict(
    const ck_lucy *l, const float *now, const float *before, float momentum, float *out,
    float *blurred, int radius) {
  const ck_blur b = l->blur;
  const int64_t count = l->count;
  lanes here = toEnd(predicted(now, before, momentum, 0), 0, count), left = here[0];
  for (int64_t i = 0; i < count; i += LANES) {
    const int64_t next = i + LANES;
    lanes right = next < count ? toEnd(predicted(now, before, momentum, next), next, count)
                               : here[LANES - 1];
    put(out + i, here);
    put(blurred + i, along(&b, left, here, right, radius));
    left = here;
    here = right;
  }
}

CK_BODY void compare(
    const ck_lucy *l, column line, const float *measured, float *blurred, int radius) {
  const ck_blur b = l->blur;
  const int64_t count = l->count;
  lanes here = toEnd(at(measured) / across(&b, &line, 0, radius), 0, count), left = here[0];
  for (int64_t i = 0; i < count; i += LANES) {
    const int64_t next = i + LANES;
    lanes right = here[LANES - 1];
    if (next < count) {
      right = toEnd(at(measured + next) / across(&b, &line, next, radius), next, count);
    }
    put(blurred + i, along(&b, left, here, right, radius));
    left = here;
    here = right;
  }
}

CK_BODY lanes correct(
    const ck_lucy *l, column ratios, const float *predicted, float *out, lanes largest, int radius) {
  const ck_blur b = l->blur;
  for (int64_t i = 0; i < l->count; i += LANES) {
    lanes ratio = across(&b, &ratios, i, radius);
    put(out + i, at(predicted + i) * ratio);
    largest = larger(ofRow(magnitude(ratio - 1), i, l->count), largest);
  }
  return largest;
}

CK_BODY float descend(
    const ck_lucy *l, const float *now, const float *before, float momentum, float *out,
    int radius) {
  const int64_t mask = RING(radius) - 1, step = l->step;
  float *ahead = l->scratch, *line = ahead + RING(radius) * step;
  float *ratios = line + RING(radius) * step;
  lanes largest = 0;
  for (int64_t y = 0; y < l->rows + 2 * radius + 2; y++) {
    const int64_t compared = y - 1 - radius, corrected = compared - 1 - radius;
    if (corrected >= 0) {
      largest = correct(
          l, columnAt(l, ratios, corrected, radius), ahead + (corrected & mask) * step,
          out + corrected * step, largest, radius);
    }
    if (compared >= 0 && compared < l->rows) {
      compare(
          l, columnAt(l, line, compared, radius), l->measured + compared * step,
          ratios + (compared & mask) * step, radius);
    }
    if (y < l->rows) {
      predict(
          l, now + y * step, before + y * step, momentum, ahead + (y & mask) * step,
          line + (y & mask) * step, radius);
    }
  }
  return __builtin_reduce_max(largest);
}

CK_WIDE_KERNEL(
    ck_lucyRound,
    (const ck_lucy *lucy, const float *now, const float *before, float momentum, float *out,
     float *change),
    (lucy, now, before, momentum, out, change)) {
  const ck_lucy l = *lucy;
  // One loop for each radius, so that it is unrolled.
  switch (l.blur.radius) {
    case 2: *change = descend(&l, now, before, momentum, out, 2); break;
    case 3: *change = descend(&l, now, before, momentum, out, 3); break;
    default: *change = descend(&l, now, before, momentum, out, 4); break;
  }
}

CK_WIDE_KERNEL(
    ck_floorRow, (const float *in, float floor, float *out, int64_t count),
    (in, floor, out, count)) {
  for (int64_t i = 0; i < count; i += LANES) {
    putRow(out, i, count, larger(atRow(in, i, count), floor));
  }
}
