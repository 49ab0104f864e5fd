// The sets of instructions above the baseline. One list for each: the compiler may use what stands in it,
// and the CPU must have all of it (Instructions.c). What a CPU lacks is not always a fault there: one
// without lzcnt runs it as bsr, whose result is another.
#pragma once

#define CK_AVX2_FEATURES(first, next) first("avx2") next("bmi") next("bmi2") next("lzcnt")
#define CK_AVX512_FEATURES(first, next) \
  CK_AVX2_FEATURES(first, next)         \
  next("avx512f") next("avx512bw") next("avx512dq") next("avx512vl")

#define CK_NAME(feature) feature
#define CK_NEXT_NAME(feature) "," feature
#define CK_AVX2_TARGET CK_AVX2_FEATURES(CK_NAME, CK_NEXT_NAME)
#define CK_AVX512_TARGET CK_AVX512_FEATURES(CK_NAME, CK_NEXT_NAME)
