import Containers

/// Reads the values of one UNDEFINED tag sequentially, in the byte order of its directory. Reading
/// beyond the tag's end throws an error that names the tag.
struct TagReader {
  let entry: TIFFEntry
  /// The tag's name in the DNG specification.
  let name: String
  private var cursor: ByteCursor

  init(_ entry: TIFFEntry, name: String) {
    self.entry = entry
    self.name = name
    cursor = ByteCursor(entry.bytes[...], bigEndian: entry.bigEndian)
  }

  /// Number of unread bytes.
  var remaining: Int { cursor.remaining }

  /// `problem`: a predicate, such as "ends early".
  func damaged(_ problem: String) -> TagFault { TagFault(tag: name, problem: problem) }

  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(TagFault) -> T {
    guard let value = cursor.integer(type) else { throw damaged("ends early") }
    return value
  }

  mutating func float() throws(TagFault) -> Float { Float(bitPattern: try integer(UInt32.self)) }
  mutating func double() throws(TagFault) -> Double { Double(bitPattern: try integer(UInt64.self)) }

  /// A number that must be in `range`.
  mutating func count(_ what: String, in range: ClosedRange<Int>) throws(TagFault) -> Int {
    let value = Int(try integer(UInt32.self))
    guard range.contains(value) else {
      throw damaged("has \(value) \(what) instead of \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// An unsigned rational; nil for a denominator of 0.
  mutating func fraction() throws(TagFault) -> Double? {
    let above = try integer(UInt32.self)
    let below = try integer(UInt32.self)
    return below == 0 ? nil : Double(above) / Double(below)
  }

  /// The next `length` bytes as text.
  mutating func text(_ length: Int) throws(TagFault) -> String {
    guard let bytes = cursor.slice(length) else { throw damaged("ends early") }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Storage types of a table.
  enum Sample: Sendable {
    case uint8, uint16, half, float
    var width: Int {
      switch self {
      case .uint8: 1
      case .uint16: 2
      case .half: 2
      case .float: 4
      }
    }
  }

  /// The next `count` values, integers as fractions of their maximum. Never allocates more than the
  /// size of the tag.
  mutating func samples(_ sample: Sample, count: Int) throws(TagFault) -> [Float] {
    guard count >= 0, count <= remaining / sample.width else { throw damaged("ends early") }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      switch sample {
      case .uint8: values.append(Float(try integer(UInt8.self)) / 255)
      case .uint16: values.append(Float(try integer(UInt16.self)) / 65535)
      case .half: values.append(Float(Float16(bitPattern: try integer(UInt16.self))))
      case .float: values.append(try float())
      }
    }
    return values
  }
}
