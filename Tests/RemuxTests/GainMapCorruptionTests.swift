import Formats
import Foundation
import HDRRender
import ImageCore
import Readers
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Remux

/// Damaged containers end in a file that opens, no larger than the edit explains, or in a typed
/// error; never in a trap.
@Suite struct GainMapCorruptionTests {
  /// Files with the range of their tables.
  private static func files() throws -> [(name: String, bytes: [UInt8], tables: Range<Int>)] {
    let heic = try HEIFDocumentTests.written()
    let media = heic.firstRange(of: Array("mdat".utf8))?.lowerBound ?? 1000
    let relaid = try HEIFDocumentTests.layouts[3].bytes(heic)
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: try WrittenScene.iso(), alternatePrimaries: .displayP3)
    let jpeg = try JPEGWriter(.init(.jpeg, .displayP3), workers: 1)
      .encode(WrittenScene.picture(), gainMap: map)
    let index = jpeg.firstRange(of: Array("MPF\0".utf8))?.lowerBound ?? 1000
    let second = JPEGSegments.nextImage(jpeg) ?? jpeg.count / 2
    return [
      ("heic", heic, 0..<media), ("wide heic", relaid, 0..<media), ("jpeg", jpeg, 0..<index + 100),
      ("jpeg index", jpeg, index..<index + 90), ("jpeg map", jpeg, second..<second + 1200),
    ]
  }

  @Test func damagedFilesAreEditedOrRefused() throws {
    var outcomes: [String: Int] = [:]
    let other = try WrittenScene.map(seed: 1)
    for (index, file) in try Self.files().enumerated() {
      for seed in 0..<500 {
        let bytes = Damage.damaged(
          file.bytes, tables: file.tables, anywhere: 4, seed: UInt64(index * 10_000 + seed))
        do {
          let editor = try GainMapEditor(bytes, limits: DecodeLimits(maxPixels: 1_000_000))
          var results = [
            Result { try editor.discardingGainMap().bytes },
            Result { try editor.removingHDR().bytes },
          ]
          if seed % 5 == 0 {
            results.append(Result { try editor.replacingGainMap(.image(other), workers: 1).bytes })
          }
          for result in results {
            switch result {
            case .success(let edited):
              #expect(edited.count <= bytes.count + 40_000)
              #expect(throws: Never.self) { try StillImage(edited) }
              outcomes["\(file.name) edited", default: 0] += 1
            case .failure(let error):
              let error = try #require(error as? ReadError, "\(error)")
              #expect(!error.message.isEmpty && !error.message.contains("\n"))
              outcomes["\(file.name) refused", default: 0] += 1
            }
          }
        } catch let error as ReadError {
          #expect(!error.message.isEmpty)
          outcomes["\(file.name) not opened", default: 0] += 1
        }
      }
    }
    print("damaged containers: \(outcomes.sorted { $0.key < $1.key })")
    for name in ["heic", "wide heic", "jpeg", "jpeg index", "jpeg map"] {
      #expect(outcomes["\(name) edited", default: 0] > 20)
    }
    #expect(outcomes["heic refused", default: 0] > 20)
  }
}

extension JPEGSegments {
  /// Where the second picture of `bytes` starts.
  fileprivate static func nextImage(_ bytes: [UInt8]) -> Int? {
    guard let file = try? FileBytes(bytes), let end = JPEGSegments(file)?.end() else { return nil }
    return end
  }
}
