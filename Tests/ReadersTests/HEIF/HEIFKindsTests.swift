import Containers
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Readers

/// Items that are neither HEVC nor AV1, and files without items.
@Suite struct HEIFKindsTests {
  private func refusal(_ bytes: [UInt8]) -> ReadError? {
    do throws(ReadError) {
      _ = try StillImage(bytes, limits: DecodeLimits(maxPixels: 1 << 20)).base()
      return nil
    } catch { return error }
  }

  // MARK: JPEG

  @Test(arguments: [1, 3], [false, true])
  func jpegs(components: Int, progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(64, 48, components: components, progressive: progressive)
    var file = TestHEIF()
    file.brand = "mif1"
    file.items = [.init(number: 1, type: "jpeg", data: jpeg)]
    file.add(1, essential: false, TestHEIF.size(64, 48))
    let still = try StillImage(file.bytes())
    #expect(still.kind == .heif && still.channels == components && still.bitDepth == 8)
    let alone = try TestHEIF.codes(StillImage(jpeg))
    #expect(try TestHEIF.codes(still) == alone)
    // The tables may be apart, and code points say nothing of the way to RGB.
    file.items[0].data = Array(jpeg[100...])
    file.add(1, TestHEIF.box("jpgC", Array(jpeg[..<100])))
    file.add(1, essential: false, TestHEIF.nclx(1, 13, 1, full: false))
    #expect(try TestHEIF.codes(StillImage(file.bytes())) == alone)
    // Decoders can do without the last bytes.
    for count in stride(from: 0, to: jpeg.count - 130, by: 7) {
      file.items[0].data = Array(jpeg[100...].prefix(count))
      #expect(refusal(file.bytes()) != nil)
    }
  }

  @Test func otherJPEGs() throws {
    var file = TestHEIF()
    let inks = try TestJPEG.encode(
      [UInt8](repeating: 90, count: 16 * 16 * 4), 16, 16, components: 4, cmyk: true)
    file.items = [.init(number: 1, type: "jpeg", data: inks)]
    file.add(1, essential: false, TestHEIF.size(16, 16))
    #expect(refusal(file.bytes())?.code == .unsupported)
  }

  // MARK: Uncompressed

  /// A picture of 12 × 10, in 2 × 2 tiles where `tiled`, written bit by bit.
  struct Uncompressed {
    var types = [4, 5, 6]
    var bits = 8
    var bytes = 0
    var order = 0
    var isTiled = false
    var isLittleEndian = false
    var pixelBytes = 0
    var rowAlignment = 0
    var tileAlignment = 0
    var isDeflated = false
    static let (width, height) = (12, 10)

    func code(_ x: Int, _ y: Int, _ c: Int) -> Int {
      (x * 2_654_435_761 + y * 40_503 + c * 977 + x * y) >> 3 & (1 << bits - 1)
    }

    func samples() -> [UInt8] {
      var (out, value, have) = ([UInt8](), 0, 0)
      func pad(to alignment: Int, from start: Int) {
        if have > 0 { out.append(UInt8(value << (8 - have) & 0xFF)) }
        (value, have) = (0, 0)
        while alignment > 1, (out.count - start) % alignment != 0 { out.append(0xEE) }
      }
      func put(_ code: Int) {
        let all = (0..<bytes).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }
        if bytes > 0 { return out += isLittleEndian ? all : all.reversed() }
        value = value << bits | code
        have += bits
        while have >= 8 {
          out.append(UInt8(value >> (have - 8) & 0xFF))
          have -= 8
        }
        value &= 0xFFFF
      }
      let (columns, rows) = isTiled ? (6, 5) : (12, 10)
      func tile(_ left: Int, _ top: Int, _ components: [Int]) {
        let start = out.count
        func row(_ y: Int, _ components: [Int]) {
          let first = out.count
          for x in left..<left + columns {
            let pixel = out.count
            for c in components { put(code(x, y, c)) }
            if order == 1, pixelBytes > 0 {
              pad(to: 1, from: 0); while out.count < pixel + pixelBytes { out.append(0xDD) }
            }
          }
          pad(to: rowAlignment, from: first)
        }
        if order == 0 {
          for c in components { for y in top..<top + rows { row(y, [c]) } }
        } else {
          for y in top..<top + rows {
            if order == 3 { for c in components { row(y, [c]) } } else { row(y, components) }
          }
        }
        pad(to: tileAlignment, from: start)
      }
      for group in order == 4 ? types.indices.map({ [$0] }) : [Array(types.indices)] {
        for top in stride(from: 0, to: 10, by: rows) {
          for left in stride(from: 0, to: 12, by: columns) { tile(left, top, group) }
        }
      }
      return out
    }

