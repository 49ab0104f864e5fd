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
/// the 5 × 5, with their evidence e (1 at 0.9 of the clip level, 0 from it on) times k (4 in the
/// 3 × 3, else 1) as weights w:
///
///     Σ w·(a·d + b − v′)² + W·(0.001·a² + 0.03·b²) → min,  W = Σ w
///     v′ᵢ becomes max(v′ᵢ, a·dᵢ + b)
///
/// The small terms decide where one channel is left: for the color. A saturated neighbor has no
/// evidence, so a channel never follows another that is saturated too; the photosite itself counts
/// with w = 0.08, which keeps a strongly colored light from following the noise of its dark
/// channels.
/// Without evidence in the 5 × 5 nothing is known of the color: the result fades to neutral at
/// `ceiling`, the highest of the channels' saturation levels, by the smoothstep of the evidence of
/// up to 4 photosites, the fewest of one color in a 5 × 5 of a Bayer mosaic. So the change is
/// continuous in exposure, and what is saturated in all channels is neutral under the white in use.
/// Units: balanced linear values. No result is above `excess` = 1.5 times `ceiling` unless its
/// input was: a strongly colored light exceeds it in one channel.
/// Known failures: a wide light in which a strong color is saturated is neutral in the middle; a
/// wrong saturation level gives a tint.
struct GuidedHighlights: Sendable {
  /// Photosites that are read on each side.
  static let reach = 2
  /// Weight of the photosite itself.
  private static let own: Float = 0.08
  /// Largest result, as a multiple of the ceiling.
  static let excess: Float = 1.5
  private static let (colorCost, glossCost): (Float, Float) = (0.001, 0.03)

  /// From balanced values to those balanced for the white in use.
  let gains: SIMD4<Float>
  /// Value under the white in use of a neutral in which all channels are saturated.
  let ceiling: Float
  let clipRows: ChannelRows
  let colors: HighlightColors
  private let sites: HighlightSites

  init(
    _ cfa: CFA, gains: SIMD4<Float>, ceiling: Float, clipRows: ChannelRows, colors: HighlightColors
  ) {
    self.gains = gains
    self.ceiling = ceiling
    self.clipRows = clipRows
    self.colors = colors
    sites = HighlightSites(cfa)
  }

  /// Copies `rect` of `source` to `target`, saturated photosites reconstructed; false, and nothing
  /// copied, when there are none. `evidence` and `line` are scratch memory.
  func rebuild(
    _ source: TilePlane, _ rect: PixelRect, into target: TilePlane, evidence: TilePlane,
    line: TilePlane
  ) -> Bool {
    guard let spans = SaturatedSites.spans(source, rect, clipRows) else { return false }
    let area = rect.expanded(by: Self.reach)
    evidence.reshape(area)
    line.reshape(PixelRect(x: area.x, y: 0, width: area.width, height: 1))
    SaturatedSites.evidence(source, rect, spans, clipRows, reach: Self.reach, into: line.row(0)) {
      y, columns, single in
      evidence.row(y).from(columns.lowerBound).update(
        from: single, count: columns.count + 2 * Self.reach)
    }
    SaturatedSites.replace(source, rect, spans, clipRows, into: target) { x, y in
      rebuilt(source, x, y, evidence)
    }
    return true
  }

  @inline(__always)
  private func rebuilt(_ source: TilePlane, _ x: Int, _ y: Int, _ evidence: TilePlane) -> Float {
    let taps = sites.taps(x: x, y: y)
    let free = evidence.row(y).start + (x - evidence.rect.x)
    var sum: Float = 0
    for tap in taps { sum += free[tap.dy &* evidence.stride &+ tap.dx] }
    let gain = gains[taps[0].channel]
    if sum <= 0 { return ceiling / gain }
    let values = source.row(y).start + (x - source.rect.x)
    let color = colors.color(x: x, y: y)
    let value = values[0] * gain
    var fit = Fit()
    fit.add(value, color[taps[0].channel], weight: Self.own)
    for tap in taps where tap.weight > 0 {
      let light = values[tap.dy &* source.stride &+ tap.dx] * gains[tap.channel]
      let weight = tap.weight * free[tap.dy &* evidence.stride &+ tap.dx]
      fit.add(light, color[tap.channel], weight: weight)
    }
    let light = fit.light(color[taps[0].channel], Self.colorCost, Self.glossCost)
    let guess = min(max(value, light), max(Self.excess * ceiling, value))
    let t = min(sum * 0.25, 1)
    let known = t * t * (3 - 2 * t)
    return (ceiling + (guess - ceiling) * known) / gain
  }
}

/// The sums of the least squares.
private struct Fit {
  private var weight: Float = 0
  private var color: Float = 0
  private var colorSquare: Float = 0
  private var light: Float = 0
  private var litColor: Float = 0

  @inline(__always)
  mutating func add(_ value: Float, _ color: Float, weight: Float) {
    self.weight += weight
    self.color += weight * color
    colorSquare += weight * color * color
    light += weight * value
    litColor += weight * value * color
  }

  /// The light of a channel that has `own` of the color.
  @inline(__always)
  func light(_ own: Float, _ colorCost: Float, _ glossCost: Float) -> Float {
    let (m, n) = (colorSquare + colorCost * weight, (1 + glossCost) * weight)
    let determinant = m * n - color * color
    let a = (litColor * n - light * color) / determinant
    let b = (light * m - litColor * color) / determinant
    if a < 0 { return light / weight }
    return b < 0 ? litColor / colorSquare * own : a * own + b
  }
}

/// The 5 × 5 around each position of a color filter pattern, as ``GuidedHighlights`` reads it.
final class HighlightSites: @unchecked Sendable {
  struct Tap {
    let dx: Int
    let dy: Int
    let channel: Int
    /// 0 for the channel of the center.
    let weight: Float
  }

  private static let count = 25
  private let width: Int
  private let height: Int
  private let storage: PixelStorage<Tap>

  init(_ cfa: CFA) {
    width = cfa.width
    height = cfa.height
    storage = PixelStorage(
      count: width * height * Self.count, repeating: Tap(dx: 0, dy: 0, channel: 0, weight: 0))
    for y in 0..<height {
      for x in 0..<width {
        let own = cfa.channel(at: x, y)
        var next = storage.start + (y * width + x) * Self.count
        // The center first.
        let square = (-2...2).flatMap { dy in (-2...2).map { dx in (dx, dy) } }
        for (dx, dy) in [(0, 0)] + square.filter({ $0 != (0, 0) }) {
          let channel = cfa.channel(at: x + dx, y + dy)
          let weight: Float = channel == own ? 0 : max(abs(dx), abs(dy)) < 2 ? 4 : 1
          next.initialize(to: Tap(dx: dx, dy: dy, channel: channel, weight: weight))
          next += 1
        }
      }
    }
  }

  /// Those of the photosite at column `x`, row `y`, itself first; valid as long as this object.
  @inline(__always)
  func taps(x: Int, y: Int) -> UnsafeBufferPointer<Tap> {
    let site = floorModulo(y, height) &* width &+ floorModulo(x, width)
    return UnsafeBufferPointer(start: storage.start + site &* Self.count, count: Self.count)
  }
}
