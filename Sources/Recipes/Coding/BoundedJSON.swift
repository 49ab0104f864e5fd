package import Foundation
import ImageCore

/// JSON that anybody may have written: decoded only where brackets are within few others, as each
/// level takes stack, and at each a value of any kind is tried; and where texts have no long runs
/// of combining marks (``CombiningMarks``).
package enum BoundedJSON {
  /// Why JSON was not decoded.
  package enum Excess: Error, CustomStringConvertible {
    case brackets
    case marks
    /// More values than this.
    case values(Int)

    /// The problem and what to do next.
    package var description: String {
      switch self {
      case .brackets:
        "it is nested deeper than \(BoundedJSON.maxDepth) levels; nest values less"
      case .marks: CombiningMarks.refusal
      case .values(let limit): "it holds more than \(limit) values; leave some out"
      }
    }
  }

  /// Brackets that may be within each other.
  static var maxDepth: Int { DecodeLimits.standard.maxNesting }

  /// The value of `bytes`, in UTF-8, which may hold `maxValues`. Throws a `DecodingError`; where a
  /// limit is exceeded, one whose underlying error is an ``Excess``.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, maxValues: Int = .max,
    by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    // The decoder takes UTF-16, too, whose bytes are no brackets and quotes.
    guard !bytes.contains(0) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "the JSON is not UTF-8"))
    }
    if let excess = excess(of: bytes, maxValues: maxValues) {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: excess.description, underlyingError: excess))
    }
    return try decoder.decode(type, from: bytes)
  }

  /// What ``decode(_:from:maxValues:by:)`` refuses `bytes` for.
  package static func excess(
    of bytes: some Collection<UInt8>, maxValues: Int = .max
  ) -> Excess? {
    var (depth, values, isText, isEscaped, mayHaveMarks) = (0, 1, false, false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped:
        isEscaped = false
        if byte == UInt8(ascii: "u") { mayHaveMarks = true }
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "[") where !isText, UInt8(ascii: "{") where !isText:
        depth += 1
        if depth > maxDepth { return .brackets }
      case UInt8(ascii: "]") where !isText, UInt8(ascii: "}") where !isText: depth -= 1
      case UInt8(ascii: ",") where !isText:
        values += 1
        if values > maxValues { return .values(maxValues) }
      // The first byte of U+0300.
      case 0xCC...: mayHaveMarks = true
      default: break
      }
    }
    guard mayHaveMarks else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return CombiningMarks.areTooMany(in: text.unicodeScalars) ? .marks : nil
  }
}

extension DecodingError {
  /// What ``BoundedJSON`` refused; nil for other errors.
  package var excess: BoundedJSON.Excess? {
    if case .dataCorrupted(let context) = self {
      context.underlyingError as? BoundedJSON.Excess
    } else {
      nil
    }
  }
}
