import Foundation
import HDRRender
import ImageCore

@testable import RawFilter

/// A made scene of many colors and tones, and what a camera might show of it.
enum ComparedScene {
  static let size = PixelSize(width: 240, height: 160)

  /// A patch of color with soft edges.
  private struct Blob {
    var center: SIMD2<Double>
    var radius: SIMD2<Double>
    var color: SIMD3<Double>
  }

  private static func blobs(_ seed: Int) -> [Blob] {
    (0..<40).map { blob in
      func number(_ k: Int) -> Double {
        let x = sin(Double(blob * 7 + k * 131 + seed * 1013)) * 43758.5453
        return x - x.rounded(.down)
      }
      return Blob(
        center: SIMD2(number(1), number(2)), radius: SIMD2(0.05, 0.07) * (0.5 + number(3)),
        color: SIMD3(number(4), number(5), number(6)) * 0.6)
    }
  }

  /// The scene with `change` applied to each color, sampled at each `position`.
  static func picture(
    seed: Int = 1, size: PixelSize = size, position: (SIMD2<Double>) -> SIMD2<Double> = { $0 },
    change: (SIMD3<Double>) -> SIMD3<Double> = { $0 }
  ) -> SummedAreaTable {
    let blobs = blobs(seed)
    return SummedAreaTable(size, white: SRGB.linear(signal: 249.5 / 255)) { x, y in
      let position = position(
        SIMD2((Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height)))
      let color = blobs.reduce(SIMD3(repeating: 0.02)) { sum, blob in
        let away = (position - blob.center) / blob.radius
        let distance = (away * away).sum()
        return distance < 20 ? sum + blob.color * exp(-distance) : sum
      }
      return change(
        color.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1)))
    }
  }

  /// A camera's style: more contrast and saturation, hues turned a little.
  static func style(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let toBT2020 = Primaries.srgb.conversion(to: .bt2020)
    let lab = Oklab.lab(toBT2020 * color)
    let l = lab.x - 0.03 * sin(2 * .pi * lab.x)
    let styled = SIMD3(
      l, 1.12 * lab.y - 0.06 * lab.z, 0.06 * lab.y + 1.12 * lab.z)
    return (toBT2020.inverse ?? .identity) * Oklab.rgb(styled)
  }
}
