import CKernels
import ImageCore
import RawDecode

/// Reconstructs saturated photosites from the channels around them that are not, under the white in
/// use.
///
/// Source: own; that a saturated channel follows the others is the idea of "inpaint opposed"
/// (H. Pärt, 2022), that light is a surface's color and neutral gloss that of the dichromatic
/// reflection model (Shafer, 1985). All values are balanced for the white in use, v′ = v · gains.
/// The light at a photosite is a·d + b, d the color of its surroundings (``HighlightColors``, mean
/// of the channels 1), a and b ≥ 0 by least squares over the photosites j of the other channels in
/// the 5 × 5, with their evidence e (1 at 0.97 of the clip level, 0 from it on) times k (4 in the
/// 3 × 3, else 1) as weights w:
///
///     Σ w·(a·d + b − v′)² + W·(0.0003·a² + g·b²) → min,  W = Σ w
///     v′ᵢ becomes max(v′ᵢ, a·dᵢ + b)
///
/// The small terms decide where one channel is left: for the color, by g = 0.3; where others are
/// left, their ratio tells gloss, and g = 0.0005. Where one is left, d is the color beside the
/// second saturated channel, else that beside the first; between both by the largest part that one
/// channel has of the evidence, from 3/4 to 1. A saturated neighbor has no evidence, so a channel
/// never follows another that is saturated too; the photosite itself counts with w = 0.005, which
/// keeps a strongly colored light from following the noise of its dark channels.
/// A channel that is saturated on one side has its evidence on the other, where less light is: its
/// ratio to the others would tell of gloss where there is none. So each channel's mean is moved to
/// the photosite, by the relative slope of the light, of least squares over all channels, by a
/// tenth at most.
/// Without evidence in the 5 × 5 nothing is known of the color: the result fades to neutral at
/// `ceiling`, the highest of the channels' saturation levels, by the smoothstep of the sum of
/// another evidence, 1 at 0.9 of the clip level, 0 from it on, up to so many photosites that the
/// noise of their mean is 0.5 % of the clip level: 1 to 4, the fewest of one color in a 5 × 5 of a
/// Bayer mosaic. In a noisy picture a shorter fade mottles the borders of blown areas, in one
/// without noise a longer one takes from gloss what its few photosites tell of it. So the change is
/// continuous in exposure, and what is saturated in all channels is neutral under the white in use.
/// Units: balanced linear values. No result is above `excess` = 4 times `ceiling` unless its
/// input was: a strongly colored light exceeds it in one channel.
/// Known failures: a wide light in which a strong color is saturated is neutral in the middle; a
/// wrong saturation level gives a tint.
struct GuidedHighlights: Sendable {
  /// Photosites that are read on each side.
  static let reach = 2
  /// Weight of the photosite itself.
  private static let own: Float = 0.005
  /// Largest result, as a multiple of the ceiling.
  static let excess: Float = 4
  /// Part of the fade to neutral over which a photosite loses its weight in the fit.
  private static let fading: Float = 0.3
  private static let colorCost: Float = 0.0003
  /// Where two channels or more are left, and where one is.
  private static let glossCosts: (Float, Float) = (0.0005, 0.3)
  /// Square photosites of spread without a slope, and the most that evidence is moved by.
  private static let (slopeCost, farthest): (Float, Float) = (1, 0.1)
  /// Noise of a mean that tells of the color, as a part of the clip level, and the photosites that
  /// are asked for it.
  private static let (toldBy, fades): (Float, ClosedRange<Float>) = (0.005, 1...4)

  /// From balanced values to those balanced for the white in use.
  let gains: SIMD4<Float>
  /// Value under the white in use of a neutral in which all channels are saturated.
  let ceiling: Float
  let clipRows: ChannelRows
  /// Beside one saturated channel and beside the second.
  let colors: [HighlightColors]
  /// 1 where a photosite has the filter of a channel, else 0.
  private let masks: [ChannelRows]
  /// A bit for each channel of a row of the pattern.
  private let channelsOfRows: [UInt8]
  private let channels: Int
  private let isTwoByTwo: Bool
  /// Evidence that is trusted wholly, in photosites.
  private let fade: Float

