import Codecs
import Containers
import Foundation
import HDRRender
import Testing

@testable import RawDecode
@testable import RawFilter

/// LUTs in `.cube` files and HaldCLUTs, intact and damaged.
@Suite struct LUTFileTests {
  private static func read(_ text: String) throws -> ColorLookup {
    let url = try LookFixture.file(Array(text.utf8))
    defer { LookFixture.remove(url) }
    return try LUTFile.read(url.path).table
  }

  /// Lines and words are taken one at a time: a list of them takes 40 times the file.
  @Test func emptyLinesAndManyWordsAreRead() throws {
    let table = try Self.read(
      String(repeating: "\n", count: 100_000) + "LUT_1D_SIZE 2\n0 0 0\n1 1 1")
    #expect(table.side == 2)
    #expect(throws: RAWError.self) {
      try Self.read("LUT_1D_SIZE 2\n" + String(repeating: "0 ", count: 100_000))
    }
  }

  @Test func emptyFilesAreNamed() throws {
    let error = #expect(throws: RAWError.self) { try Self.read("") }
    #expect(error?.code == .damaged && error?.message == "the LUT is empty; export it again")
  }

  @Test func cubesAreRead() throws {
    let table = try Self.read(LookFixture.text(3) { SIMD3($0.x, $0.y * 0.5, 1 - $0.z) })
    #expect(table.isCube && table.side == 3 && table.values.count == 81)
    // Red moves fastest.
    #expect(table.values[3] == 0.5 && table.values[0] == 0 && table.values[2] == 1)
    #expect(table.values[9 + 1] == 0.25 && table.values[27 + 2] == 0.5)
  }

  @Test func linesMayEndAndSpaceAsTheyLike() throws {
    let text =
      "\u{20}# x\r\nLUT_1D_SIZE\t2\r\nDOMAIN_MIN 0 0 0\r\nDOMAIN_MAX 2 2 4\r\n"
      + "0\t0  0\r\n1e0 .5 +1\r\n\r\n"
    let table = try Self.read(text)
    #expect(!table.isCube && table.values == [0, 0, 0, 1, 0.5, 1])
    #expect(table.domain.last == SIMD3(2, 2, 4))
    let resolve = try Self.read("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -0.5 1.5\n0 0 0\n1 1 1")
    #expect(resolve.domain.first == SIMD3(repeating: -0.5))
  }

  @Test(
    arguments: [
      "", "\n", "LUT_3D_SIZE 2\n0 0 0\n", "0 0 0\n1 1 1\n", "LUT_1D_SIZE 2\n0 0 0\n1 1\n",
      "LUT_1D_SIZE 2\n0 0 0\n1 1 nan\n", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2\n",
      "LUT_1D_SIZE 1\n0 0 0\n", "LUT_1D_SIZE -3\n", "LUT_3D_SIZE 300\n", "LUT_3D_SIZE 200\n",
      "LUT_3D_SIZE x\n", "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "HELLO 3\n", "\u{1}\u{7f}ÿ 3\n",
      "LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\nDOMAIN_MAX 1 1 1\n0 0 0\n1 1 1\n",
      "LUT_1D_SIZE 2\nDOMAIN_MAX 1 1\n0 0 0\n1 1 1\n", "LUT_1D_SIZE 2\n1e99 0 0\n1 1 1\n",
      String(repeating: "\u{301}\u{323}", count: 200), "#\u{301}\n\u{301}#\n",
    ])
  func damagedCubesAreRefused(text: String) throws {
    let error = #expect(throws: RAWError.self) { try Self.read(text) }
    let message = try #require(error?.message)
    #expect(!message.contains("\n") && message.contains(";") || message.contains("export"))
    #expect(error?.path != nil)
    #expect([.damaged, .tooLarge].contains(error?.code))
  }

  /// Lines after the table are neither read nor stored: the first ends it, before the one that is
  /// no line of a look.
  @Test func colorsBeyondTheTableEndTheFile() throws {
    let error = #expect(throws: RAWError.self) {
      try Self.read("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2\nHELLO 3\n")
    }
    #expect(error?.message.contains("line 4") == true)
  }

  @Test func cutCubesAreRefused() throws {
    let whole = LookFixture.text(4)
    for length in stride(from: 0, to: whole.utf8.count - 20, by: 37) {
      #expect(throws: RAWError.self) { try Self.read(String(whole.prefix(length))) }
    }
  }

  @Test func filesThatAreNotThereAreNamed() {
    for path in ["/nowhere/a.cube", "/"] {
      let error = #expect(throws: RAWError.self) { try LUTFile.read(path) }
      #expect(error?.path == path && error?.message.contains("lutPath") == true)
    }
  }

  // MARK: HaldCLUT

  /// A PNG of `side` pixels a side, 16 bits, of `color(index)`.
  private static func png(
    _ width: Int, _ height: Int, bits: Int = 16, _ color: (Int) -> SIMD3<Float>
  ) throws -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        let value = color(y * width + x)
        for c in 0..<3 {
          if bits == 16 {
            let code = UInt16((value[c] * 65_535).rounded())
            rows += [UInt8(code >> 8), UInt8(code & 255)]
          } else {
            rows.append(UInt8((value[c] * 255).rounded()))
          }
        }
      }
    }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      let body = PNGChunk.bytes(name, data)
      return body + CRC.of(body.dropFirst(4)).bytes
    }
    let header =
      UInt32(width).bytes + UInt32(height).bytes + [UInt8(bits), 2, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
      + chunk("IDAT", CRC.stored(rows)) + chunk("IEND", [])
  }

  private static func hald(_ level: Int, bits: Int = 16) throws -> [UInt8] {
    let (side, cube) = (level * level * level, level * level)
    return try png(side, side, bits: bits) { index in
      let scale = 1 / Float(cube - 1)
      return SIMD3(
        Float(index % cube) * scale, Float(index / cube % cube) * scale * 0.5,
        1 - Float(index / cube / cube) * scale)
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> ColorLookup {
    let url = try LookFixture.file(bytes, "look.png")
    defer { LookFixture.remove(url) }
    return try LUTFile.read(url.path).table
  }

  @Test(arguments: [8, 16]) func haldPicturesAreRead(bits: Int) throws {
    let table = try Self.read(Self.hald(2, bits: bits))
    #expect(table.isCube && table.side == 4 && table.values.count == 192)
    #expect(abs(table.values[3] - 1.0 / 3) < 0.003 && table.values[0] == 0 && table.values[2] == 1)
    #expect(abs(table.values[3 * 4 + 1] - 0.5 / 3) < 0.003)
  }

  @Test func otherPicturesAreRefused() throws {
    for (width, height) in [(8, 9), (10, 10), (1, 1)] {
      let bytes = try Self.png(width, height) { _ in SIMD3(0, 0, 0) }
      let error = #expect(throws: RAWError.self) { try Self.read(bytes) }
      #expect(error?.code == .unsupported)
    }
    let whole = try Self.hald(2)
    for length in [8, 20, 32, 60, whole.count / 2] {
      #expect(throws: RAWError.self) { try Self.read(Array(whole.prefix(length))) }
    }
  }
}

extension UInt32 {
  fileprivate var bytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) }
  }
}

/// What a PNG needs besides its pixels.
private enum CRC {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return ~crc
  }

  /// A zlib stream that stores `bytes`.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let part = bytes[start..<min(start + 65_535, bytes.count)]
      let length = UInt16(part.count)
      out += [start + 65_535 >= bytes.count ? 1 : 0]
      out += [length, ~length].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      out += part
    }
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return out + (b << 16 | a).bytes
  }
}
