import Foundation

/// How much headroom a picture keeps among others that are not high-range, such as thumbnails.
///
/// Source: own. Apple says only that it dims bright pictures by their average light level and that
/// the result lies between standard and high; it publishes no numbers. With a, the average of
/// max(R, G, B),
///
///     stops = clamp(1 − ½ · log2(a / 0.18), ½, 2)
///
/// so a picture that is as bright as a gray page, a = 0.18, keeps one stop; one twice as bright
/// keeps half a stop; a night scene with lamps, a ≤ 0.045, keeps two. Unknown averages count as
/// 0.18. The square root makes the light of the brightest areas fall half as fast as the average
/// rises.
public enum ConstrainedHeadroom {
  static let gray = 0.18
  static let leastStops = 0.5
  static let mostStops = 2.0

  /// The most headroom, a ratio to reference white, for an average of max(R, G, B) of the whole
  /// high-range picture, 1.0 = reference white; nil, 0 and no-numbers stand for unknown.
  public static func limit(averageLightLevel: Double?) -> Double {
    guard let average = averageLightLevel, average > 0, average.isFinite else { return 2 }
    return exp2(min(max(1 - 0.5 * log2(average / gray), leastStops), mostStops))
  }
}
