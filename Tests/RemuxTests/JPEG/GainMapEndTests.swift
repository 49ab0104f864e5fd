import Formats
import HDRRender
import ImageCore
import Readers
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Remux

/// What follows a gain map stays byte for byte, whether or not the map has an end marker.
@Suite struct GainMapEndTests {
  /// A film as motion photos have one, with an end marker and a start marker of JPEG in it.
  private static let film: [UInt8] = {
    var bytes: [UInt8] = [0, 0, 0, 24] + Array("ftypmp42".utf8)
    bytes += [UInt8](repeating: 0x56, count: 2000)
    bytes += [0xFF, 0xD9, 0xFF, 0xD8]
    for index in 0..<2000 { bytes.append(UInt8(truncatingIfNeeded: index * 77)) }
    return bytes
  }()

  private static func written(_ formats: Set<GainMapFormat> = .all) throws -> [UInt8] {
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: try WrittenScene.iso(), alternatePrimaries: .displayP3)
    return try JPEGWriter(
      .init(.jpeg, .displayP3).with { $0.mapFormats = formats }, workers: 1
    ).encode(WrittenScene.picture(), gainMap: map)
  }

  /// A file that states no size of its map.
  private static func unstated() throws -> [UInt8] {
    var bytes = try written([.iso])
    let picture = try #require(JPEGSegments(try FileBytes(bytes)))
    let index = try #require(picture.payloads(.pictures).first)
    bytes.removeSubrange(JPEGSegments.segmentRange(index, .pictures))
    return bytes
  }

  private func edited(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let editor = try GainMapEditor(bytes)
    #expect(editor.image.gainMap != nil)
    return [try editor.discardingGainMap().bytes, try editor.removingHDR().bytes]
  }

  @Test func mapsOfTheIndex() throws {
    let bytes = try Self.written()
    let plain = try edited(bytes)
    #expect(try edited(bytes + Self.film) == plain.map { $0 + Self.film })
    // The size counts the marker that is missing, or the file ends without it.
    let cut = Array(bytes.dropLast(2))
    #expect(try edited(cut + Self.film) == plain.map { $0 + Self.film })
    #expect(try edited(cut) == plain)
  }

  @Test func mapsOfADirectory() throws {
    var bytes = try Self.written([.ultraHDR])
    let picture = try #require(JPEGSegments(try FileBytes(bytes)))
    let index = try #require(picture.payloads(.pictures).first)
    let xmp = try #require(picture.xmp)
    #expect(PictureDirectory(XMLTree(xmp, .lenient)).gainMapLength != nil)
    bytes.removeSubrange(JPEGSegments.segmentRange(index, .pictures))
    let plain = try edited(bytes)
    let cut = Array(bytes.dropLast(2))
    #expect(try edited(cut + Self.film) == plain.map { $0 + Self.film })
  }

  @Test func mapsOfWhichNothingIsSaid() throws {
    let bytes = try Self.unstated()
    let plain = try edited(bytes)
    #expect(try edited(bytes + Self.film) == plain.map { $0 + Self.film })
    // The data are a complete picture, and nothing follows.
    let cut = Array(bytes.dropLast(2))
    #expect(try edited(cut) == plain)
    let editor = try GainMapEditor(cut + Self.film)
    #expect(throws: ReadError.self) { try editor.discardingGainMap() }
    #expect(throws: ReadError.self) { try editor.removingHDR() }
    let other = try WrittenScene.map(seed: 1)
    #expect(throws: ReadError.self) { try editor.replacingGainMap(.image(other), workers: 1) }
  }
}
