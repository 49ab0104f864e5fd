#include "Kernel.h"

CK_KERNEL(
    ck_reduceBayer,
    (const float *top, const float *bottom, int64_t topEven, float *green, float *topChroma,
     float *bottomChroma, int64_t count),
    (top, bottom, topEven, green, topChroma, bottomChroma, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 a = ck_load8(top + 2 * x), b = ck_load8(top + 2 * x + 8);
    cv_f8 c = ck_load8(bottom + 2 * x), d = ck_load8(bottom + 2 * x + 8);
    cv_f8 evenTop = cv_even8(a, b), oddTop = cv_odd8(a, b);
    cv_f8 evenBottom = cv_even8(c, d), oddBottom = cv_odd8(c, d);
    ck_store8(green + x, (topEven ? evenTop + oddBottom : oddTop + evenBottom) * 0.5f);
    ck_store8(topChroma + x, topEven ? oddTop : evenTop);
    ck_store8(bottomChroma + x, topEven ? evenBottom : oddBottom);
  }
}
