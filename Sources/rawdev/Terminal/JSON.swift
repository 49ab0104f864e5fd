import Foundation
import ImageCore

/// Machine-readable results on standard output, one line each.
enum JSON {
  static func line(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.ofLines().encode(value), as: UTF8.self)
  }
}
