#include "AV1Row.h"

void ck_av1Row_avx2(ck_av1Tile *tile, int64_t y);

void ck_av1Row(ck_av1Tile *tile, int64_t y) {
#if defined(__x86_64__)
  if (ck_chosen() >= CK_AVX2) {
    ck_av1Row_avx2(tile, y);
    return;
  }
#endif
  codeRow(tile, y);
}
