/// The area of a picture above reference white, by level.
///
/// A tone curve made for the brightest pixel lets one glint darken the entire picture. It is made
/// for the level that only the fraction ``excess`` of the pixels exceed: these all reach the
/// display's peak. The largest of R, G and B counts. Values are counted in steps of 1/128 octave,
/// from integers, so that the result depends on no order. Chosen constants: 0.5 % is as much as
/// cameras let saturate by their own exposure; values less than a sixteenth of a stop above white
/// are attributed to lossy coding. Known failure: detail in highlights of less area is lost in SDR,
/// not in HDR.
package struct HighlightArea: Sendable {
  /// Fraction of the pixels that may exceed ``headroom``.
  static let excess = 0.005
  private static let codingError: Float = 1.0443
  private static let first = Int(Float(1).bitPattern >> 16)

  private var counts = [UInt32](repeating: 0, count: Int(Float.infinity.bitPattern >> 16) - first)
  private var pixels = 0
  /// The brightest pixel; 0 for no pixels.
  package private(set) var peak: Float = 0

  /// The headroom without the brightest ``excess`` of the area, at least 1.
  package var headroom: Float {
    var left = Int(Double(pixels) * Self.excess)
    guard
      let bin = counts.indices.reversed().first(where: {
        left -= Int(counts[$0]); return left < 0
      })
    else { return 1 }
    let above = Float(bitPattern: UInt32(bin + Self.first + 1) << 16)
    let found = min(above, peak)
    return found < Self.codingError ? 1 : found
  }

  /// Adds the pixels of one more rectangle.
  mutating func add(_ buffer: PlanarBuffer) {
    for y in 0..<buffer.size.height {
      let row = buffer.rows(y)
      for x in 0..<buffer.size.width {
        let value = max(row.red[x], row.green[x], row.blue[x])
        // NaN passes neither test.
        if value > peak { peak = value }
        guard value > 1, value < .infinity else { continue }
        counts[Int(value.bitPattern >> 16) - Self.first] += 1
      }
    }
    pixels += buffer.size.area
  }

  /// Adds the pixels counted by `other`.
  mutating func add(_ other: HighlightArea) {
    peak = max(peak, other.peak)
    pixels += other.pixels
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}
