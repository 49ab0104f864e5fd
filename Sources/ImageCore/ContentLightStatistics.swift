import CKernels

/// Content light levels of a picture by the definitions of CTA-861.3: over the largest of R, G and
/// B of each pixel; 1.0 = reference white.
public struct ContentLightStatistics: Sendable, Hashable, Codable {
  private var peak: Float = 0
  private var sum: Double = 0
  private var count: Int = 0

  /// Statistics of no pixels.
  public init() {}

  /// The brightest pixel, as a multiple of reference white; 0 for no pixels.
  public var contentHeadroom: Float { peak }
  /// The average over all pixels, as a multiple of reference white.
  public var contentAverageLightLevel: Float { count > 0 ? Float(sum / Double(count)) : 0 }
  /// MaxCLL in integer cd/m², as `clli` stores it.
  public var maximumContentNits: Int { Self.nits(Double(peak)) }
  /// MaxFALL (MaxPALL for a still) in integer cd/m².
  public var averageNits: Int { Self.nits(Double(contentAverageLightLevel)) }

  private static func nits(_ linear: Double) -> Int {
    Int(min(max((linear * ReferenceWhite.nits).rounded(), 0), 65_535))
  }

  /// Adds the pixels of one more rectangle: all of `buffer`, or `rect` in it.
  public mutating func add(_ buffer: PlanarBuffer, in rect: PixelRect? = nil) {
    let rect = (rect ?? PixelRect(buffer.size)).intersection(PixelRect(buffer.size))
    var (top, total) = ([Float](repeating: 0, count: 8), [Float](repeating: 0, count: 8))
    for y in rect.y..<rect.endY {
      let row = buffer.rows(y).from(rect.x)
      let width = rect.width
      let vectors = width & ~7
      ck_contentLightRow(row.kernel, Int64(vectors), &top, &total)
      peak = max(peak, SIMD8(top).max())
      var rowSum = Double(SIMD8(total).sum())
      // The sum must not include the margin.
      for x in vectors..<width {
        var m = max(row.red[x], row.green[x], row.blue[x])
        if !(m >= 0) { m = 0 }
        peak = max(peak, m)
        rowSum += Double(m)
      }
      sum += rowSum
      count += width
    }
  }

  /// Adds the pixels counted by `other`.
  public mutating func add(_ other: ContentLightStatistics) {
    peak = max(peak, other.peak)
    sum += other.sum
    count += other.count
  }
}
