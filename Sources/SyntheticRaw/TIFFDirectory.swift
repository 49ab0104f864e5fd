public import ImageCore

/// The values of one field of a TIFF directory, by type.
public enum TIFFValue: Sendable, Hashable {
  /// BYTE.
  case bytes([UInt8])
  /// ASCII; the closing NUL is added.
  case ascii(String)
  /// SHORT.
  case shorts([UInt16])
  /// LONG.
  case longs([UInt32])
  /// RATIONAL.
  case rationals([Rational])
  /// SRATIONAL.
  case signedRationals([SignedRational])
  /// UNDEFINED, stored as it is.
  case undefined([UInt8])
  /// FLOAT.
  case floats([Float])
  /// DOUBLE.
  case doubles([Double])

  /// The value of an Exif entry.
  public init(_ value: ExifEntry.Value) {
    switch value {
    case .bytes(let v): self = .bytes(v)
    case .ascii(let v): self = .ascii(v)
    case .shorts(let v): self = .shorts(v)
    case .longs(let v): self = .longs(v)
    case .rationals(let v): self = .rationals(v)
    case .signedRationals(let v): self = .signedRationals(v)
    case .undefined(let v): self = .undefined(v)
    }
  }

  /// Type number of TIFF 6.0.
  var typeCode: UInt16 {
    switch self {
    case .bytes: 1
    case .ascii: 2
    case .shorts: 3
    case .longs: 4
    case .rationals: 5
    case .undefined: 7
    case .signedRationals: 10
    case .floats: 11
    case .doubles: 12
    }
  }

  /// Number of values.
  var count: Int {
    switch self {
    case .bytes(let v), .undefined(let v): v.count
    case .ascii(let v): v.utf8.count + 1
    case .shorts(let v): v.count
    case .longs(let v): v.count
    case .rationals(let v): v.count
    case .signedRationals(let v): v.count
    case .floats(let v): v.count
    case .doubles(let v): v.count
    }
  }

  func write(to out: inout ByteStream) {
    switch self {
    case .bytes(let v), .undefined(let v): out.bytes += v
    case .ascii(let v): out.bytes += Array(v.utf8) + [0]
    case .shorts(let v): for x in v { out.append(x) }
    case .longs(let v): for x in v { out.append(x) }
    case .rationals(let v):
      for x in v {
        out.append(x.numerator)
        out.append(x.denominator)
      }
    case .signedRationals(let v):
      for x in v {
        out.append(UInt32(bitPattern: x.numerator))
        out.append(UInt32(bitPattern: x.denominator))
      }
    case .floats(let v): for x in v { out.append(x.bitPattern) }
    case .doubles(let v): for x in v { out.append(x.bitPattern) }
    }
  }
}

/// Order of the bytes of a number in the file.
public enum ByteOrder: String, Sendable, CaseIterable {
  /// `II`.
  case little
  /// `MM`.
  case big
}

/// Bytes that grow at the end, numbers in one byte order.
struct ByteStream {
  let order: ByteOrder
  var bytes: [UInt8] = []

  mutating func append<T: FixedWidthInteger>(_ value: T) {
    let stored = order == .big ? value.bigEndian : value.littleEndian
    withUnsafeBytes(of: stored) { bytes.append(contentsOf: $0) }
  }
}

/// A TIFF 6.0 directory: fields in ascending order of their tags, long values behind them.
struct TIFFDirectory {
  private(set) var fields: [UInt16: TIFFValue] = [:]

  subscript(tag: UInt16) -> TIFFValue? {
    get { fields[tag] }
    set { fields[tag] = newValue }
  }

  /// Bytes of the directory itself, without its long values.
  private var tableSize: Int { 2 + 12 * fields.count + 4 }

  /// Bytes that the directory and its long values take; even.
  var byteCount: Int {
    var sum = tableSize
    for value in fields.values {
      var probe = ByteStream(order: .little)
      value.write(to: &probe)
      if probe.bytes.count > 4 { sum += (probe.bytes.count + 1) & ~1 }
    }
    return (sum + 1) & ~1
  }

  /// The directory as it stands at `offset` in the file, the last of its chain.
  func encoded(at offset: Int, order: ByteOrder) -> [UInt8] {
    var table = ByteStream(order: order)
    var heap = ByteStream(order: order)
    table.append(UInt16(fields.count))
    for tag in fields.keys.sorted() {
      guard let value = fields[tag] else { continue }
      table.append(tag)
      table.append(value.typeCode)
      table.append(UInt32(value.count))
      var data = ByteStream(order: order)
      value.write(to: &data)
      if data.bytes.count <= 4 {
        table.bytes += data.bytes + [UInt8](repeating: 0, count: 4 - data.bytes.count)
      } else {
        table.append(UInt32(offset + tableSize + heap.bytes.count))
        heap.bytes += data.bytes
        if heap.bytes.count & 1 == 1 { heap.bytes.append(0) }
      }
    }
    table.append(UInt32(0))
    var all = table.bytes + heap.bytes
    if all.count & 1 == 1 { all.append(0) }
    return all
  }
}
