import CKernels
import ImageCore
import RawData

/// Reconstructs saturated photosites from the unsaturated channels around them, under the white in
/// use.
///
/// Source: own; that a saturated channel follows the others is the idea of "inpaint opposed" (H.
/// Pärt, 2022), the sum of surface color and neutral gloss is the dichromatic reflection model
/// (Shafer, 1985). All values are balanced for the white in use, v′ = v · gains. The linear value
/// at a photosite is modeled as a·d + b, d the color of its surroundings (``HighlightEstimate``,
/// mean of the channels 1), a and b ≥ 0 by least squares over the photosites j of the other
/// channels in the 5 × 5, with their evidence e (1 at 0.97 of the clip level, 0 from it on) times k
/// (4 in the 3 × 3, else 1) as weights w:
///
///     Σ w·(a·d + b − v′)² + W·(0.0003·a² + g·b²) → min,  W = Σ w
///     v′ᵢ becomes max(v′ᵢ, a·dᵢ + b)
///
/// The small terms regularize the fit: with one unsaturated channel g = 0.3 favors the color; with
/// more, their ratio determines gloss, and g = 0.0005. With one unsaturated channel d is the color
/// beside the second saturated channel, else the color beside the first; both are blended by the
/// largest fraction of the evidence in one channel, from 3/4 to 1. The photosite itself has w =
/// 0.005, so that a highlight of strong color does not follow the noise of its dark channels.
///
/// Dark objects in front of a highlight must not count: a photosite whose v′/d is below 0.7 of the
/// saturated photosite's has the factor 0.02, from 1 on the factor 1. A saturated photosite sets a
/// lower bound: where the fit is below its clip level, fully from a tenth below, its clip level is
/// added to a second fit with the weight (1 − e)·k. So a thin dark line has no influence, and no
/// channel at its border stays at its own clip level, which would be pink.
///
/// Where all other channels have saturated photosites in the 5 × 5, to the degree of the least
/// saturated of them, the value may be beyond all channels: these photosites then count half way to
/// the value of ``HighlightEstimate`` for that case, and the result is blended to that value by the
/// smoothstep, from 0.8 to 0, of the largest fraction of its evidence that a channel has left. So
/// the result is continuous, in the picture and in exposure. Units: balanced linear values. No
/// result is above `excess` = 4 times a neutral in which all channels are saturated unless its
/// input was (a strong color can be, in one channel). None is below its input. Known failures: the
/// middle of a wide area in which a strong color is saturated is neutral; a wrong saturation level
/// gives a tint.
struct GuidedHighlights: HighlightTreatment {
  static let reach = 2
  /// Weight of the photosite itself.
  private static let own: Float = 0.005
  /// Largest result, as a multiple of a neutral in which all channels are saturated.
  static let excess: Float = 4
  /// Fraction of the evidence of ``SaturatedSites`` over which a photosite loses its weight.
  private static let fading: Float = 0.3
  private static let colorCost: Float = 0.0003
  /// With two or more unsaturated channels, and with one.
  private static let glossCosts: (Float, Float) = (0.0005, 0.3)
  /// Value relative to the photosite's from which others count and from which they count fully, and
  /// their minimum weight.
  private static let (darkest, like, minLikeness): (Float, Float, Float) = (0.7, 1, 0.02)
  /// Fraction of a channel's evidence that is sufficient.
  private static let enough: Float = 0.8
  /// Relative distance of a fit below a clip level from which that level counts fully.
  private static let short: Float = 0.1
  /// How far saturated photosites are moved to the value beyond all channels.
  private static let beyond: Float = 0.5

  private let estimate: HighlightEstimate
  /// Levels under the white in use from which channels are saturated.
  private let clip: SIMD4<Float>
  let clipRows: ChannelRows
  /// 1 where a photosite has the filter of a channel, else 0.
  private let masks: [ChannelRows]
  /// A bit for each channel of a row of the pattern.
  private let channelsOfRows: [UInt8]
  private let channels: Int
  private let isBayer: Bool

  /// For sensors of `width` columns. `clip`: balanced levels from which channels are saturated.
  init(
    _ cfa: CFA, width: Int, clip: SIMD4<Float>, clipRows: ChannelRows, estimate: HighlightEstimate
  ) throws(PixelError) {
    self.estimate = estimate
    // 1 for channels that the pattern does not have.
    self.clip =
      clip * estimate.cells.gains * estimate.cells.channels + (1 - estimate.cells.channels)
    self.clipRows = clipRows
    masks = try (0..<4).map { channel throws(PixelError) in
      var one = SIMD4<Float>()
      one[channel] = 1
      return try ChannelRows(cfa, width: width, values: one)
    }
    channels = cfa.channelCount
    isBayer = cfa.kind == .bayer
    channelsOfRows = (0..<cfa.height).map { y in
      (0..<cfa.width).reduce(0) { $0 | 1 << UInt8(cfa.channel(at: $1, y)) }
    }
  }

  var neutral: ChannelRows { clipRows }

  func treat(_ source: TilePlane, _ rect: PixelRect, _ work: SensorWorkspace) throws(PixelError)
    -> Bool
  {
    let (target, evidence, line) = (work.treated, work.evidence, work.line)
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
    let (cell, size, gains) = (estimate.cells.cell, estimate.cells.cells, estimate.cells.gains)
    let (colors, shortBy) = (estimate.colors, 1 / (Self.short * clip))
    channelsOfRows.withUnsafeBufferPointer { channelsOfRows in
      var settings = ck_guidedHighlights(
        colors: (colors[0].first, colors[1].first), allSaturated: estimate.allSaturated?.first,
        masks: (masks[0].first, masks[1].first, masks[2].first, masks[3].first),
        channelsOfRows: channelsOfRows.baseAddress, isBayer: isBayer ? 1 : 0,
        columns: Int64(size.width), rows: Int64(size.height),
        cellWidth: Float(cell.width), cellHeight: Float(cell.height),
        channels: Int64(channels), maskRows: Int64(masks[0].height),
        maskStride: Int64(masks[0].stride),
        gains: (gains.x, gains.y, gains.z, gains.w), clip: (clip.x, clip.y, clip.z, clip.w),
        shortBy: (shortBy.x, shortBy.y, shortBy.z, shortBy.w),
        maximum: Self.excess * estimate.ceiling, own: Self.own, colorCost: Self.colorCost,
        glossCosts: Self.glossCosts, fading: 1 / Self.fading,
        nearness: 1 / (Self.like - Self.darkest),
        darker: Self.darkest / (Self.like - Self.darkest), minLikeness: Self.minLikeness,
        trust: 1 / Self.enough, beyond: Self.beyond)
      body(&settings)
    }
  }
}
