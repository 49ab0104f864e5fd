// Which instructions kernels in C use. Each is compiled once for every set that is worth it, and the
// set is chosen when the program runs: no build flag is needed to be fast, and the bits are the same
// on every CPU. Kernel.h says how.
#pragma once

/// The sets of instructions that kernels are compiled for, each part of the next.
typedef enum ck_instructions {
  /// What every CPU of the architecture has: SSE2 on x86-64, NEON on arm64.
  CK_BASELINE = 0,
  /// AVX2 with BMI, BMI2 and LZCNT, x86-64 only.
  CK_AVX2 = 1,
  /// AVX-512 of vectors of any width, x86-64 only.
  CK_AVX512 = 2,
} ck_instructions;

/// The set that kernels use: the largest that this CPU has, unless limited.
ck_instructions ck_chosen(void);
/// Lets kernels use nothing above `highest`, so that tests can compare the sets. Any thread.
void ck_limit(ck_instructions highest);
