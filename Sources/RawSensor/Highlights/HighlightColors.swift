import ImageCore
import RawDecode

/// The color of the light in and around saturated areas, for any photosite.
///
/// Source: own; the filling is push–pull (Gortler et al., The Lumigraph, 1996, section 3.4). The
/// picture is divided into cells of whole patterns, at least 12 photosites wide. Those cells of the
/// grown ``SaturationMask`` in which `saturated` channels are saturated, and reconstructed, give
/// them their colors, with a weight: the smoothstep, from 0.9 to 1, of the next channel relative to
/// where that saturates. Light that is near saturation tells of what is saturated, dark surfaces
/// beside it and what shines through between them do not. Colors are channels divided by their
/// mean. The weighted colors are summed over 2 × 2 cells six times; from the coarsest level down,
/// each cell takes (Σw·d + k·D) / (Σw + k), w per photosite of a cell, D that of the coarser level
/// and k = 0.4, neutral and 0.005 above the coarsest. So colors are those of the nearest lights,
/// and neutral far from any. Between cells they are interpolated. Colors beside a second channel
/// count those beside the first with a twentieth of their weight, for where there are no others.
/// Units: balanced for the white in use; 1 in each channel is neutral.
/// Known failure: a bright surface of a strong color beside a saturated neutral area tints its rim.
final class HighlightColors: @unchecked Sendable {
  private static let levels = 6
  private static let minSide = 12
  /// Part of where it saturates from which on a channel tells of the light beside it.
  static let nearSaturation: Float = 0.9
  /// Weights of the color of the next coarser level, and of neutral above the coarsest.
  private static let (prior, neutralPrior): (Float, Float) = (0.4, 0.005)
  /// Weight of the colors beside the first saturated channel among those beside the second.
  private static let firstAmongSecond: Float = 0.05
  /// The least that a channel counts in a color.
  private static let floor: Float = 0.02

  /// Photosites of a cell; a divisor of the blocks of ``BlockExtrema`` for common patterns.
  let cell: PixelSize
  let cells: PixelSize
  private let channels: SIMD4<Float>
  private let gains: SIMD4<Float>
  private let clip: SIMD4<Float>
  /// Sums of weighted colors while they are gathered, then the colors.
  private let colors: PixelStorage<SIMD4<Float>>
  /// Nil once the colors are known.
  private var weights: Weights?

  private final class Weights {
    let values: PixelStorage<Float>
    init(count: Int) throws(PixelError) { values = try PixelStorage(zeros: count) }
  }

  /// What photosites add up to, by channel.
  struct Sums {
    var values = SIMD4<Float>()
    var count = SIMD4<Float>()
  }

  /// Cells of a picture of `size`, all neutral. `gains`: from balanced values to those under the
  /// white in use; `clip`: balanced levels from which photosites are saturated.
  init(_ size: PixelSize, _ cfa: CFA, gains: SIMD4<Float>, clip: SIMD4<Float>) throws(PixelError) {
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
    colors = try PixelStorage(zeros: cells.area)
    weights = try Weights(count: cells.area)
  }

  /// A copy for colors beside the second saturated channel, from sums that are not filled yet.
  init(second first: HighlightColors) throws(PixelError) {
    (cell, cells, channels) = (first.cell, first.cells, first.channels)
    (gains, clip) = (first.gains, first.clip)
    colors = try PixelStorage(zeros: cells.area)
    weights = try Weights(count: cells.area)
    guard let weights, let others = first.weights else { return }
    for i in 0..<cells.area {
      colors.start[i] = first.colors.start[i] * Self.firstAmongSecond
      weights.values.start[i] = others.values.start[i] * Self.firstAmongSecond
    }
  }

  /// Adds photosites of a cell of the mask around (`x`, `y`), of which `saturated` channels are.
  func add(_ sums: Sums, x: Int, y: Int, saturated: Int) {
    var levels = SIMD4<Float>(repeating: -1)
    var mean = SIMD4<Float>()
    for c in 0..<4 where channels[c] > 0 {
      guard sums.count[c] > 0 else { return }
      mean[c] = max(sums.values[c] / sums.count[c], 0)
      levels[c] = mean[c] / clip[c]
    }
    for _ in 0..<saturated { levels.replace(with: -1, where: levels .== levels.max()) }
    let t = min(max((levels.max() - Self.nearSaturation) / (1 - Self.nearSaturation), 0), 1)
    let weight = t * t * (3 - 2 * t) * sums.count.sum() / Float(cell.area)
    let sum = (mean * gains).sum()
    guard weight > 0, sum > 0, let weights else { return }
    let index = y / cell.height * cells.width + x / cell.width
    // As in BlockExtrema.
    let (cellWeight, color) = (weights.values.start + index, colors.start + index)
    cellWeight.pointee += weight
    color.pointee += mean * gains * (weight * channels.sum() / sum)
  }

  /// Turns the sums into colors, after the last cell is set.
  func fill() throws(PixelError) {
    guard let weights else { return }
    try fill(colors.start, weights.values.start, cells, level: 0)
    self.weights = nil
  }

  private func fill(
    _ sums: UnsafeMutablePointer<SIMD4<Float>>, _ weights: UnsafeMutablePointer<Float>,
    _ size: PixelSize, level: Int
  ) throws(PixelError) {
    let coarse = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let count = level + 1 < Self.levels && size.area > 1 ? coarse.area : 0
    let above = try PixelStorage<SIMD4<Float>>(zeros: count)
    if count > 0 {
      let totals = try PixelStorage<Float>(zeros: count)
      for y in 0..<size.height {
        for x in 0..<size.width {
          above.start[y / 2 * coarse.width + x / 2] += sums[y * size.width + x]
          totals.start[y / 2 * coarse.width + x / 2] += weights[y * size.width + x]
        }
      }
      try fill(above.start, totals.start, coarse, level: level + 1)
    }
    let prior = count > 0 ? Self.prior : Self.neutralPrior
    for y in 0..<size.height {
      for x in 0..<size.width {
        let i = y * size.width + x
        let outer =
          count > 0
          ? Self.interpolated(
            UnsafePointer(above.start), coarse, (Float(x) - 0.5) / 2, (Float(y) - 0.5) / 2)
          : channels
        let color = (sums[i] + prior * outer) / (weights[i] + prior)
        sums[i] = color.replacing(with: Self.floor, where: color .< Self.floor)
      }
    }
  }

  /// The colors of all cells, four numbers each, between whose middles they are interpolated.
  var first: UnsafePointer<Float> {
    UnsafeRawPointer(colors.start).assumingMemoryBound(to: Float.self)
  }

  @inline(__always)
  private static func interpolated(
    _ values: UnsafePointer<SIMD4<Float>>, _ size: PixelSize, _ x: Float, _ y: Float
  ) -> SIMD4<Float> {
    let (px, py) = (
      min(max(x, 0), Float(size.width - 1)), min(max(y, 0), Float(size.height - 1))
    )
    let (left, top) = (Int(px), Int(py))
    let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
    let (fx, fy) = (px - Float(left), py - Float(top))
    let (upper, lower) = (values + top * size.width, values + bottom * size.width)
    let a = upper[left] + fx * (upper[right] - upper[left])
    let b = lower[left] + fx * (lower[right] - lower[left])
    return a + fy * (b - a)
  }
}
