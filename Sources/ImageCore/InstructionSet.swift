import CVector

/// The sets of instructions that kernels are compiled for, each part of the next, by their names on
/// x86-64. All give the same bits.
package enum InstructionSet: String, CaseIterable, Sendable {
  /// What every CPU has, on arm64 NEON.
  case sse2
  case avx2, avx512

  /// Lets kernels of this process use no larger set than this, to compare their speed.
  package func limitKernels() {
    switch self {
    case .sse2: ck_limit(CK_BASELINE)
    case .avx2: ck_limit(CK_AVX2)
    case .avx512: ck_limit(CK_AVX512)
    }
  }
}
