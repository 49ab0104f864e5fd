import Formats
import Foundation
import ImageCore
import RawFilter
import SyntheticRaw
import TestSupport
import Testing

@testable import Develop

@Suite struct ExtractorTests {
  /// A raw with a sky matte of 4 × 2 pixels and, if `isCut`, one without pixels.
  private func raw(isCut: Bool = false, _ fields: [UInt16: TIFFValue] = [:]) throws -> SmallRaw {
    let raw = try SmallRaw()
    var writer = DNGWriter(
      size: PixelSize(width: 8, height: 4), layout: .linear,
      samples: [UInt16](repeating: 500, count: 96))
    writer.white = [1000]
    writer.additionalFields = fields
    var name = Array("urn:com:apple:photo:2020:aux:semanticskymatte".utf8) + [0]
    if name.count % 2 == 1 { name.append(0) }
    let count = isCut ? 2 : 1
    writer.additionalFields[330] = .longs([UInt32](repeating: 0, count: count))
    var position = try writer.bytes.count
    var (offsets, appendix): ([UInt32], [UInt8]) = ([], [])
    for index in 0..<count {
      let values = position + 2 + 12 * 10 + 4
      let pixels = index == 0 ? values + name.count : 0x7FFF_0000
      let matte: [(UInt16, UInt16, Int, Int)] = [
        (254, 4, 1, 65540), (256, 4, 1, 4), (257, 4, 1, 2), (258, 4, 1, 8), (259, 4, 1, 1),
        (262, 4, 1, 52527), (273, 4, 1, pixels), (278, 4, 1, 2), (279, 4, 1, 8),
        (52526, 2, name.count, values),
      ]
      var directory: [UInt8] = [10, 0]
      for (tag, type, count, value) in matte {
        for (number, width) in [(Int(tag), 2), (Int(type), 2), (count, 4), (value, 4)] {
          directory += (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
      }
      offsets.append(UInt32(position))
      let whole = directory + [0, 0, 0, 0] + name + [0, 51, 102, 153, 204, 255, 1, 2]
      appendix += whole
      position += whole.count
    }
    writer.additionalFields[330] = .longs(offsets)
    try Data(try writer.bytes + appendix).write(to: URL(fileURLWithPath: raw.path))
    return raw
  }

  @Test func partsGetFilesOfTheirOwn() throws {
    let raw = try raw()
    let folder = raw.file("out/deep")
    var received: [Extractor.Item] = []
    let report = try Extractor().extract(raw.path, to: folder) { received.append($0) }
    #expect(report.items == received && report.failures.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["small-matte-sky.png", "small-profile-main.dcp"])
    let matte = try #require(report.items.first)
    #expect(matte.part == .mattes && matte.name == "sky" && matte.width == 4 && matte.height == 2)
    #expect(FileManager.default.contents(atPath: matte.path)?.count == matte.bytes)
    // Again: the same files, replaced when complete.
    var again = Extractor()
    again.existing = .replace
    #expect(try again.extract(raw.path, to: folder).items == report.items)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test func whatIsThereStaysUnlessItMayBeReplaced() throws {
    let raw = try raw()
    var extractor = Extractor(parts: [.profiles])
    extractor.existing = .replaceOwn
    for name in ["out", "links"] {
      try FileManager.default.createDirectory(
        atPath: raw.file(name), withIntermediateDirectories: true)
    }
    let path = raw.file("out/small-profile-main.dcp")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: DevelopError.self) {
      try extractor.extract(raw.path, to: raw.file("out"))
    }
    #expect(error?.codeName == "exists")
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    // Links are not followed, under any replacement policy.
    extractor.existing = .replace
    let link = raw.file("links/small-profile-main.dcp")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: DevelopError.self) { try extractor.extract(raw.path, to: raw.file("links")) }
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    _ = try extractor.extract(raw.path, to: raw.file("out"))
    #expect(FileManager.default.contents(atPath: path) != Data("mine".utf8))
  }

  @Test func onlyWhatIsAskedForIsWritten() throws {
    let raw = try raw()
    let report = try Extractor(parts: [.depth, .preview]).extract(raw.path, to: raw.file("none"))
    #expect(report.items.isEmpty && report.failures.isEmpty)
    // No folder is created without files.
    #expect(raw.names == ["small.dng"])
  }

  @Test func aDamagedPartLeavesTheOthers() throws {
    let raw = try raw(isCut: true)
    let report = try Extractor(parts: [.mattes, .profiles]).extract(raw.path, to: raw.folder)
    #expect(report.failures.count == 1 && report.failures[0].code == .damaged)
    #expect(report.failures[0].path == raw.path)
    #expect(raw.names == ["small-matte-sky.png", "small-profile-main.dcp", "small.dng"])
  }

