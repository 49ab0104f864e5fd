import Foundation
package import RawDecode

/// How far the highlight compression of a gain table map is undone, to use headroom.
///
/// A map compresses a picture to SDR: along each of its curves the gain falls as values grow. With
/// headroom this is not needed. For gray values x = (i/N)^(1/gamma) / Σw at point i the tone-mapped
/// value is x·g(i); above the point where it first passes `knee`, with gain g', gains do not fall
/// below g': g_s = g · (g'/g)^s wherever g < g', for a fraction s of the headroom. Nothing changes
/// below the knee or at s = 0.
package struct HighlightExpansion: Sendable, Hashable {
  /// Fraction of the headroom, 0…1.
  package var fraction: Float
  /// Tone-mapped value above which gains do not fall.
  package var knee: Double

  /// The map as stored.
  package static let none = HighlightExpansion(fraction: 0, knee: 1)
}

extension GainTableMap {
  /// The map with `expansion` applied.
  package func expandingHighlights(_ expansion: HighlightExpansion) -> GainTableMap {
    let weight = weights.reduce(0) { $0 + Double($1) }
    guard expansion.fraction > 0, weight > 0, points > 1 else { return self }
    let input = (0..<points).map {
      pow(Double($0) / Double(points), 1 / Double(gamma)) / weight
    }
    var map = self
    for cell in stride(from: 0, to: gains.count, by: points) {
      func toned(_ i: Int) -> Double { input[i] * Double(gains[cell + i]) }
      guard let passed = (1..<points).first(where: { toned($0) >= expansion.knee }) else {
        continue
      }
      let (before, after) = (toned(passed - 1), toned(passed))
      let part = after > before ? (expansion.knee - before) / (after - before) : 1
      let limit =
        gains[cell + passed - 1]
        + Float(min(max(part, 0), 1)) * (gains[cell + passed] - gains[cell + passed - 1])
      for i in passed..<points where gains[cell + i] < limit {
        let ratio = limit / gains[cell + i]
        map.gains[cell + i] =
          expansion.fraction == 1 ? limit : gains[cell + i] * pow(ratio, expansion.fraction)
      }
    }
    return map
  }
}
