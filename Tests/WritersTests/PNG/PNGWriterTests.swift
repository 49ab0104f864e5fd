import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct PNGWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Names and contents of the chunks; lengths are checked against the file.
  private func chunks(_ path: String) throws -> [(name: String, data: [UInt8])] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var (position, found) = (8, [(name: String, data: [UInt8])]())
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      try #require(position + 12 + length <= bytes.count)
      let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      found.append((name, Array(bytes[position + 8..<position + 8 + length])))
      position += 12 + length
    }
    #expect(position == bytes.count)
    return found
  }

  @Test func headersDescribeTheRows() throws {
    for (depth, layout, type) in [
      (PNGWriter.Depth.bits8, PNGWriter.Layout.gray, UInt8(0)), (.bits16, .gray, 0),
      (.bits8, .rgb, 2), (.bits16, .rgb, 2),
    ] {
      let path = folder.file("a.png")
      let size = PixelSize(width: 300, height: 7)
      var lengths: Set<Int> = []
      let writer = PNGWriter(depth: depth, layout: layout)
      let (bytes, _) = try writer.write(size: size, to: .replacing(path)) { y, samples in
        lengths.insert(samples.count)
        for x in samples.indices { samples[x] = UInt16(x * y % 200) }
      }
      #expect(lengths == [300 * layout.rawValue])
      let chunks = try chunks(path)
      #expect(
        chunks.first?.data == [0, 0, 1, 44, 0, 0, 0, 7, UInt8(depth.rawValue), type, 0, 0, 0])
      // Nothing that tells a reader to change the numbers.
      #expect(Set(chunks.map(\.name)) == ["IHDR", "eXIf", "IDAT", "IEND"])
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == bytes)
      #expect(folder.names == ["a.png"])
    }
  }

  @Test func sizesThatPNGLacksAreRefused() throws {
    for size in [PixelSize(width: 0, height: 3), PixelSize(width: 3, height: 1_000_001)] {
      let error = #expect(throws: WriteError.self) {
        try PNGWriter(depth: .bits8).write(size: size, to: .replacing(folder.file("a.png"))) {
          _, _ in
        }
      }
      #expect(error?.code == .unsupportedSize)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func missingFolderIsOneLine() throws {
    let error = #expect(throws: WriteError.self) {
      try PNGWriter(depth: .bits16).write(
        size: PixelSize(width: 2, height: 2), to: .replacing(folder.file("none/a.png"))
      ) { _, _ in }
    }
    #expect(error?.code == .cannotWrite && error?.description.contains("\n") == false)
  }
}
