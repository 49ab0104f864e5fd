#include "HEVCRow.h"

void ck_hevcRow_avx2(ck_hevcPicture *picture, int64_t y);
void ck_hevcRow_avx512(ck_hevcPicture *picture, int64_t y);

void ck_hevcRow(ck_hevcPicture *picture, int64_t y) {
#if defined(__x86_64__)
  if (ck_chosen() >= CK_AVX512) {
    ck_hevcRow_avx512(picture, y);
    return;
  }
  if (ck_chosen() >= CK_AVX2) {
    ck_hevcRow_avx2(picture, y);
    return;
  }
#endif
  codeRow(picture, y);
}
