import Foundation
import ImageCore

/// Values as lines of JSON: one object on a line, line feeds in texts written as `\n`, keys sorted,
/// so that equal values are equal lines, and numbers that JSON lacks as the texts `inf`, `-inf` and
/// `nan`.
enum JSONLine {
  /// The line of `value`, with its line feed.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value) + [10]
  }

  /// The value of a line. Keys that `Value` does not know are ignored. Throws for brackets within
  /// more than ``DecodeLimits/maxNesting`` others, at each of which a value of any kind is tried.
  static func decode<Value: Decodable>(_ type: Value.Type, _ line: Data) throws -> Value {
    guard depth(line) <= DecodeLimits.standard.maxNesting else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "there are too many brackets within each other"))
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: line)
  }

  /// The most brackets within each other.
  private static func depth(_ line: Data) -> Int {
    var (depth, most, isText, isEscaped) = (0, 0, false, false)
    for byte in line {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isText { depth += 1 }
        most = max(most, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { depth -= 1 }
      default: break
      }
    }
    return most
  }
}
