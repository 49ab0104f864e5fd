// The sets of instructions above the baseline, and CK_TARGET, the attribute of functions that are compiled
// for the set that CK_SET names: avx2 or avx512. Kernel.h says how it is used.
#pragma once

// The instructions of a set: the compiler may use all of them, and the CPU must have all of them
// (Instructions.c), also those that another implies. What a CPU lacks is not always a fault there: one
// without lzcnt runs it as bsr, whose result is another.
#define CK_FEATURES_avx2(first, next) \
  first("avx2") next("bmi") next("bmi2") next("lzcnt") next("popcnt")
#define CK_FEATURES_avx512(first, next)                           \
  CK_FEATURES_avx2(first, next) next("f16c") next("fma")          \
      next("avx512f") next("avx512bw") next("avx512dq") next("avx512vl")

/// `name` followed by the set that this file is compiled for.
#define CK_OF_SET(name) CK_JOINED(name, CK_SET)
#define CK_JOINED(name, set) CK_JOINED_(name, set)
#define CK_JOINED_(name, set) name##_##set

#define CK_FIRST_NAME(feature) feature
#define CK_NEXT_NAME(feature) "," feature
#define CK_TARGET __attribute__((target(CK_OF_SET(CK_FEATURES)(CK_FIRST_NAME, CK_NEXT_NAME))))
