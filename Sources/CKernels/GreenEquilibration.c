#include "Lanes.h"

CK_KERNEL(
    ck_takeColumns, (const float *row, int64_t odd, float *out, int64_t count),
    (row, odd, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 low = f8(row + 2 * i), high = f8(row + 2 * i + 8);
    put(out + i, odd ? oddLanes(low, high) : evenLanes(low, high));
  }
}

CK_KERNEL(
    ck_siteVariation, (const float *row, int64_t stride, float *out, int64_t count),
    (row, stride, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 p = f8(row + i);
    cv_f8 across = magnitude(f8(row + i - 1) - p) + magnitude(f8(row + i + 1) - p);
    put(
        out + i,
        across + magnitude(f8(row + i - 2 * stride) - p) + magnitude(f8(row + i + 2 * stride) - p));
  }
}

CK_KERNEL(
    ck_sumSiteRows,
    (const float *row, int64_t stride, int64_t farthest, float *out, int64_t count),
    (row, stride, farthest, out, count)) {
  const float *top = row - farthest * stride;
  const int64_t step = 2 * stride, end = 2 * farthest * stride;
  const float outer = farthest % 2 == 0 ? 0.5f : 1.0f;
  for (int64_t i = 0; i < count; i += 8) {
    cv_f8 sum = (f8(top + i) + f8(top + i + end)) * outer;
    for (int64_t at = step; at < end; at += step) sum += f8(top + i + at);
    put(out + i, sum);
  }
}

/// Seventeen columns around those of the color.
CK_BODY cv_f8 sum17(const float *row, int64_t i) {
  cv_f8 sum = (f8(row + i - 4) + f8(row + i + 4)) * 0.5f;
  for (int k = -3; k <= 3; k++) sum += f8(row + i + k);
  return sum;
}

/// Seventeen columns around those between columns `i` and `i` + 1 of the color.
CK_BODY cv_f8 sum17Between(const float *row, int64_t i) {
  cv_f8 sum = f8(row + i - 3) + f8(row + i + 4);
  for (int k = -2; k <= 3; k++) sum += f8(row + i + k);
  return sum;
}

/// Five columns around those of the color.
CK_BODY cv_f8 sum5(const float *row, int64_t i) {
  return (f8(row + i - 1) + f8(row + i + 1)) * 0.5f + f8(row + i);
}

/// Five columns around those between columns `i` and `i` + 1 of the color.
CK_BODY cv_f8 sum5Between(const float *row, int64_t i) { return f8(row + i) + f8(row + i + 1); }

/// ρ of both steps from the sums p of the first color and q of the second.
CK_BODY cv_f8 refined(
    const ck_siteSums *s, cv_f8 p, cv_f8 q, cv_f8 nearP, cv_f8 nearQ, cv_f8 detail) {
  cv_f8 ratio = (p + s->lift) / (q + s->lift);
  cv_f8 below = nearQ + s->nearLift;
  cv_f8 wrong = (nearP + s->nearLift) - ratio * below;
  cv_f8 square = wrong * wrong;
  cv_f8 step = wrong * square / ((square + detail * detail * 0.25f + 1e-8f) * below);
  return limited(ratio + step, s->minRatio, 1 / s->minRatio);
}

CK_KERNEL(
    ck_siteRatios, (const ck_siteSums *sums, int64_t odd, float *out, int64_t count),
    (sums, odd, out, count)) {
  const ck_siteSums s = *sums;
  for (int64_t x = 0; x < count; x += 16) {
    // The other color's neighbor at the left of the row's own, and the reverse.
    int64_t i = x / 2, left = i - 1 + odd, right = i - odd;
    cv_f8 own = sum17(s.own, i), other = sum17Between(s.other, left);
    cv_f8 nearOwn = sum5(s.nearOwn, i), nearOther = sum5Between(s.nearOther, left);
    cv_f8 detail = sum5(s.detailOwn, i) + sum5Between(s.detailOther, left);
    cv_f8 at = s.isFirst ? refined(&s, own, other, nearOwn, nearOther, detail)
                         : refined(&s, other, own, nearOther, nearOwn, detail);
    own = sum17Between(s.own, right), other = sum17(s.other, i);
    nearOwn = sum5Between(s.nearOwn, right), nearOther = sum5(s.nearOther, i);
    detail = sum5Between(s.detailOwn, right) + sum5(s.detailOther, i);
    cv_f8 beside = s.isFirst ? refined(&s, own, other, nearOwn, nearOther, detail)
                             : refined(&s, other, own, nearOther, nearOwn, detail);
    cv_f8 evenRatio = odd ? beside : at, oddRatio = odd ? at : beside;
    put(out + x, zippedLow(evenRatio, oddRatio));
    put(out + x + 8, zippedHigh(evenRatio, oddRatio));
  }
}
