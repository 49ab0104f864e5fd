import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct PNGPictureWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func picture(
    _ primaries: Primaries, headroom: Float, _ size: PixelSize = PixelSize(width: 130, height: 99)
  ) throws -> Image<DisplayReferred> {
    try Image(size: size, info: .init(primaries: primaries, headroom: headroom)) { planes in
      for plane in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width {
            planes.row(plane, y)[x] = headroom * Float(x * (plane + 1) % 100) / 99 * Float(y) / 98
          }
        }
      }
    }
  }

  private func chunks(_ bytes: [UInt8]) -> [(name: String, data: [UInt8])] {
    var (position, found) = (8, [(name: String, data: [UInt8])]())
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = min(position + 8 + length, bytes.count)
      found.append(
        (
          String(decoding: bytes[position + 4..<position + 8], as: UTF8.self),
          Array(bytes[position + 8..<end])
        ))
      position += 12 + length
    }
    return found
  }

  private func written(
    _ space: ColorSpace, bits: Int = 16, _ picture: Image<DisplayReferred>, workers: Int = 2
  ) throws -> (bytes: [UInt8], file: WrittenFile) {
    let path = folder.file("a.png")
    let file = try PNGPictureWriter(.init(.png, space, bits: bits), workers: workers)
      .write(picture, to: .replacing(path))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(file.byteCount == bytes.count && folder.names == ["a.png"])
    return (bytes, file)
  }

  @Test(arguments: [(ColorSpace.bt2100PQ, UInt8(16)), (.bt2100HLG, 18)])
  func highRangeSaysSo(space: ColorSpace, transfer: UInt8) throws {
    let (bytes, file) = try written(space, picture(.bt2020, headroom: 4))
    let found = chunks(bytes)
    let names = found.map(\.name)
    let pixels = try #require(names.firstIndex(of: "IDAT"))
    for name in ["cICP", "mDCV", "cLLI", "iCCP", "eXIf"] {
      #expect(try #require(names.firstIndex(of: name)) < pixels, "\(name)")
    }
    func data(_ name: String) -> [UInt8] { found.first { $0.name == name }?.data ?? [] }
    #expect(data("cICP") == [9, transfer, 0, 1])
    let levels = [file.statistics.maximumContentNits, file.statistics.averageNits]
    #expect(levels[0] == 812)
    #expect(
      data("cLLI")
        == levels.flatMap { n in withUnsafeBytes(of: UInt32(n * 10_000).bigEndian) { Array($0) } })
    #expect(
      data("mDCV").prefix(16).elementsEqual([
        0x8a, 0x48, 0x39, 0x08, 0x21, 0x34, 0x9b, 0xaa, 0x19, 0x96, 0x08, 0xfc, 0x3d, 0x13, 0x40,
        0x42,
      ]))
    #expect(data("IHDR")[8] == 16)
  }

  /// The chunks' published bytes with their sums: 1000 and 203 cd/m² measured, a display of 1000.
  @Test func chunksHaveTheirPublishedBytes() throws {
    // One pixel of 1000 cd/m² and four of 3.75 have the mean 203.
    let linear = try Image<DisplayReferred>(
      size: PixelSize(width: 5, height: 1), info: .init(primaries: .bt2020, headroom: 4.927)
    ) { planes in
      for plane in 0..<3 {
        for x in 0..<5 { planes.row(plane, 0)[x] = Float((x == 2 ? 1000 : 3.75) / 203) }
      }
    }
    for (space, chunk) in [
      (ColorSpace.bt2100PQ, "0000000463494350091000014d2323fe"),
      (.bt2100HLG, "00000004634943500912000" + "14ea7f790"),
    ] {
      let text = try written(space, linear).bytes.map { String(format: "%02x", $0) }.joined()
      #expect(text.contains(chunk))
      #expect(text.contains("00000008634c4c4900989680001ef9b0b0a5bb58"))
      let display = "000000186d4443568a48390821349baa199608fc3d134042"
      #expect(
        text.contains(
          display + (space == .bt2100HLG ? "00989680000000059831a5c7" : "05f5e10000000005")))
    }
  }

  /// The bytes do not depend on the number of workers.
  @Test func workersDoNotMatter() throws {
    let picture = try picture(.bt2020, headroom: 3, PixelSize(width: 61, height: 700))
    #expect(
      try written(.bt2100PQ, picture, workers: 1).bytes
        == written(.bt2100PQ, picture, workers: 3).bytes)
  }

  @Test func standardRangeRollsOffAndCarriesItsProfileOnly() throws {
    for bits in [8, 16] {
      let (bytes, file) = try written(.displayP3, bits: bits, picture(.displayP3, headroom: 4))
      let found = chunks(bytes)
      #expect(found.first?.data[8] == UInt8(bits))
      #expect(!found.contains { ["cICP", "cLLI", "mDCV"].contains($0.name) })
      #expect(found.contains { $0.name == "iCCP" })
      #expect(file.isToneMapped && file.statistics.contentHeadroom <= 1.0001)
    }
  }

  @Test func otherPrimariesAreRefused() throws {
    let error = #expect(throws: WriteError.self) {
      try written(.bt2100PQ, picture(.srgb, headroom: 1))
    }
    #expect(error?.code == .badSetting && folder.names.isEmpty)
  }
}
