import Containers
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

/// Damaged files end in a picture or a typed error, soon; never in a trap or without end.
@Suite struct HEIFCorruptionTests {
  private static func files() throws -> [[UInt8]] {
    let size = PixelSize(width: 64, height: 48)
    let (base, map) = (try TestHEIF.Coded(size), try TestHEIF.Coded(size, seed: 9))
    let record = try GainMapMetadata(
      channels: [.init(maximumStops: 2)], alternateHeadroomStops: 2
    ).isoRecord
    let apple = TestHEIF.apple(headroom: 3)
    var grid = TestHEIF.mapped(base, map, record: record, apple: apple)
    grid.items.append(
      .init(number: 9, type: "grid", data: [0, 0, 1, 1, 0, 100, 0, 90], isInline: true))
    grid.references.append(("dimg", 9, [1, 1, 1, 1]))
    grid.primary = 9
    grid.add(9, TestHEIF.box("irot", [1]))
    grid.add(9, TestHEIF.box("imir", [1]))
    let linear = try Image<DisplayReferred>(
      size: size, info: .init(primaries: .bt2020, headroom: 2)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<48 { for x in 0..<64 { planes.row(plane, y)[x] = Float(x * y) / 1600 } }
      }
    }
    return [
      TestHEIF.mapped(base, map, record: record, apple: apple).bytes(), grid.bytes(),
      try HEIFWriter(.init(.heif, .bt2100PQ), workers: 1).encode(linear),
    ]
  }

  @Test func damagedFilesEndInAPictureOrAnError() throws {
    var outcomes: [String: Int] = [:]
    for (index, file) in try Self.files().enumerated() {
      let complete = try StillImage(file)
      _ = try complete.linear(.high)
      let tables = min(1400, file.count)
      for seed in 0..<700 {
        let bytes = Damage.damaged(
          file, tables: 0..<tables, anywhere: 3, seed: UInt64(index * 1000 + seed))
        do {
          let limits = DecodeLimits(maxPixels: 1_000_000)
          let still = try StillImage(bytes, limits: limits)
          let opened = try #require(still.container as? HEIFStill)
          for plan in [opened.plan, opened.map?.plan].compactMap({ $0 }) {
            // Tiles reach beyond the picture by less than one of them on each axis.
            let decoded = plan.tiles.count * plan.still.size.area
            #expect(decoded <= 4 * limits.maxPixels, "variant \(index), \(seed)")
          }
          _ = try TestHEIF.codes(still)
          if still.gainMap != nil { _ = try still.container.gainMap() }
          outcomes["picture", default: 0] += 1
        } catch let error as ReadError {
          outcomes[error.code.rawValue, default: 0] += 1
          #expect(!error.message.isEmpty && !error.message.contains("\n"))
        }
      }
    }
    print("damaged HEIF: \(outcomes.sorted { $0.key < $1.key })")
    #expect(outcomes.values.reduce(0, +) == 2100 && outcomes.count >= 3)
  }

  /// Each early end of a file.
  @Test func earlyEnds() throws {
    let size = PixelSize(width: 64, height: 48)
    let record = try GainMapMetadata(
      channels: [.init(maximumStops: 2)], alternateHeadroomStops: 2
    ).isoRecord
    let file = TestHEIF.mapped(
      try .init(size), try .init(size, seed: 9), record: record, apple: nil
    ).bytes()
    for length in stride(from: 1, to: file.count, by: 17) {
      #expect(throws: ReadError.self) {
        let still = try StillImage(Array(file.prefix(length)))
        _ = try TestHEIF.codes(still)
        _ = try still.container.gainMap()
      }
    }
  }

  /// AV1 data go through another decoder.
  @Test func damagedAVIF() throws {
    let file = try SharedFiles.bytes("hdr/iso_libavif_seine_sdr_gainmap.avif")
    for seed in 0..<150 {
      let bytes = Damage.damaged(file, tables: 0..<700, anywhere: 3, seed: UInt64(seed))
      do {
        let still = try StillImage(bytes, limits: DecodeLimits(maxPixels: 1_000_000))
        _ = try still.container.picture()
        if still.gainMap != nil { _ = try still.container.gainMap() }
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
  }
}
