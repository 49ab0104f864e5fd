import CVector

/// ``HueSatTable`` on rows of pixels: the same formulas, eight pixels at a time.
struct HueSatMapping: Sendable {
  private let table: [Float]
  private let sizes: SIMD3<Int32>
  private let isEncoded: Bool
  private let isCompressed: Bool

  /// nil for a table that changes nothing. `isHighRange`: the profile is made for high range.
  init?(_ table: HueSatTable?, isHighRange: Bool) {
    guard let table, !table.isNeutral else { return nil }
    self.table = table.entries.flatMap { [$0.x * (6 / 360), $0.y, $0.z, 0] }
    sizes = SIMD3(Int32(table.saturations), Int32(table.hues), Int32(table.values))
    isEncoded = table.isEncoded
    isCompressed = isHighRange && table.values > 1
  }

  /// Maps `count` pixels in place and multiplies them by `scale`; rows may be read and written up to
  /// the next multiple of eight.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int, scale: Float
  ) {
    table.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress else { return }
      var i = 0
      while i < count {
        let rgb = (cv_load8(r + i), cv_load8(g + i), cv_load8(b + i))
        let out = mapped(
          cv_max8(rgb.0, .zero), cv_max8(rgb.1, .zero), cv_max8(rgb.2, .zero), table)
        cv_store8(r + i, (out.x + cv_min8(rgb.0, .zero)) * scale)
        cv_store8(g + i, (out.y + cv_min8(rgb.1, .zero)) * scale)
        cv_store8(b + i, (out.z + cv_min8(rgb.2, .zero)) * scale)
        i &+= 8
      }
    }
  }

  @inline(__always)
  private func mapped(
    _ red: SIMD8<Float>, _ green: SIMD8<Float>, _ blue: SIMD8<Float>,
    _ table: UnsafePointer<Float>
  ) -> RGBLanes {
    let one = SIMD8<Float>(repeating: 1)
    var (r, g, b) = (red, green, blue)
    if isCompressed {
      (r, g, b) = (OverRange.compressed(r), OverRange.compressed(g), OverRange.compressed(b))
    }
    let v = cv_max8(cv_max8(r, g), b)
    let gap = v - cv_min8(cv_min8(r, g), b)
    let divisor = cv_positive8(gap, gap, one)
    let saturation = gap / cv_positive8(v, v, one)
    // The largest channel names the third of the circle; of equal ones the first.
    let third = cv_select8(
      r - v, (g - b) / divisor,
      cv_select8(g - v, (b - r) / divisor + 2, (r - g) / divisor + 4))
    let hue = cv_select8(third, third, third + 6)

    let signal = isEncoded ? encoded(v) : v
    let tops = SIMD3<Float>(sizes &- SIMD3(1, 0, 1))
    // Clamping also keeps what comes of infinite light inside the table.
    let turn = cv_clamp8(hue * (1 / 6), .zero, one)
    let place = RGBLanes(
      x: cv_clamp8(saturation, .zero, one) * tops.x,
      y: sizes.y > 1 ? turn * Float(sizes.y) : .zero,
      z: cv_clamp8(signal, .zero, one) * tops.z)
    var change = RGBLanes(x: .zero, y: .zero, z: .zero)
    change.withNumbers {
      cv_hueTable8(table, sizes.x, sizes.y, sizes.z, place.x, place.y, place.z, $0)
    }

    let turned = hue + change.x
    let value = isEncoded ? decoded(signal * change.z) : v * change.z
    let chroma = value * cv_clamp8(saturation * change.y, .zero, one)
    var out = RGBLanes(
      x: value - chroma * share(turned + 5), y: value - chroma * share(turned + 3),
      z: value - chroma * share(turned + 1))
    if isCompressed {
      out = RGBLanes(
        x: OverRange.expanded(cv_max8(out.x, .zero)), y: OverRange.expanded(cv_max8(out.y, .zero)),
        z: OverRange.expanded(cv_max8(out.z, .zero)))
    }
    return out
  }

  /// How far a channel is from V, 0…1: max(0, min(k, 4 − k, 1)) of k = x mod 6.
  @inline(__always)
  private func share(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let k = x - cv_round8(x * (1 / 6) - 0.5) * 6
    return cv_clamp8(cv_min8(k, 4 - k), .zero, SIMD8(repeating: 1))
  }

  @inline(__always)
  private func encoded(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let power = cv_exp2_8(cv_log2_8(cv_max8(x, SIMD8(repeating: 1e-6))) * (1 / 2.4))
    return cv_positive8(x - 0.0031308, power * 1.055 - 0.055, x * 12.92)
  }

  @inline(__always)
  private func decoded(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let base = cv_max8(x + 0.055, SIMD8(repeating: 1e-3)) * (1 / 1.055)
    return cv_positive8(x - 0.04045, cv_exp2_8(cv_log2_8(base) * 2.4), x * (1 / 12.92))
  }
}
