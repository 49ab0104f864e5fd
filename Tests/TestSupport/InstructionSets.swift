import CVector
import Foundation
package import ImageCore
import SyntheticRaw

/// Runs code with each set of instructions that kernels are compiled for. The set is the process's:
/// one test at a time chooses it here, and others run with either set meanwhile. Each gives the
/// same bits, but not a rendering in the middle of which it changes: suites that use this run in a
/// process without others (`Scripts/choosers`).
package enum InstructionSets {
  private static let choosing = NSLock()

  /// All of them, the least first.
  private static let all = [CK_BASELINE, CK_AVX2, CK_AVX512]

  /// What `body` makes with the instructions that every CPU has, and with the best of this one; or
  /// with those between, where that is not what the baseline makes.
  package static func results<T: Equatable>(
    _ body: () throws -> T
  ) rethrows -> (baseline: T, best: T) {
    try choosing.withLock {
      defer { ck_limit(CK_AVX512) }
      let made = try all.map {
        ck_limit($0)
        return try body()
      }
      return (made[0], made.dropFirst().first { $0 != made[0] } ?? made[0])
    }
  }

  /// Widths that end inside, at and behind a vector.
  package static let widths = [1, 7, 8, 37, 64, 131]

  /// The bits that `kernel` leaves of a row of `width` pixels with each set. The pixels lie from
  /// below 0 to `peak`; one in sixteen is 0, huge, tiny or not a number. All NaN count as one.
  package static func rows(
    _ width: Int, peak: Float = 1.5, _ kernel: (RGBRows) throws -> Void
  ) rethrows -> (baseline: [UInt32], best: [UInt32]) {
    try results {
      let buffer = certain { try PlanarBuffer(size: PixelSize(width: width, height: 1)) }
      var random = SeededRandom(seed: UInt64(width))
      let special: [Float] = [0, -0.0, .nan, 1e30, -1e30, 1e-30, .infinity, 1]
      for plane in 0..<3 {
        for x in 0..<width {
          let isSpecial = Int.random(in: 0..<16, using: &random) == 0
          buffer.row(plane, 0)[x] =
            isSpecial
            ? special[Int.random(in: 0..<special.count, using: &random)]
            : Float.random(in: -0.1 * peak...peak, using: &random)
        }
      }
      try kernel(buffer.rows(0))
      return (0..<3).flatMap { plane in
        (0..<width).map { x in
          let value = buffer.row(plane, 0)[x]
          return value.isNaN ? UInt32.max : value.bitPattern
        }
      }
    }
  }
}
