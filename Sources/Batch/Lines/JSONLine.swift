package import Foundation
import ImageCore
import Recipes

/// Values as lines of JSON: one object on a line, line feeds in texts written as `\n`.
package enum JSONLine {
  /// The line of `value`, with its line feed.
  package static func encode(_ value: some Encodable) throws -> Data {
    try JSONEncoder.ofLines().encode(value) + [10]
  }

  /// The value of a line, which may hold `maxValues`. Keys that `Value` does not know are ignored.
  /// Throws for what ``BoundedJSON`` refuses.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, _ line: Data, maxValues: Int = .max
  ) throws -> Value {
    try BoundedJSON.decode(type, from: line, maxValues: maxValues, by: .ofLines())
  }
}
