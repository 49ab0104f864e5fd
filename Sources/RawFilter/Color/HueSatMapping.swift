import CVector
import ImageCore
import RawDecode

/// ``HueSatTable`` on rows of pixels: the same formulas, eight pixels at a time.
struct HueSatMapping: Sendable {
  private let table: [Float]
  private let sizes: SIMD3<Int32>
  private let isEncoded: Bool
  private let isCompressed: Bool

  /// nil for a table that changes nothing. `isHighRange`: the profile is made for HDR.
  init?(_ table: HueSatTable?, isHighRange: Bool) {
    guard let table, !table.isNeutral else { return nil }
    self.table = table.entries.flatMap { [$0.x * (6 / 360), $0.y, $0.z, 0] }
    sizes = SIMD3(Int32(table.saturations), Int32(table.hues), Int32(table.values))
    isEncoded = table.isEncoded
    isCompressed = isHighRange && table.values > 1
  }

  /// Maps each pixel of `rows` and multiplies it by `scale`.
  func apply(_ rows: RGBRows, scale: Float) {
    table.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress else { return }
      for i in vectors(rows.count) {
        let rgb = rows.lanes(i)
        let out = mapped(rgb.map { cv_max8($0, .zero) }, table)
        rows.setLanes(
          i,
          RGBLanes(
            (out.red + cv_min8(rgb.red, .zero)) * scale,
            (out.green + cv_min8(rgb.green, .zero)) * scale,
            (out.blue + cv_min8(rgb.blue, .zero)) * scale))
      }
    }
  }

  @inline(__always)
  private func mapped(_ light: RGBLanes, _ table: UnsafePointer<Float>) -> RGBLanes {
    let one = SIMD8<Float>(repeating: 1)
    let rgb = isCompressed ? light.map(OverRange.compressed) : light
    let (r, g, b) = (rgb.red, rgb.green, rgb.blue)
    let v = rgb.highest
    let gap = v - rgb.lowest
    let divisor = select(gap .> 0, gap, one)
    let saturation = gap / select(v .> 0, v, one)
    // The largest channel names the third of the circle; of equal ones the first.
    let otherThirds = select(g - v .>= 0, (b - r) / divisor + 2, (r - g) / divisor + 4)
    let third = select(r - v .>= 0, (g - b) / divisor, otherThirds)
    let hue = select(third .>= 0, third, third + 6)

    let signal = isEncoded ? encoded(v) : v
    let tops = SIMD3<Float>(sizes &- SIMD3(1, 0, 1))
    // Clamping also keeps the result of infinite values inside the table.
    let turn = cv_clamp8(hue * (1 / 6), .zero, one)
    let reach = sizes.y > 1 ? turn * Float(sizes.y) : .zero
    let (across, up) = (
      cv_clamp8(saturation, .zero, one) * tops.x, cv_clamp8(signal, .zero, one) * tops.z
    )
    let change = RGBLanes {
      cv_hueTable8(table, sizes.x, sizes.y, sizes.z, across, reach, up, $0)
    }

    let turned = hue + change.red
    let value = isEncoded ? decoded(signal * change.blue) : v * change.blue
    let chroma = value * cv_clamp8(saturation * change.green, .zero, one)
    let out = RGBLanes(
      value - chroma * fraction(turned + 5), value - chroma * fraction(turned + 3),
      value - chroma * fraction(turned + 1))
    return isCompressed ? out.map { OverRange.expanded(cv_max8($0, .zero)) } : out
  }

  /// How far a channel is from V, 0…1: max(0, min(k, 4 − k, 1)) of k = x mod 6.
  @inline(__always)
  private func fraction(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let k = x - cv_round8(x * (1 / 6) - 0.5) * 6
    return cv_clamp8(cv_min8(k, 4 - k), .zero, SIMD8(repeating: 1))
  }

  @inline(__always)
  private func encoded(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let power = cv_exp2_8(
      cv_log2_8(cv_max8(x, SIMD8(repeating: 1e-6))) * (1 / Float(SRGB.exponent)))
    return select(
      x .> Float(SRGB.linearEnd), power * Float(SRGB.scale) - Float(SRGB.offset),
      x * Float(SRGB.slope))
  }

  @inline(__always)
  private func decoded(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let base =
      cv_max8(x + Float(SRGB.offset), SIMD8(repeating: 1e-3)) * (1 / Float(SRGB.scale))
    return select(
      x .> Float(SRGB.signalEnd), cv_exp2_8(cv_log2_8(base) * Float(SRGB.exponent)),
      x * (1 / Float(SRGB.slope)))
  }
}
