#include <stdatomic.h>

#include <CVector.h>
#include "Targets.h"

#define HAS(feature) __builtin_cpu_supports(feature)
#define AND_HAS(feature) && __builtin_cpu_supports(feature)

static ck_instructions best(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (CK_FEATURES_avx512(HAS, AND_HAS)) return CK_AVX512;
  return CK_FEATURES_avx2(HAS, AND_HAS) ? CK_AVX2 : CK_BASELINE;
#else
  return CK_BASELINE;
#endif
}

/// The chosen set plus one; 0 while nobody has asked.
static _Atomic int chosen;

ck_instructions ck_chosen(void) {
  int known = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (known == 0) {
    known = best() + 1;
    atomic_store_explicit(&chosen, known, memory_order_relaxed);
  }
  return (ck_instructions)(known - 1);
}

void ck_limit(ck_instructions highest) {
  ck_instructions here = best();
  atomic_store_explicit(&chosen, (here < highest ? here : highest) + 1, memory_order_relaxed);
}
