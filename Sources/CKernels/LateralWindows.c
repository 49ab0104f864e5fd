#include "Lanes.h"

CK_BODY cv_f8 rootOf(cv_f8 values, float floor) { return root(larger(values, (cv_f8)(0.0f)) + floor); }

CK_KERNEL(
    ck_windowRoots, (const float *values, float floor, float *out, int64_t count), (values, floor, out, count)) {
  for (int64_t x = 0; x < count; x += 8) put(out + x, rootOf(f8(values + x), floor));
}

CK_KERNEL(
    ck_windowEdges, (const float *roots, int64_t stride, int64_t side, float *sum), (roots, stride, side, sum)) {
  cv_f8 lane = {0, 1, 2, 3, 4, 5, 6, 7}, sums = 0;
  for (int64_t x = 0; x < side; x += 8) {
    cv_i8 inside = lane < (float)(side - x);
    for (int64_t y = 0; y < side; y++) {
      const float *p = roots + y * stride + x;
      cv_f8 right = f8(p + 1) - f8(p), down = f8(p + stride) - f8(p);
      cv_f8 squares = right * right + down * down;
      sums += inside ? squares : 0;
    }
  }
  *sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

CK_KERNEL(
    ck_smoothWindow,
    (const float *values, int64_t stride, float floor, int64_t side, float *out),
    (values, stride, floor, side, out)) {
  enum { longest = 32 };
  float roots[longest + 16] = {0}, lines[longest * longest];
  for (int64_t y = 0; y < side; y++) {
    for (int64_t x = 0; x < side; x += 8) put(roots + 8 + x, rootOf(f8(values + y * stride + x), floor));
    // What is behind the row need not be a number.
    roots[8 + side] = roots[7 + side];
    for (int64_t x = 0; x < side; x += 8) {
      const float *p = roots + 8 + x;
      put(lines + y * longest + x, (f8(p - 1) + 2 * f8(p) + f8(p + 1)) * 0.25f);
    }
  }
  for (int64_t y = 0; y < side; y++) {
    // The first and the last row are read by nothing.
    const float *p = lines + y * longest, *above = y > 0 ? p - longest : p, *below = y + 1 < side ? p + longest : p;
    for (int64_t x = 0; x < side; x += 8) {
      put(out + y * side + x, (f8(above + x) + 2 * f8(p + x) + f8(below + x)) * 0.25f);
    }
  }
}
