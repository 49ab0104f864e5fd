#include "Kernel.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target(CK_AVX2_TARGET))), apply_to = function)
#include "AV1Row.h"

void ck_av1Row_avx2(ck_av1Tile *tile, int64_t y);
void ck_av1Row_avx2(ck_av1Tile *tile, int64_t y) { codeRow(tile, y); }
#pragma clang attribute pop
#endif
