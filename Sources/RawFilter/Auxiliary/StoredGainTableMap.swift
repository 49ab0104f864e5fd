/// A profile gain table map as stored (DNG 1.7.1, ProfileGainTableMap 52525 and ProfileGainTableMap2
/// 52544): gains for points of a grid over the active area, and for each a table over a weighted
/// brightness. Numbers are in the file's byte order. Fractions are not computed here, only read.
package struct StoredGainTableMap: Sendable {
  /// 1 or 2, by the tag.
  package let version: Int
  /// Rows and columns of the grid, and points of each table.
  package let rows: Int
  package let columns: Int
  package let points: Int
  /// Distance of the grid's points, vertical and horizontal, as shares of the active area.
  package let spacing: [Double]
  /// Place of the first point, vertical and horizontal.
  package let origin: [Double]
  /// Weights of red, green, blue, least and greatest channel.
  package let weights: [Float]
  /// Exponent of the table's input; 1 in version 1.
  package let gamma: Float
  /// The tag as stored.
  package let entry: TIFFEntry
  /// Byte order of the stored numbers.
  package var bigEndian: Bool { entry.bigEndian }
  /// How a gain is stored: 0 8-bit, 1 16-bit, 2 half, 3 float.
  private let type: Int
  private let range: (low: Float, high: Float)
  private var headerBytes: Int { version == 1 ? 64 : 80 }

  /// The map in `entry`; nil when its sizes contradict one another.
  package init?(_ entry: TIFFEntry) {
    func long(_ position: Int) -> UInt32? {
      entry.file.integer(UInt32.self, at: entry.offset + position, bigEndian: entry.bigEndian)
    }
    func double(_ position: Int) -> Double? {
      entry.file.integer(UInt64.self, at: entry.offset + position, bigEndian: entry.bigEndian)
        .map(Double.init(bitPattern:))
    }
    func float(_ position: Int) -> Float? { long(position).map(Float.init(bitPattern:)) }
    version = entry.tag == 52544 ? 2 : 1
    let header = version == 1 ? 64 : 80
    guard entry.bytes.count >= header, let v = long(0), let h = long(4), let n = long(40),
      let spacingV = double(8), let spacingH = double(16), let originV = double(24),
      let originH = double(32)
    else { return nil }
    (rows, columns, points) = (Int(v), Int(h), Int(n))
    spacing = [spacingV, spacingH]
    origin = [originV, originH]
    weights = (0..<5).compactMap { float(44 + 4 * $0) }
    type = version == 1 ? 3 : Int(long(64) ?? 4)
    gamma = version == 1 ? 1 : float(68) ?? 1
    range = version == 1 ? (0, 1) : (float(72) ?? 0, float(76) ?? 1)
    self.entry = entry
    guard (0...3).contains(type), rows > 0, columns > 0, points > 0 else { return nil }
    // As many as the bytes at most, so that products cannot overflow.
    let gains = (entry.count - header) / [1, 2, 2, 4][type]
    guard rows <= gains, columns <= gains / rows, points <= gains / rows / columns else {
      return nil
    }
  }

  /// The tables, by row and column of the grid.
  package var gains: [[[Float]]] {
    (0..<rows).map { row in
      (0..<columns).map { column in
        (0..<points).map { gain((row * columns + column) * points + $0) }
      }
    }
  }

  private func gain(_ index: Int) -> Float {
    let start = entry.offset + headerBytes
    func stored<T: FixedWidthInteger>(_ kind: T.Type) -> T {
      entry.file.integer(
        kind, at: start + index * MemoryLayout<T>.size, bigEndian: entry.bigEndian) ?? 0
    }
    switch type {
    case 0: return range.low + (range.high - range.low) * Float(stored(UInt8.self)) / 255
    case 1: return range.low + (range.high - range.low) * Float(stored(UInt16.self)) / 65535
    case 2: return Float(Float16(bitPattern: stored(UInt16.self)))
    default: return Float(bitPattern: stored(UInt32.self))
    }
  }
}
