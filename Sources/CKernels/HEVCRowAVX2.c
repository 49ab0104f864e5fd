#include "Kernel.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target(CK_AVX2_TARGET))), apply_to = function)
#include "HEVCRow.h"

void ck_hevcRow_avx2(ck_hevcPicture *picture, int64_t y);
void ck_hevcRow_avx2(ck_hevcPicture *picture, int64_t y) { codeRow(picture, y); }
#pragma clang attribute pop
#endif
