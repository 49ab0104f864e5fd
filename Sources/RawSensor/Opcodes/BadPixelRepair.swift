import ImageCore
import RawData

/// Replaces bad samples by the mean of the nearest sound ones of the same color.
///
/// Source: DNG 1.7.1 chapter 7, ids 4 and 5, which leave the interpolation to the reader; the mean
/// of the four nearest is what the reference renderer takes for single ones. Where none of those is
/// sound the next nearest are taken, up to `BadPixels.reach` away; beyond, the sample stays. If
/// samples of one value are bad and more than `BadPixels.maxConstantFraction` of a plane are, as
/// in a black frame or around a picture that fills a part of it, only the nearest are searched: a
/// full search reads up to 168 samples each, which takes seconds for a complete picture.
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

  /// What stands at (`x`, `y`) according to its neighbors, or, of a plane that `isMostlyBad`, to
  /// the nearest alone; nil when none is sound.
  func value(
    _ x: Int, _ y: Int, _ mask: BadPixelMask, isMostlyBad: Bool, _ sample: (Int, Int) -> Float
  ) -> Float? {
    let position =
      floorModulo(y + origin.y, cfa.height) * cfa.width + floorModulo(x + origin.x, cfa.width)
    for ring in rings[position].prefix(isMostlyBad ? 1 : Int.max) {
      var (sum, count): (Float, Float) = (0, 0)
      for offset in ring where mask.isSound(x + offset.x, y + offset.y) {
        sum += sample(x + offset.x, y + offset.y)
        count += 1
      }
      if count > 0 { return sum / count }
    }
    return nil
  }
}
