#include "Kernel.h"

CK_KERNEL(
    ck_sumOfFive, (const float *p, int64_t step, float *out, int64_t count),
    (p, step, out, count)) {
  for (int64_t i = 0; i < count; i += 8) {
    const float *at = p + i;
    cv_f8 outer = f8(at - 2 * step) + f8(at + 2 * step);
    cv_f8 inner = f8(at - step) + f8(at + step);
    ck_store8(out + i, outer + inner + f8(at));
  }
}
