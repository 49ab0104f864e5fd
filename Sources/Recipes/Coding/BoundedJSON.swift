package import Foundation
import ImageCore

/// JSON that anybody may have written: decoded only where brackets are within few others, as each
/// level takes stack, and at each a value of any kind is tried.
package enum BoundedJSON {
  /// Why JSON was not decoded.
  package struct TooDeep: Error, CustomStringConvertible {
    package init() {}

    /// What is wrong and what to do next.
    package var description: String {
      "more than \(BoundedJSON.mostBrackets) brackets are within each other; nest values less"
    }
  }

  /// Brackets that may be within each other.
  static var mostBrackets: Int { DecodeLimits.standard.maxNesting }

  /// The value of `bytes`, in UTF-8. Throws a `DecodingError`; for brackets within more than
  /// ``DecodeLimits/maxNesting`` others, one whose underlying error is ``TooDeep``.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    // The decoder takes UTF-16, too, whose bytes are no brackets and quotes.
    guard !bytes.contains(0) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "the JSON is not UTF-8"))
    }
    guard !isTooDeep(bytes) else {
      let error = TooDeep()
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: error.description, underlyingError: error))
    }
    return try decoder.decode(type, from: bytes)
  }

  /// Whether ``decode(_:from:by:)`` refuses `bytes` for their brackets.
  package static func isTooDeep(_ bytes: some Sequence<UInt8>) -> Bool {
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "[") where !isText, UInt8(ascii: "{") where !isText:
        depth += 1
        if depth > mostBrackets { return true }
      case UInt8(ascii: "]") where !isText, UInt8(ascii: "}") where !isText: depth -= 1
      default: break
      }
    }
    return false
  }
}

extension DecodingError {
  /// Whether ``BoundedJSON`` refused brackets within each other.
  package var isTooDeep: Bool {
    if case .dataCorrupted(let context) = self {
      context.underlyingError is BoundedJSON.TooDeep
    } else {
      false
    }
  }
}
