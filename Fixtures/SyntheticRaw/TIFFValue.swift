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
  /// Offsets in the file or lengths of parts of it: LONG, in a BigTIFF LONG8.
  case offsets([UInt64])
  /// UNDEFINED: a number of bytes that are stored elsewhere in the file.
  case elsewhere(UInt64, count: Int)

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

  /// Type number of TIFF 6.0, or of BigTIFF.
  func typeCode(isBig: Bool) -> UInt16 {
    switch self {
    case .offsets: isBig ? 16 : 4
    case .bytes: 1
    case .ascii: 2
    case .shorts: 3
    case .longs: 4
    case .rationals: 5
    case .undefined, .elsewhere: 7
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
    case .offsets(let v): v.count
    case .elsewhere(_, let count): count
    }
  }

  /// Bytes of all values in the directory or behind it.
  func byteCount(isBig: Bool) -> Int {
    switch self {
    case .bytes, .undefined, .ascii: count
    case .shorts: 2 * count
    case .longs, .floats: 4 * count
    case .rationals, .signedRationals, .doubles: 8 * count
    case .offsets: (isBig ? 8 : 4) * count
    case .elsewhere: isBig ? 8 : 4
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
    case .offsets(let v): for x in v { out.appendOffset(x) }
    case .elsewhere(let offset, _): out.appendOffset(offset)
    }
  }
}
