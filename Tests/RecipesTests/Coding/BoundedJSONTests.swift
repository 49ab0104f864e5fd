import Foundation
import Testing

@testable import Recipes

@Suite struct BoundedJSONTests {
  private func deep(_ depth: Int, _ open: String, _ inside: String, _ close: String) -> Data {
    let (opening, closing) = (
      String(repeating: open, count: depth), String(repeating: close, count: depth)
    )
    return Data((opening + inside + closing).utf8)
  }

  @Test func bracketsWithinEachOtherAreBounded() throws {
    for (open, inside, close) in [("[", "", "]"), ("[", "1", "]"), (#"{"a":"#, "1", "}")] {
      _ = try BoundedJSON.decode(RecipeValue.self, from: deep(64, open, inside, close))
      for depth in [65, 100_000] {
        let error = try #require(throws: DecodingError.self) {
          try BoundedJSON.decode(RecipeValue.self, from: deep(depth, open, inside, close))
        }
        #expect("\(error.excess, default: "")".contains("nested deeper"))
      }
    }
  }

  /// Brackets in texts, and adjacent ones, are not nested.
  @Test func onlyBracketsWithinEachOtherCount() throws {
    let text = #"["\"[[\\", "\#(String(repeating: "{", count: 100))"]"#
    _ = try BoundedJSON.decode(RecipeValue.self, from: Data(text.utf8))
    let beside = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
    _ = try BoundedJSON.decode(RecipeValue.self, from: Data(beside.utf8))
  }

  /// In UTF-16, a byte of a letter may equal a quote.
  @Test func otherEncodingsAreRefused() throws {
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32] {
      let bytes = try #require("[1]".data(using: encoding))
      let error = try #require(throws: DecodingError.self) {
        try BoundedJSON.decode(RecipeValue.self, from: bytes)
      }
      #expect(error.excess == nil)
    }
  }

  /// In keys and texts, plain and as escapes, including surrogate pairs.
  @Test func longRunsOfMarksAreRefused() throws {
    for mark in ["\u{301}", #"\u0301"#, #"\uD834\uDD65"#] {
      for text in [#"["aX"]"#, #"{"aX":1}"#] {
        func bytes(_ count: Int) -> Data {
          let marks = String(repeating: mark, count: count)
          return Data(text.replacingOccurrences(of: "X", with: marks).utf8)
        }
        _ = try BoundedJSON.decode(RecipeValue.self, from: bytes(64))
        for count in [65, 10_000] {
          let error = try #require(throws: DecodingError.self) {
            try BoundedJSON.decode(RecipeValue.self, from: bytes(count))
          }
          #expect("\(error.excess, default: "")".contains("marks"))
        }
      }
    }
    // Letters, of which many in a row make syllables.
    let letters = "[\"" + String(repeating: "\u{1100}\u{1161}\u{4E2D}", count: 1000) + "\"]"
    _ = try BoundedJSON.decode(RecipeValue.self, from: Data(letters.utf8))
  }

  @Test func valuesAreBoundedWhereSomebodySaysSo() throws {
    let bytes = Data(#"{"a": [1, 2, "x,y,z"], "b": 3}"#.utf8)
    _ = try BoundedJSON.decode(RecipeValue.self, from: bytes, maxValues: 4)
    let error = try #require(throws: DecodingError.self) {
      try BoundedJSON.decode(RecipeValue.self, from: bytes, maxValues: 3)
    }
    #expect("\(error.excess, default: "")".contains("more than 3 values"))
  }

  /// Programs that decode values by themselves have the same bound.
  @Test func valuesBoundThemselves() throws {
    _ = try JSONDecoder().decode(RecipeValue.self, from: deep(64, "[", "1", "]"))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RecipeValue.self, from: deep(66, "[", "1", "]"))
    }
  }
}
