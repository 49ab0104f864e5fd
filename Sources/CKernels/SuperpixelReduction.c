#include "Kernel.h"

CK_KERNEL(
    ck_reduceBayer,
    (const float *top, const float *bottom, int64_t topEven, float *green, float *topChroma,
     float *bottomChroma, int64_t count),
    (top, bottom, topEven, green, topChroma, bottomChroma, count)) {
  for (int64_t x = 0; x < count; x += 8) {
    cv_f8 a = f8(top + 2 * x), b = f8(top + 2 * x + 8);
    cv_f8 c = f8(bottom + 2 * x), d = f8(bottom + 2 * x + 8);
    cv_f8 evenTop = ck_even8(a, b), oddTop = ck_odd8(a, b);
    cv_f8 evenBottom = ck_even8(c, d), oddBottom = ck_odd8(c, d);
    ck_store8(green + x, (topEven ? evenTop + oddBottom : oddTop + evenBottom) * 0.5f);
    ck_store8(topChroma + x, topEven ? oddTop : evenTop);
    ck_store8(bottomChroma + x, topEven ? evenBottom : oddBottom);
  }
}
