import Foundation
import ImageCore
import Testing

@Suite struct NonFiniteJSONTests {
  private struct Facts: Codable, Equatable {
    var name: String
    var white: Double?
    var black: [Float]
    var depth: [String: Float] = [:]
  }

  private func json(_ facts: Facts) throws -> String {
    String(decoding: try JSONEncoder.ofLines().encode(facts), as: UTF8.self)
  }

  @Test(arguments: [(Double.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN")])
  func numbersThatJSONLacksAreTexts(value: Double, text: String) throws {
    let facts = Facts(
      name: "a/b", white: value, black: [0.5, Float(value)], depth: ["near": Float(value)])
    let line = try json(facts)
    let numbers = #""black":[0.5,"\#(text)"],"depth":{"near":"\#(text)"}"#
    #expect(line == #"{\#(numbers),"name":"a/b","white":"\#(text)"}"#)
    let again = try JSONDecoder.ofLines().decode(Facts.self, from: Data(line.utf8))
    // Not a number is not equal to itself.
    #expect(value.isNaN ? again.white?.isNaN == true : again == facts)
  }

  @Test func allElseIsAsItWas() throws {
    let facts = Facts(name: "Infinity \"NaN\" é\u{1}", white: 1e300, black: [-0.25])
    let decoded = try JSONDecoder.ofLines().decode(Facts.self, from: Data(json(facts).utf8))
    #expect(decoded == facts)
    let other = #"{"name": "a", "black": ["infinite"], "depth": {}}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder.ofLines().decode(Facts.self, from: Data(other.utf8))
    }
  }
}
