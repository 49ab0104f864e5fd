import CVector
import Foundation
package import ImageCore

/// A picture in balanced camera RGB with less noise.
///
///     source ── NoiseStabilization ─ noise of one size at every brightness
///            ── NoiseColors ──────── brightness and two color differences
///            ── DCTThresholding ───── brightness at full size; color at a quarter of the size, then
///                                    half, then full: each level gives the next its coarse part
///            ── back, keeping means; fading out at saturation, where noise is cut off
///
/// Reads up to ``halo`` pixels around a rectangle; beyond the borders the picture is mirrored. The
/// result does not depend on rectangles or threads. Amounts of zero return the source bit for bit.
/// Works the same on reduced pictures, whose spectrum has less noise. What saturates keeps its
/// value: pixels whose result reaches 1.0 times the saturation of any channel, or that are a
/// quarter above. Known limits: detail fainter than noise goes with it; single photosites that
/// stand out beyond noise stay (``Despeckle``).
package struct NoiseReduction: PixelSource {
  package typealias State = CameraRGB

  /// Pixels that are read on each side of a rectangle, at most.
  package static let halo = 64
  /// Thresholds in standard deviations at amount 1: brightness, color at full size, color below.
  static let strengths: (luminance: Float, color: Float, coarseColor: Float) = (2.7, 3, 2)
  /// Rectangles are worked on in tiles of this size: the halo of smaller ones costs more.
  static let tileWidth = 1024
  static let tileHeight = 512

  package let source: any PixelSource<CameraRGB>
  package let amounts: NoiseAmounts
  package var size: PixelSize { source.size }
  package var info: CameraRGB.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, 512) }

  let scale: NoiseStabilization
  let saturation: SIMD3<Float>
  /// Nil when brightness stays.
  let luminance: DCTThresholding?
  /// Of full, half and quarter size the two color planes; empty when color stays.
  let color: [[DCTThresholding]]
  /// What smoothing takes from the light of each channel, and the share of it that is in effect.
  let scatter: [NoiseScatter]
  let removedShare: Float
  private let pool = NoiseWorkspacePool()

  /// `source` with noise as `model` and `spectrum` describe it, which must have been made for
  /// the same model. Throws when an amount is outside 0…1.
  package init(
    _ source: any PixelSource<CameraRGB>, model: NoiseModel, spectrum: NoiseSpectrum,
    amounts: NoiseAmounts
  ) throws(RAWError) {
    for (name, amount) in [("luminance", amounts.luminance), ("color", amounts.color)] {
      guard amount >= 0, amount <= 1 else {
        throw RAWError(
          .badSetting, .settings, "the \(name) noise reduction \(amount) must be 0 to 1")
      }
    }
    self.source = source
    self.amounts = amounts
    scale = NoiseStabilization(model)
    saturation = model.saturation
    let strengths = Self.strengths
    luminance =
      amounts.luminance > 0
      ? DCTThresholding(
        spectrum: spectrum.levels[0][0], strength: strengths.luminance * amounts.luminance,
        step: 2) : nil
    color =
      amounts.color > 0
      ? (0..<NoiseSpectrum.levelCount).map { level in
        let strength = level == 0 ? strengths.color : strengths.coarseColor
        return (1...2).map { plane in
          DCTThresholding(
            spectrum: spectrum.levels[level][plane], strength: strength * amounts.color,
            step: level == 0 ? 4 : 2)
        }
      } : []
    let share = SIMD2(
      Self.removedShare(strengths.luminance * amounts.luminance),
      Self.removedShare(strengths.color * amounts.color))
    scatter = spectrum.scatter
    removedShare = (share.x + 2 * share.y) / 3
  }

  /// Share of the variance of a Gaussian that lies below `t` standard deviations.
  private static func removedShare(_ t: Float) -> Float {
    let z = max(t, 0)
    let share = 1 / (1 + exp2(-1.4426950 * z * (1.5976 + 0.07056 * z * z)))
    let density = 0.3989423 * exp2(-0.7213475 * z * z)
    return max(2 * share - 1 - 2 * z * density, 0)
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    guard luminance != nil || !color.isEmpty else { return source.read(rect, into: buffer) }
    buffer.reshape(rect.size)
    pool.with { work in
      for tile in rect.evenTiles(width: Self.tileWidth, height: Self.tileHeight) {
        smooth(tile, work)
        finish(tile, into: buffer, origin: PixelPoint(x: rect.x, y: rect.y), work)
      }
    }
  }

  /// Way back, and the pixels that stay as they are.
  private func finish(
    _ tile: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: NoiseWorkspace
  ) {
    let limit = 1 / saturation
    let one = SIMD8<Float>(repeating: 1)
    let zero = SIMD8<Float>(repeating: 0)
    let unit = NoiseStabilization.whole
    for y in tile.y..<tile.endY {
      let smoothed = (0..<3).map { work.smoothed.at($0, tile.x, y) }
      let stored = (0..<3).map { work.stored($0, tile.x, y) }
      let out = (0..<3).map { buffer.row($0, y - origin.y).from(tile.x - origin.x) }
      for x in vectors(tile.width) {
        let f = NoiseColors.inverse(
          smoothed[0].lanes(x), smoothed[1].lanes(x), smoothed[2].lanes(x))
        let r = scale.inverse(f.r, excess: scatter[0].excess(f.r) * removedShare)
        let g = scale.inverse(f.g, excess: scatter[1].excess(f.g) * removedShare)
        let b = scale.inverse(f.b, excess: scatter[2].excess(f.b) * removedShare)
        let (r0, g0, b0) = (stored[0].lanes(x), stored[1].lanes(x), stored[2].lanes(x))
        let result = cv_max8(cv_max8(r * limit.x, g * limit.y), b * limit.z)
        let before = cv_max8(cv_max8(r0 * limit.x, g0 * limit.y), b0 * limit.z) - 0.25
        let share = cv_clamp8((one - cv_max8(result, before)) * 10, zero, one)
        let (sr, sg, sb) = (unit(r0), unit(g0), unit(b0))
        out[0].setLanes(x, select(share .> 0, sr + (r - sr) * share, cv_number8(r0)))
        out[1].setLanes(x, select(share .> 0, sg + (g - sg) * share, cv_number8(g0)))
        out[2].setLanes(x, select(share .> 0, sb + (b - sb) * share, cv_number8(b0)))
      }
    }
  }
}
