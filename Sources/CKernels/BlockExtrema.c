#include "Lanes.h"

CK_BODY float lower(float a, float b) { return b < a ? b : a; }
CK_BODY float higher(float a, float b) { return b >= a ? b : a; }

CK_KERNEL(
    ck_blockRanges, (const float *row, int64_t count, int64_t block, float *ranges),
    (row, count, block, ranges)) {
  for (int64_t start = 0; start < count; start += block, ranges += 16) {
    int64_t end = start + block < count ? start + block : count;
    cv_f8 low = __builtin_inff(), high = -__builtin_inff();
    int64_t x = start;
    for (; x + 8 <= end; x += 8) {
      cv_f8 values = f8(row + x);
      low = smaller(values, low);
      high = larger(values, high);
    }
    put(ranges, low);
    put(ranges + 8, high);
    // The margin must not count.
    for (; x < end; x++) {
      int64_t lane = x - start & 1;
      ranges[lane] = lower(ranges[lane], row[x]);
      ranges[8 + lane] = higher(ranges[8 + lane], row[x]);
    }
  }
}
