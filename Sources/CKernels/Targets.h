// The sets of instructions above the baseline, as compilers name them.
#pragma once

#define CK_AVX2_TARGET "avx2,bmi2"
#define CK_AVX512_TARGET "avx2,bmi2,avx512f,avx512bw,avx512dq,avx512vl"
