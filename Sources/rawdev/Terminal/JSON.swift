import Develop
import Foundation

/// Machine-readable results on standard output, one line each, keys sorted, and `null` for numbers
/// that JSON lacks.
enum JSON {
  static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encodeFinite(value), as: UTF8.self)
  }
}