    func file() -> TestHEIF {
      var file = TestHEIF()
      file.brand = "mif1"
      let data = samples()
      let packed = isDeflated ? ZlibBytes.stored(data) : data
      file.items = [.init(number: 1, type: "unci", data: packed)]
      file.add(1, essential: false, TestHEIF.size(Self.width, Self.height))
      file.add(1, TestHEIF.box("cmpd", TestHEIF.u32(types.count) + types.flatMap(TestHEIF.u16)))
      var layout = TestHEIF.u32(0) + TestHEIF.u32(types.count)
      for index in types.indices {
        layout += TestHEIF.u16(index) + [UInt8(bits - 1), 0, UInt8(bytes)]
      }
      layout += [0, UInt8(order), 0, isLittleEndian ? 0x80 : 0] + TestHEIF.u32(pixelBytes)
      layout += TestHEIF.u32(rowAlignment) + TestHEIF.u32(tileAlignment)
      layout += TestHEIF.u32(isTiled ? 1 : 0) + TestHEIF.u32(isTiled ? 1 : 0)
      file.add(1, TestHEIF.full("uncC", 0, layout))
      if isDeflated { file.add(1, TestHEIF.full("cmpC", 0, Array("zlib".utf8) + [0])) }
      return file
    }
  }

  private func check(_ picture: Uncompressed, _ shown: [Int] = [0, 1, 2]) throws {
    let still = try StillImage(picture.file().bytes())
    #expect(still.bitDepth == picture.bits && still.channels == shown.count)
    let codes = try TestHEIF.codes(still)
    let wanted = (0..<120).flatMap { at in
      shown.map { UInt16(picture.code(at % 12, at / 12, $0)) }
    }
    #expect(codes == wanted, "\(picture)")
  }

  @Test(arguments: [0, 1, 3, 4], [8, 10, 12, 16])
  func uncompressed(order: Int, bits: Int) throws {
    for isTiled in [false, true] {
      for bytes in [0, (bits + 7) / 8, 4] {
        var picture = Uncompressed(bits: bits, bytes: bytes, order: order, isTiled: isTiled)
        try check(picture)
        picture.rowAlignment = 16
        picture.tileAlignment = 64
        try check(picture)
        if bytes > 0 {
          picture.isLittleEndian = true
          try check(picture)
        }
      }
    }
    try check(Uncompressed(types: [0], bits: bits, order: order), [0])
    // Blue, alpha, green, red.
    try check(Uncompressed(types: [6, 7, 5, 4], bits: bits, order: order), [3, 2, 0])
  }

  @Test func uncompressedPixelsOfOneSize() throws {
    try check(Uncompressed(bits: 10, order: 1, pixelBytes: 4))
    try check(Uncompressed(bytes: 1, order: 1, isTiled: true, pixelBytes: 5))
    try check(Uncompressed(order: 1, isDeflated: true))
  }

  /// The layout that is named alone.
  @Test func uncompressedByProfile() throws {
    var file = Uncompressed(order: 1).file()
    file.properties[2] = TestHEIF.full("uncC", 1, Array("rgb3".utf8))
    let picture = Uncompressed(order: 1)
    let wanted = (0..<360).map { UInt16(picture.code($0 / 3 % 12, $0 / 36, $0 % 3)) }
    #expect(try TestHEIF.codes(StillImage(file.bytes())) == wanted)
  }

  @Test func otherLayoutsAreNamed() {
    var others: [(Uncompressed, String)] = []
    others.append((Uncompressed(types: [11]), "are not gray, RGB or YCbCr"))
    others.append((Uncompressed(bits: 7), "7 bits"))
    for (picture, words) in others {
      let error = refusal(picture.file().bytes())
      #expect(error?.code == .unsupported && error?.message.contains(words) == true, "\(error)")
    }
    // A byte of the layout each: floats, chroma of half size, blocks, another order.
    for (offset, value, words) in [
      (15, UInt8(1), "floats"), (27, 2, "chroma"), (28, 2, "type is 2"), (29, 4, "blocks"),
    ] {
      var file = Uncompressed().file()
      file.properties[2][8 + offset] = value
      let error = refusal(file.bytes())
      #expect(error?.code == .unsupported && error?.message.contains(words) == true, "\(error)")
    }
  }

  /// Any layout costs one error: none reads or takes memory beyond its data.
  @Test func damagedLayouts() throws {
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(1500)) {
      let order = [0, 1, 3, 4][Int(seed % 4)]
      var file = Uncompressed(
        bits: seed % 3 == 0 ? 10 : 8, bytes: Int(seed % 5 / 2) * 2, order: order,
        isTiled: seed % 7 < 3
      ).file()
      for index in [1, 2] where seed % 5 != UInt64(index) {
        let box = file.properties[index]
        file.properties[index] =
          Array(box.prefix(8))
          + Damage.damaged(
            Array(box.dropFirst(8)), seed: seed)
        let length = TestHEIF.u32(file.properties[index].count)
        file.properties[index].replaceSubrange(0..<4, with: length)
      }
      counts[refusal(file.bytes()).map(\.code.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged layouts: \(counts)")
    #expect(counts["damaged"] ?? 0 > 0 && counts["unsupported"] ?? 0 > 0)
    let file = Uncompressed(order: 1).file()
    let complete = file.items[0].data.count
    for count in 0..<complete {
      var cut = file
      cut.items[0].data = Array(file.items[0].data.prefix(count))
      #expect(refusal(cut.bytes())?.code == .damaged)
    }
  }

  // MARK: Sequences

  /// A file with only a track, of `count` pictures starting with `coded`.
  private func sequence(
    _ coded: TestHEIF.Coded, count: Int = 3, isLong: Bool = false, matrix: [Int] = [1, 0, 0, 1]
  ) -> [UInt8] {
    let head = TestHEIF.box("ftyp", Array("msf1\0\0\0\0msf1hevc".utf8))
    func movie(_ start: Int) -> [UInt8] {
      var entry = [UInt8](repeating: 0, count: 24)
      entry += TestHEIF.u16(coded.size.width) + TestHEIF.u16(coded.size.height)
      entry += [UInt8](repeating: 0, count: 50) + TestHEIF.box("hvcC", coded.configuration)
      entry += TestHEIF.nclx(12, 13, 6)
      let entries = TestHEIF.u32(1) + TestHEIF.box("hvc1", entry)
      var table = TestHEIF.full("stsd", 0, entries)
      var sizes = TestHEIF.u32(0) + TestHEIF.u32(count)
      for _ in 0..<count { sizes += TestHEIF.u32(coded.data.count) }
      table += TestHEIF.full("stsz", 0, sizes)
      let offset = isLong ? TestHEIF.u32(0) + TestHEIF.u32(start) : TestHEIF.u32(start)
      table += TestHEIF.full(isLong ? "co64" : "stco", 0, TestHEIF.u32(1) + offset)
      let handler = TestHEIF.full(
        "hdlr", 0, TestHEIF.u32(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
      let media = handler + TestHEIF.box("minf", TestHEIF.box("stbl", table))
      var header = [UInt8](repeating: 0, count: 36)
      for (index, value) in [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 1].enumerated()
      {
        header += TestHEIF.u32(index % 3 == 2 ? value << 30 : value << 16)
      }
      header += [UInt8](repeating: 0, count: 8)
      let track = TestHEIF.full("tkhd", 0, header) + TestHEIF.box("mdia", media)
      return TestHEIF.box("moov", TestHEIF.box("trak", track))
    }
    let start = head.count + movie(0).count + 8
    return head + movie(start) + TestHEIF.box("mdat", coded.data)
  }

  @Test func firstPictureOfASequence() throws {
    let coded = try TestHEIF.Coded(PixelSize(width: 64, height: 48))
    let alone = try TestHEIF.codes(StillImage(TestHEIF.plain(coded).bytes()))
    for isLong in [false, true] {
      let still = try StillImage(sequence(coded, isLong: isLong))
      #expect(try TestHEIF.codes(still) == alone)
      #expect(still.notes == ["it is a sequence of 3 pictures; the first is read"])
      #expect(still.color.primaries == .displayP3)
    }
    let turned = try StillImage(sequence(coded, matrix: [0, 1, -1, 0]))
    #expect(turned.size == PixelSize(width: 48, height: 64))
    let codes = try TestHEIF.codes(turned)
    // Clockwise: the first row is the first column from below.
    for x in 0..<48 { #expect(codes[3 * x] == alone[3 * 64 * (47 - x)]) }
  }

  @Test func damagedSequences() throws {
    let complete = sequence(try TestHEIF.Coded(PixelSize(width: 64, height: 48)))
    for count in 0..<complete.count {
      #expect(refusal(Array(complete.prefix(count))) != nil, "\(count)")
    }
    for seed in 0..<UInt64(Damage.count(400)) {
      let front = Damage.damaged(Array(complete.prefix(600)), seed: seed)
      _ = refusal(front + complete.dropFirst(600))
    }
  }

  /// By their brand, and where another says what they are.
  @Test(arguments: ["mif3\0\0\0\0mif3avif", "heic\0\0\0\0mif1heic"])
  func shortTablesAreNamed(brands: String) {
    let file =
      TestHEIF.box("ftyp", Array(brands.utf8)) + TestHEIF.box("mini", [0, 1, 2, 3])
    let error = refusal(file)
    #expect(error?.message.contains("compact mini box") == true, "\(error)")
  }
}

/// A zlib stream of stored blocks.
private enum ZlibBytes {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let count = UInt16(bytes.count)
    let sum = (b << 16 | a).bigEndian
    return [
      0x78, 0x01, 1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF),
      UInt8(~count >> 8),
    ]
      + bytes + withUnsafeBytes(of: sum) { Array($0) }
  }
}
