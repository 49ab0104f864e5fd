import ImageCore
import RawData

/// The cells of ``HighlightEstimate``, and the weight that a cell of the ``SaturationMask`` has in
/// them.
///
/// Cells are multiples of the pattern, at least 12 photosites wide. Only areas near saturation tell
/// what a highlight is, not dark surfaces beside it or objects in front of it: the weight is the
/// smoothstep, from 0.9 to 1 of saturation, of the unsaturated channel that is nearest to its
/// saturation. Units: balanced for the white in use; 1 in each channel is neutral.
struct HighlightCells: Sendable {
  private static let minSide = 12
  /// Fraction of its saturation level from which a channel has weight.
  static let nearSaturation: Float = 0.9

  /// Photosites of a cell; a divisor of the blocks of ``BlockExtrema`` for common patterns.
  let cell: PixelSize
  let cells: PixelSize
  /// 1 for each channel of the pattern; neutral.
  let channels: SIMD4<Float>
  let gains: SIMD4<Float>
  private let clip: SIMD4<Float>

  /// Sums over photosites, by channel.
  struct Sums {
    var values = SIMD4<Float>()
    var count = SIMD4<Float>()
  }

  /// Cells of a picture of `size`. `gains`: from balanced values to those under the white in use;
  /// `clip`: balanced levels from which photosites are saturated.
  init(_ size: PixelSize, _ cfa: CFA, gains: SIMD4<Float>, clip: SIMD4<Float>) {
    // Multiples of the pattern and of a cell of the mask.
    func side(_ pattern: Int) -> Int {
      let both = pattern % SaturationMask.side == 0 ? pattern : pattern * SaturationMask.side
      return (Self.minSide + both - 1) / both * both
    }
    cell = PixelSize(width: side(cfa.width), height: side(cfa.height))
    cells = PixelSize(
      width: (size.width + cell.width - 1) / cell.width,
      height: (size.height + cell.height - 1) / cell.height)
    channels = (0..<4).reduce(into: SIMD4<Float>()) {
      $0[$1] = cfa.channels.contains(UInt8($1)) ? 1 : 0
    }
    self.gains = gains
    self.clip = clip
  }

  /// Mean of photosites of which `saturated` channels are saturated, and its weight in photosites
  /// of a cell; nil without weight.
  func value(_ sums: Sums, saturated: Int) -> (value: SIMD4<Float>, weight: Float)? {
    var levels = SIMD4<Float>(repeating: -1)
    var mean = SIMD4<Float>()
    for c in 0..<4 where channels[c] > 0 {
      guard sums.count[c] > 0 else { return nil }
      mean[c] = max(sums.values[c] / sums.count[c], 0)
      levels[c] = mean[c] / clip[c]
    }
    for _ in 0..<saturated { levels.replace(with: -1, where: levels .== levels.max()) }
    let part = smoothstep((levels.max() - Self.nearSaturation) / (1 - Self.nearSaturation))
    let weight = part * sums.count.sum() / Float(cell.area)
    let value = mean * gains
    return weight > 0 && value.sum() > 0 ? (value, weight) : nil
  }

  /// The cell of the photosite at (`x`, `y`).
  func index(x: Int, y: Int) -> Int { y / cell.height * cells.width + x / cell.width }
}
