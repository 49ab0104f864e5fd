package import Foundation
import Recipes

/// Values as lines of JSON: one object on a line, line feeds in texts written as `\n`, keys sorted,
/// so that equal values are equal lines, and numbers that JSON lacks as the texts `inf`, `-inf` and
/// `nan`.
package enum JSONLine {
  /// The line of `value`, with its line feed.
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value) + [10]
  }

  /// The value of a line, which may hold `mostValues`. Keys that `Value` does not know are ignored.
  /// Throws for what ``BoundedJSON`` refuses.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, _ line: Data, mostValues: Int = .max
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try BoundedJSON.decode(type, from: line, mostValues: mostValues, by: decoder)
  }
}
