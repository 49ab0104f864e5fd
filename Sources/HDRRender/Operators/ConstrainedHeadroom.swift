import Foundation

/// The headroom of a picture displayed among SDR pictures, as with thumbnails.
///
/// Source: own. Apple says only that it dims bright pictures by their average light level and that
/// the result lies between SDR and HDR; it publishes no numbers. With a, the average of max(R, G,
/// B),
///
///     stops = clamp(1 − ½ · log2(a / 0.18), ½, 2)
///
/// so a picture that is as bright as a gray page, a = 0.18, keeps one stop; one twice as bright
/// keeps half a stop; a night scene with lamps, a ≤ 0.045, keeps two. Unknown averages are treated
/// as 0.18. The factor ½ makes the brightest areas darken half as fast, in stops, as the average
/// rises.
public enum ConstrainedHeadroom {
  static let gray = 0.18
  static let minStops = 0.5
  static let maxStops = 2.0

  /// The headroom limit, as a ratio to reference white, for an average of max(R, G, B) over the HDR
  /// picture, 1.0 = reference white; nil, 0 and NaN mean unknown.
  public static func limit(averageLightLevel: Double?) -> Double {
    guard let average = averageLightLevel, average > 0, average.isFinite else { return 2 }
    return exp2(min(max(1 - 0.5 * log2(average / gray), minStops), maxStops))
  }
}