  @Test func namesFromTheFileCannotLeaveTheFolder() throws {
    let raw = try raw([50936: .ascii("../../evil\n:name/ä")])
    let report = try Extractor(parts: [.profiles]).extract(raw.path, to: raw.file("out"))
    #expect(report.items.map(\.path) == [raw.file("out/small-profile-------evil--name--.dcp")])
  }

  @Test func extractedProfilesAreReadAsFiles() throws {
    let raw = try raw([
      50936: .ascii("A"), 50940: .floats([0, 0, 0.5, 0.25, 1, 1]), 50941: .longs([2]),
    ])
    let report = try Extractor(parts: [.profiles]).extract(raw.path, to: raw.folder)
    #expect(report.notes.count == 1 && report.notes[0].contains("\"A\""))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: report.items[0].path)))
    #expect(bytes.prefix(8) == [0x49, 0x49, 0x52, 0x43, 8, 0, 0, 0])
    func number(_ at: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    var tags: [Int: (type: Int, count: Int, value: Int)] = [:]
    for index in 0..<number(8, 2) {
      let at = 10 + 12 * index
      tags[number(at, 2)] = (number(at + 2, 2), number(at + 4, 4), number(at + 8, 4))
    }
    #expect(Set([50708, 50721, 50936, 50940]).isSubset(of: tags.keys))
    #expect(tags[256] == nil && tags[273] == nil)
    let curve = try #require(tags[50940])
    #expect(curve.type == 11 && curve.count == 6)
    let values = (0..<6).map { Float(bitPattern: UInt32(number(curve.value + 4 * $0, 4))) }
    #expect(values == [0, 0, 0.5, 0.25, 1, 1])
  }

  @Test func gainTableMapIsWrittenAsNumbersAndAsStored() throws {
    func little(_ value: UInt64, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var map = little(1, 4) + little(2, 4)
    for value in [1, 0.5, 0, 0.25] { map += little(value.bitPattern, 8) }
    map += little(2, 4)
    for value: Float in [0.1, 0.2, 0.3, 0, 0.4, 1, 2, 3, 4] {
      map += little(UInt64(value.bitPattern), 4)
    }
    let raw = try raw([52525: .undefined(map)])
    let report = try Extractor(parts: [.gainTableMap]).extract(raw.path, to: raw.folder)
    #expect(report.items.map(\.bytes)[1] == map.count)
    let data = try Data(contentsOf: URL(fileURLWithPath: report.items[0].path))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["rows"] as? Int == 1 && json["columns"] as? Int == 2)
    #expect(json["gains"] as? [[[Double]]] == [[[1, 2], [3, 4]]])
    #expect(json["byteOrder"] as? String == "little")
  }

  /// The JSON is written in chunks, for any map, and has the same numbers as before.
  @Test func largeGainTableMapsAreWrittenInChunks() throws {
    func little(_ value: UInt64, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let (rows, columns) = (3, 20_000)
    var map = little(UInt64(rows), 4) + little(UInt64(columns), 4)
    for value in [0.5, 0.5, 0, 0.25] { map += little(value.bitPattern, 8) }
    map += little(1, 4)
    for value: Float in [0.1, 0.2, 0.3, 0, 0.4] { map += little(UInt64(value.bitPattern), 4) }
    let gains = (0..<rows * columns).map { Float($0 % 1000 + 1) / 8 }
    for gain in gains { map += little(UInt64(gain.bitPattern), 4) }
    let raw = try raw([52525: .undefined(map)])
    let filter = try RAWFilter(url: URL(fileURLWithPath: raw.path))
    let stored = try #require(filter.storedGainTableMaps.first)
    var chunks: [[UInt8]] = []
    try GainTableMapFile(stored).write { chunks.append($0) }
    #expect(chunks.count > 2)
    #expect(chunks.allSatisfy { $0.count < 70_000 })
    let data = Data(chunks.joined())
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let read = try #require(json["gains"] as? [[[Double]]])
    #expect(read.map(\.count) == [columns, columns, columns])
    #expect(read.joined().joined().map { Float($0) } == gains)
    #expect(json["weights"] as? [Double] != nil && json["version"] as? Int == 1)
  }

  @Test func aFileAsTheFolderIsAnErrorOfOneLine() throws {
    let raw = try raw()
    let error = #expect(throws: DevelopError.self) {
      try Extractor().extract(raw.path, to: raw.path)
    }
    #expect(error?.codeName == "cannotWrite" && error?.description.contains("\n") == false)
  }
}
