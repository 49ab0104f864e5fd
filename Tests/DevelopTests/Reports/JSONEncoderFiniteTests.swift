import Develop
import Foundation
import Testing

@Suite struct JSONEncoderFiniteTests {
  private struct Facts: Codable, Equatable {
    var name: String
    var white: Double?
    var black: [Float?]
    var depth: [String: Float?] = [:]
  }

  private func json(_ facts: Facts) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encodeFinite(facts), as: UTF8.self)
  }

  @Test func numbersThatJSONLacksAreNull() throws {
    for value in [Double.infinity, -.infinity, .nan] {
      let facts = Facts(
        name: "a", white: value, black: [0.5, Float(value), 2], depth: ["near": Float(value)])
      #expect(
        try json(facts)
          == #"{"black":[0.5,null,2],"depth":{"near":null},"name":"a","white":null}"#)
    }
  }

  @Test func allElseIsAsItWas() throws {
    let facts = Facts(name: "inf not-finite- \"null\" é\u{1}", white: 1e300, black: [-0.25])
    let decoded = try JSONDecoder().decode(Facts.self, from: Data(json(facts).utf8))
    #expect(decoded == facts)
  }
}
