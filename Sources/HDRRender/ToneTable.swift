import CKernels
import ImageCore

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

  /// How far the smallest channel moves from constant chromaticity towards its own value on the
  /// curve, where that desaturates and where it saturates.
  struct Saturation: Sendable {
    let bleaching: Float
    let saturating: Float
    /// The look of this renderer.
    static let balanced = Saturation(bleaching: 0.25, saturating: 0.8)
    /// The rule of DNG profiles, for which these are designed.
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
    let values: [Float] = (0...count).map { Float(curve(scene($0))) }
    var entries: [Float] = []
    for index in 0..<count { entries += [values[index], values[index + 1] - values[index]] }
    self.entries = entries + [values[count], 0]
    inversePeak = Float(1 / curve.peak)
    slopeBelow = values[0] / Float(scene(0)) * Float(curve.peak)
  }

  /// Tones each pixel in place.
  ///
  /// The largest channel goes through the curve. The smallest is set between two values: that of
  /// constant chromaticity (hue exact, but glaring highlights) and that of the curve applied to it
  /// too (the DNG rule: natural contrast of saturation, but orange lights turn yellow), at the
  /// fraction ``Saturation`` towards the second. The middle channel keeps its relative position
  /// between the other two, so the color moves straight towards or away from white. NaN becomes
  /// black.
  func apply(_ rows: RGBRows) {
    entries.withUnsafeBufferPointer { table in
      var tone = ck_tone(
        pairs: table.baseAddress, lowest: Int32(bitPattern: Self.lowest), below: slopeBelow,
        scale: inversePeak, bleaching: saturation.bleaching, saturating: saturation.saturating)
      ck_toneRow(&tone, rows.kernel, Int64(rows.count))
    }
  }
}