  /// For sensors of `width` columns. `fade`: see ``fade(_:balance:clip:_:)``.
  init(
    _ cfa: CFA, width: Int, gains: SIMD4<Float>, ceiling: Float, clipRows: ChannelRows,
    colors: [HighlightColors], fade: Float
  ) throws(PixelError) {
    self.fade = fade
    self.gains = gains
    self.ceiling = ceiling
    self.clipRows = clipRows
    self.colors = colors
    masks = try (0..<4).map { channel throws(PixelError) in
      var one = SIMD4<Float>()
      one[channel] = 1
      return try ChannelRows(cfa, width: width, values: one)
    }
    channels = cfa.channelCount
    isTwoByTwo = cfa.width == 2 && cfa.height == 2
    channelsOfRows = (0..<cfa.height).map { y in
      (0..<cfa.width).reduce(0) { $0 | 1 << UInt8(cfa.channel(at: $1, y)) }
    }
  }

  /// Photosites over which the result fades to neutral, where balanced samples of `channels` have
  /// this noise at the levels `clip`.
  static func fade(
    _ noise: NoiseModel?, balance: SIMD4<Float>, clip: SIMD4<Float>, _ channels: Set<UInt8>
  ) -> Float {
    guard let (shot, read) = noise?.channels(balance: balance) else { return fades.upperBound }
    let variance = (shot * clip + read) / (clip * clip)
    let largest = channels.map { variance[Int($0)] }.max() ?? 0
    return min(max(largest / (toldBy * toldBy), fades.lowerBound), fades.upperBound)
  }

  /// Copies `rect` of `source` to `target`, saturated photosites reconstructed; false, and nothing
  /// copied, when there are none. `evidence` and `line` are scratch memory.
  func rebuild(
    _ source: TilePlane, _ rect: PixelRect, into target: TilePlane, evidence: TilePlane,
    line: TilePlane
  ) throws(PixelError) -> Bool {
    guard let spans = SaturatedSites.spans(source, rect, clipRows) else { return false }
    let area = rect.expanded(by: Self.reach)
    try evidence.reshape(area)
    try line.reshape(PixelRect(x: area.x, y: 0, width: area.width, height: 1))
    SaturatedSites.evidence(source, rect, spans, clipRows, reach: Self.reach, into: line.row(0)) {
      y, columns, single in
      evidence.row(y).from(columns.lowerBound).update(
        from: single, count: columns.count + 2 * Self.reach)
    }
    try target.reshape(rect)
    withKernel { settings in
      for y in rect.y..<rect.endY {
        let values = source.row(y).from(rect.x - source.rect.x)
        let out = target.row(y)
        out.update(from: values, count: rect.width)
        let span = spans[y - rect.y]
        guard !span.isEmpty else { continue }
        var row = ck_highlightRow(
          values: values.start, evidence: evidence.row(y).from(Self.reach).start,
          clip: clipRows.row(x: rect.x, y: y).start, stride: Int64(source.stride),
          evidenceStride: Int64(evidence.stride))
        ck_guideHighlights(
          &settings, &row, Int64(rect.x), Int64(y), Int64(span.lowerBound),
          Int64(span.upperBound), out.start)
      }
    }
    return true
  }

  private func withKernel(_ body: (inout ck_guidedHighlights) -> Void) {
    let (cell, size) = (colors[0].cell, colors[0].cells)
    channelsOfRows.withUnsafeBufferPointer { channelsOfRows in
      var settings = ck_guidedHighlights(
        colors: (colors[0].first, colors[1].first),
        masks: (masks[0].first, masks[1].first, masks[2].first, masks[3].first),
        channelsOfRows: channelsOfRows.baseAddress, isTwoByTwo: isTwoByTwo ? 1 : 0,
        columns: Int64(size.width), rows: Int64(size.height),
        cellWidth: Float(cell.width), cellHeight: Float(cell.height),
        channels: Int64(channels), maskRows: Int64(masks[0].height),
        maskStride: Int64(masks[0].stride),
        gains: (gains.x, gains.y, gains.z, gains.w), ceiling: ceiling, excess: Self.excess,
        own: Self.own, colorCost: Self.colorCost, glossCosts: Self.glossCosts,
        slopeCost: Self.slopeCost, farthest: Self.farthest, fading: 1 / Self.fading,
        trust: 1 / fade)
      body(&settings)
    }
  }
}
