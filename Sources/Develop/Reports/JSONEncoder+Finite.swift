package import Foundation

extension JSONEncoder {
  /// The JSON of `value`, with `null` for each number that is infinite or none: JSON holds no such
  /// numbers, and files may lead to them by what they declare. One of them is no reason to say
  /// nothing of a file.
  package func encodeFinite(_ value: some Encodable) throws -> Data {
    // The encoder has no such strategy, so that they become a text first that is in no file.
    let mark = "not-finite-\(UUID().uuidString)"
    nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: mark, negativeInfinity: mark, nan: mark)
    let json = try encode(value)
    let quoted = "\"\(mark)\""
    guard json.range(of: Data(quoted.utf8)) != nil else { return json }
    let text = String(decoding: json, as: UTF8.self)
    return Data(text.replacingOccurrences(of: quoted, with: "null").utf8)
  }
}
