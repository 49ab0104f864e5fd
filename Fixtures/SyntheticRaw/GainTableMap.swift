/// A ProfileGainTableMap (DNG 1.6; version 2: DNG 1.7): gains by position in the picture and by a
/// weighted sum of the pixel's channels.
public struct GainTableMap: Sendable, Hashable {
  /// How version 2 stores a gain.
  public enum Storage: UInt32, Sendable, CaseIterable {
    /// A fraction of the range in 8 bits.
    case unsigned8
    /// A fraction of the range in 16 bits.
    case unsigned16
    /// IEEE half.
    case half
    /// IEEE single.
    case single
  }

  /// Points down and across.
  public var rows: Int, columns: Int
  /// Entries of each table.
  public var entries: Int
  /// Weights of red, green, blue, the smallest and the largest of them.
  public var weights: [Float]
  /// Row by row, column by column, table by table.
  public var gains: [Float]
  /// Power that the weighted sum is raised to; only in version 2.
  public var gamma: Float = 1

  /// A map whose point in row v, column h holds `gain(place, t)` at t = n / `entries`; place is
  /// that of the point in the picture, 0…1 across and down.
  public init(
    rows: Int, columns: Int, entries: Int, weights: [Float],
    gain: (_ place: SIMD2<Float>, _ t: Float) -> Float
  ) {
    self.rows = rows
    self.columns = columns
    self.entries = entries
    self.weights = weights
    gains = []
    gains.reserveCapacity(rows * columns * entries)
    for v in 0..<rows {
      for h in 0..<columns {
        let place = SIMD2(
          Float(Self.origin(columns) + Double(h) * Self.spacing(columns)),
          Float(Self.origin(rows) + Double(v) * Self.spacing(rows)))
        for n in 0..<entries { gains.append(gain(place, Float(n) / Float(entries))) }
      }
    }
  }

  /// Distance of points as a fraction of the side: the outermost lie a little inside, as Apple's
  /// do.
  static func spacing(_ count: Int) -> Double { count == 1 ? 1 : 1 / (Double(count) + 0.4) }
  static func origin(_ count: Int) -> Double {
    count == 1 ? 0 : 0.5 - Double(count - 1) / 2 * spacing(count)
  }

  private func header(_ order: ByteOrder) -> ByteStream {
    var out = ByteStream(order: order)
    out.append(UInt32(rows))
    out.append(UInt32(columns))
    for value in [
      Self.spacing(rows), Self.spacing(columns), Self.origin(rows), Self.origin(columns),
    ] { out.append(value.bitPattern) }
    out.append(UInt32(entries))
    for weight in weights { out.append(weight.bitPattern) }
    return out
  }

  /// Version 1, field 52525.
  public func version1(_ order: ByteOrder) -> TIFFValue {
    var out = header(order)
    out.bytes.reserveCapacity(64 + 4 * gains.count)
    for gain in gains { out.append(gain.bitPattern) }
    return .undefined(out.bytes)
  }

  /// Version 2, field 52544.
  public func version2(_ order: ByteOrder, storage: Storage) -> TIFFValue {
    let (low, high) = (gains.min() ?? 1, gains.max() ?? 1)
    var out = header(order)
    out.append(storage.rawValue)
    for value in [gamma, low, high] { out.append(value.bitPattern) }
    for gain in gains {
      let share = high > low ? (gain - low) / (high - low) : 0
      switch storage {
      case .unsigned8: out.append(UInt8((share * 255).rounded()))
      case .unsigned16: out.append(UInt16((share * 65_535).rounded()))
      case .half: out.append(FloatSamples.half(gain))
      case .single: out.append(gain.bitPattern)
      }
    }
    return .undefined(out.bytes)
  }
}
