import ImageCore
import RawData

/// Replaces bad samples by the mean of the nearest good ones of the same color.
///
/// Source: DNG 1.7.1 chapter 7, ids 4 and 5, which leave the interpolation to the reader; the mean
/// of the four nearest is what the reference renderer treats as single ones. If none of those is
/// good the next nearest are used, up to `BadPixels.reach` away; beyond that the sample is
/// unchanged. If samples of one value are bad and make up more than
/// `BadPixels.maxConstantFraction` of a plane, as in a black frame or around a picture that fills a
/// part of it, only the nearest are examined: up to 168 others for each sample of a full picture
/// take seconds.
struct BadPixelRepair: Sendable {
  private let cfa: CFA
  private let origin: PixelPoint
  /// For each position of the pattern the offsets of samples of the same color, by distance.
  private let rings: [[[PixelPoint]]]

  /// `cfa` in the coordinates of a frame in which the plane's first sample lies at `origin`.
  init(_ cfa: CFA, origin: PixelPoint) {
    self.cfa = cfa
    self.origin = origin
    rings = (0..<cfa.width * cfa.height).map { position in
      let (x, y) = (position % cfa.width, position / cfa.width)
      var found: [Int: [PixelPoint]] = [:]
      for dy in -BadPixels.reach...BadPixels.reach {
        for dx in -BadPixels.reach...BadPixels.reach where dx != 0 || dy != 0 {
          guard cfa.channel(at: x + dx, y + dy) == cfa.channel(x: x, y: y) else { continue }
          found[dx * dx + dy * dy, default: []].append(PixelPoint(x: dx, y: dy))
        }
      }
      return found.keys.sorted().compactMap { found[$0] }
    }
  }

  /// The value at (`x`, `y`) from its neighbors, in a plane that `isMostlyBad` only from the
  /// nearest; nil if none is good.
  func value(
    _ x: Int, _ y: Int, _ mask: BadPixelMask, isMostlyBad: Bool, _ sample: (Int, Int) -> Float
  ) -> Float? {
    let position =
      floorModulo(y + origin.y, cfa.height) * cfa.width + floorModulo(x + origin.x, cfa.width)
    for ring in rings[position].prefix(isMostlyBad ? 1 : Int.max) {
      var (sum, count): (Float, Float) = (0, 0)
      for offset in ring where mask.isGood(x + offset.x, y + offset.y) {
        sum += sample(x + offset.x, y + offset.y)
        count += 1
      }
      if count > 0 { return sum / count }
    }
    return nil
  }
}
