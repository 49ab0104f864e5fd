import Foundation
import ImageCore

/// One row of colors for row kernels, and grays to feed them.
enum KernelRows {
  /// Runs a row kernel over `colors` and returns what it left.
  static func run(
    _ colors: [SIMD3<Float>],
    _ kernel: (RGBRows) -> Void
  ) throws -> [SIMD3<Float>] {
    let buffer = try PlanarBuffer(size: PixelSize(width: colors.count, height: 1))
    for (x, color) in colors.enumerated() {
      for plane in 0..<3 { buffer.row(plane, 0)[x] = color[plane] }
    }
    kernel(buffer.rows(0))
    return colors.indices.map {
      SIMD3(buffer.row(0, 0)[$0], buffer.row(1, 0)[$0], buffer.row(2, 0)[$0])
    }
  }

  /// Values from 0.0003 to over 10,000 cd/m², 800 steps per octave.
  static let grays = (0...20_000).map { SIMD3<Float>(repeating: exp2(Float($0) / 800 - 19.3)) }
}
