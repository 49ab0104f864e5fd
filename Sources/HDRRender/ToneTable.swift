import CKernels
import Foundation
import ImageCore

/// A tone curve as a table for single-precision pixels.
///
/// The table is indexed by the bits of x / peak: 128 entries an octave over 20 octaves, linear
/// between them, linear to zero below, constant from the peak on. Error against ``ToneCurve``:
/// below 2·10⁻⁵ relative. The peak falls on an entry, so the ceiling is reached exactly.
struct ToneTable: Sendable {
  private static let octaves = 20

  private let table: OctaveTable
  private let inversePeak: Float
  private let slopeBelow: Float

  private let bleaching: Float
  private let saturating: Float
  private let paling: Float

  private let mixing: Matrix3

  /// The table of `curve`; `look`: what happens to colors before it, at the strength `boost`, and
  /// how far the smallest channel follows it; nil for the rule of DNG profiles, which are designed
  /// for that.
  init(_ curve: some ToneFunction, look: ToneLook?, boost: Double = 1) {
    mixing = look?.mixing(boost: boost) ?? .identity
    bleaching = look?.bleaching ?? 1
    saturating = look?.saturating ?? 1
    paling = (look?.paling ?? 0) * Float(min(max(boost, 0), 1))
    table = OctaveTable(octaves: Self.octaves) { curve($0 * curve.peak) }
    inversePeak = Float(1 / curve.peak)
    let lowest = exp2(-Double(Self.octaves))
    slopeBelow = table.pairs[0] / Float(lowest * curve.peak) * Float(curve.peak)
  }

  /// Tones each pixel in place.
  ///
  /// The largest channel goes through the curve. The smallest is set between two values: constant
  /// chromaticity (hue exact, but glaring highlights) and the curve applied to it too (the DNG
  /// rule: natural contrast of saturation, but orange lamps turn yellow), at the fraction of
  /// ``ToneLook`` towards the second. Where that saturates, and for the DNG rule, the middle
  /// channel keeps its relative position between the other two, so the color moves straight away
  /// from white or towards it. Highlights desaturate at constant hue in Oklab, at any headroom; in
  /// linear RGB, blue ones would turn violet and orange ones pink, by up to 8 degrees. Bright blue
  /// lamps desaturate, too: the brightest blue of a screen is darker than a gray wall, so cameras
  /// render them paler with rising brightness. NaN becomes black.
  func apply(_ rows: RGBRows) {
    table.pairs.withUnsafeBufferPointer { pairs in
      var tone = ck_tone(
        pairs: pairs.baseAddress, lowest: table.lowest, below: slopeBelow,
        scale: inversePeak, bleaching: bleaching, saturating: saturating, paling: paling,
        mixing: ck_matrix(mixing), toLMS: ck_matrix(Oklab.toLMS), fromLMS: ck_matrix(Oklab.fromLMS),
        mixes: mixing != .identity)
      ck_toneRow(&tone, rows.kernel, Int64(rows.count))
    }
  }
}
