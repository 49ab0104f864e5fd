import CVector

/// A tone curve as a table for single-precision pixels.
///
/// The table is indexed by the bits of x / peak: 128 entries an octave over 20 octaves, linear
/// between them, linear to zero below, constant from the peak on. Error against ``ToneCurve``:
/// below 2·10⁻⁵ relative. The peak falls on an entry, so the ceiling is reached exactly.
struct ToneTable: Sendable {
  private static let octaves = 20
  private static let stepsPerOctave = 128
  private static let shift = UInt32(16)  // 23 mantissa bits − 7 index bits
  private static let lowest = UInt32(127 - octaves) << 23

  /// Value and step to the next value, interleaved.
  private let entries: [SIMD2<Float>]
  private let inversePeak: Float
  private let slopeBelow: Float
  private let ceiling: Float

  init(_ curve: ToneCurve) {
    let count = Self.octaves * Self.stepsPerOctave
    func scene(_ index: Int) -> Double {
      let bits = Self.lowest + UInt32(index) << Self.shift
      return Double(Float(bitPattern: bits)) * curve.peak
    }
    let values = (0...count).map { Float(curve(scene($0))) }
    entries = (0..<count).map { SIMD2(values[$0], values[$0 + 1] - values[$0]) }
    inversePeak = Float(1 / curve.peak)
    slopeBelow = values[0] / Float(scene(0)) * Float(curve.peak)
    ceiling = Float(curve(curve.peak))
  }

  /// Display light of `x`, odd about zero.
  @inline(__always)
  private func value(_ x: Float, _ table: UnsafePointer<SIMD2<Float>>) -> Float {
    let u = x * inversePeak
    let bits = u.bitPattern & 0x7FFF_FFFF
    let magnitude: Float
    if bits < Self.lowest {
      magnitude = Float(bitPattern: bits) * slopeBelow
    } else if bits >= 0x3F80_0000 {
      magnitude = bits > 0x7F80_0000 ? 0 : ceiling  // NaN becomes black
    } else {
      let offset = bits &- Self.lowest
      let entry = table[Int(offset &>> Self.shift)]
      magnitude = entry.x + entry.y * (Float(offset & 0xFFFF) * 0x1p-16)
    }
    return u < 0 ? -magnitude : magnitude
  }

  /// Tones each pixel in place.
  ///
  /// The largest channel goes through the curve. The smallest is placed between two answers: that
  /// of constant chromaticity (hue exact, but glaring highlights) and that of the curve applied to
  /// it too (the DNG rule: natural contrast of saturation, but orange lights turn yellow). It takes
  /// 0.8 of the way to the second where that saturates and 0.25 where it bleaches. The middle
  /// channel keeps its place between the two, so the colour moves straight towards or away from
  /// white.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    entries.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress else { return }
      for i in 0..<count {
        let (red, green, blue) = (r[i], g[i], b[i])
        let high = red > green ? (red > blue ? red : blue) : (green > blue ? green : blue)
        let low = red < green ? (red < blue ? red : blue) : (green < blue ? green : blue)
        let top = value(high, table)
        let same = high > 0 ? low * (top / high) : value(low, table)
        let drawn = value(low, table) - same
        let bottom = same + drawn * (drawn > 0 ? 0.25 : 0.8)
        let range = high - low
        let k = range > 0 ? (top - bottom) / range : 0
        let (x, y, z) = (
          bottom + (red - low) * k, bottom + (green - low) * k, bottom + (blue - low) * k
        )
        r[i] = x < top ? x : top
        g[i] = y < top ? y : top
        b[i] = z < top ? z : top
      }
    }
  }
}
