import CVector

/// A tone curve as a table for single-precision pixels.
///
/// The table is indexed by the bits of x / peak: 128 entries an octave over 20 octaves, linear
/// between them, linear to zero below, constant from the peak on. Error against ``ToneCurve``:
/// below 2·10⁻⁵ relative. The peak falls on an entry, so the ceiling is reached exactly.
struct ToneTable: Sendable {
  private static let octaves = 20
  private static let stepsPerOctave = 128
  private static let lowest = UInt32(127 - octaves) << 23

  /// Value and step to the next value, in turn.
  private let entries: [Float]
  private let inversePeak: Float
  private let slopeBelow: Float

  /// How far the smallest channel goes from constant chromaticity to a curve of its own, where that
  /// bleaches and where it saturates.
  struct Saturation: Sendable {
    let bleaching: Float
    let saturating: Float
    /// The look of this renderer.
    static let balanced = Saturation(bleaching: 0.25, saturating: 0.8)
    /// The rule of DNG profiles, whose makers reckoned with it.
    static let profile = Saturation(bleaching: 1, saturating: 1)
  }
  private let saturation: Saturation

  init(_ curve: some ToneFunction, saturation: Saturation = .balanced) {
    self.saturation = saturation
    let count = Self.octaves * Self.stepsPerOctave
    func scene(_ index: Int) -> Double {
      let bits = Self.lowest + UInt32(index) << 16  // 23 mantissa bits less 7 of the index
      return Double(Float(bitPattern: bits)) * curve.peak
    }
    let values = (0...count).map { Float(curve(scene($0))) }
    entries =
      (0..<count).flatMap { [values[$0], values[$0 + 1] - values[$0]] } + [values[count], 0]
    inversePeak = Float(1 / curve.peak)
    slopeBelow = values[0] / Float(scene(0)) * Float(curve.peak)
  }

  /// Display light of `x`, odd about zero.
  @inline(__always)
  private func value(_ x: SIMD8<Float>, _ table: UnsafePointer<Float>) -> SIMD8<Float> {
    let magnitude = cv_octaveTable8(
      table, Int32(bitPattern: Self.lowest), slopeBelow, cv_abs8(x) * inversePeak)
    return cv_select8(x, magnitude, -magnitude)
  }

  /// Tones each pixel in place.
  ///
  /// The largest channel goes through the curve. The smallest is placed between two answers: that
  /// of constant chromaticity (hue exact, but glaring highlights) and that of the curve applied to
  /// it too (the DNG rule: natural contrast of saturation, but orange lights turn yellow). It goes
  /// ``Saturation`` of the way to the second. The middle channel keeps its place between the two, so the colour moves straight towards or away from
  /// white.
  ///
  /// Rows may be read and written up to the next multiple of eight. NaN becomes black.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, count: Int
  ) {
    entries.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress else { return }
      let (bleaching, saturating) = (saturation.bleaching, saturation.saturating)
      let isPlain = bleaching == 1 && saturating == 1
      var i = 0
      while i < count {
        let (red, green, blue) = (
          cv_number8(cv_load8(r + i)), cv_number8(cv_load8(g + i)), cv_number8(cv_load8(b + i))
        )
        let high = cv_max8(cv_max8(red, green), blue)
        let low = cv_min8(cv_min8(red, green), blue)
        let top = value(high, table)
        let curved = value(low, table)
        let one = SIMD8<Float>(repeating: 1)
        var bottom = curved
        if !isPlain {
          let same = cv_positive8(high, low * (top / cv_positive8(high, high, one)), curved)
          let drawn = curved - same
          bottom = same + cv_select8(drawn, drawn * bleaching, drawn * saturating)
        }
        let range = high - low
        let k = cv_positive8(range, (top - bottom) / cv_positive8(range, range, one), .zero)
        cv_store8(r + i, cv_min8(bottom + (red - low) * k, top))
        cv_store8(g + i, cv_min8(bottom + (green - low) * k, top))
        cv_store8(b + i, cv_min8(bottom + (blue - low) * k, top))
        i &+= 8
      }
    }
  }
}
