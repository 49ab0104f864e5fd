import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Readers

/// Every kind of still at its limits and beyond: pixels, items, nesting, time.
@Suite struct DecodeLimitsCheckTests {
  private static let coded = try? TestHEIF.Coded(PixelSize(width: 64, height: 64))

  private func heif() throws -> TestHEIF { TestHEIF.plain(try #require(Self.coded)) }

  /// A grid of `rows` × 8 tiles of 64 × 64 pixels.
  private func grid(rows: Int) throws -> [UInt8] {
    var file = try heif()
    let size = TestHEIF.u16(64 * 8) + TestHEIF.u16(64 * rows)
    file.items.append(
      .init(number: 9, type: "grid", data: [0, 0, UInt8(rows - 1), 7] + size, isInline: true))
    file.references.append(("dimg", 9, [Int](repeating: 1, count: rows * 8)))
    file.primary = 9
    // Tiles may be the same, for no more data than some times the file.
    return file.bytes() + TestHEIF.box("free", [UInt8](repeating: 0, count: 1 << 20))
  }

  private func files() throws -> [StillKind: [UInt8]] {
    [
      .jpeg: try TestJPEG.ramps(64, 48), .png: TestPNG().bytes, .heif: try heif().bytes(),
      .tiff: try #require(TestTIFF().bytes()), .jpegXL: try #require(TestJXL().bytes()),
    ]
  }

  /// Why `bytes` are not decoded within `limits`; nil where they are.
  private func failure(_ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> ReadError? {
    do throws(ReadError) {
      _ = try StillImage(bytes, limits: limits).base()
      return nil
    } catch { return error }
  }

  private func refusal(_ bytes: [UInt8], items: Int) -> String? {
    let error = failure(bytes, DecodeLimits(maxItems: items))
    #expect(error == nil || error?.code == .tooLarge)
    return error?.message
  }

  @Test func pixelsAreExact() throws {
    for (kind, bytes) in try files() {
      let area = try StillImage(bytes).size.area
      #expect(failure(bytes, DecodeLimits(maxPixels: area)) == nil, "\(kind)")
      let error = failure(bytes, DecodeLimits(maxPixels: area - 1))
      #expect(error?.code == .tooLarge && error?.message.contains("limit") == true, "\(kind)")
    }
  }

  @Test func bytesOfTheFileAreExact() throws {
    for (kind, bytes) in try files() {
      #expect(failure(bytes, DecodeLimits(maxFileBytes: bytes.count)) == nil, "\(kind)")
      let error = failure(bytes, DecodeLimits(maxFileBytes: bytes.count - 1))
      #expect(error?.code == .tooLarge, "\(kind)")
    }
  }

  /// Each row of a picture begins at a multiple of 16 bytes.
  @Test func paddingOfRowsIsCounted() throws {
    let png = TestPNG(width: 1, height: 500, color: 0).bytes
    for bytes in [png, try TestJPEG.flat(90, 1, 500, components: 1)] {
      #expect(failure(bytes, DecodeLimits(maxDecodeBytes: 16 * 500)) == nil)
      let error = failure(bytes, DecodeLimits(maxDecodeBytes: 16 * 500 - 1))
      #expect(error?.code == .tooLarge && error?.message.contains("raise") == true)
    }
  }

  /// The smallest limit of items grows with each thing that a file of the kind lists.
  @Test func itemsAreExact() throws {
    func least(_ bytes: [UInt8]) throws -> Int {
      try #require((1...300).first { refusal(bytes, items: $0) == nil })
    }
    let jpeg = try TestJPEG.ramps(64, 48)
    let comments = [[UInt8]](repeating: TestJPEG.segment(0xFE, [1]), count: 100)
    #expect(try least(TestJPEG.with(comments, jpeg)) == least(jpeg) + 100)
    let chunks = [[UInt8]](repeating: TestPNG.chunk("teSt", []), count: 100)
    #expect(try least(TestPNG(before: chunks).bytes) == least(TestPNG().bytes) + 100)
    let boxes = TestJXL(boxes: [("abcd", [1], false)])
    let more = TestJXL(boxes: Array(repeating: ("abcd", [1], false), count: 101))
    #expect(
      try least(#require(more.bytes())) == least(#require(boxes.bytes())) + 100)
    var file = try heif()
    // Its offset does not depend on what comes before.
    file.items[0].isInline = true
    let complete = file.bytes()
    let free = TestHEIF.box("free", [])
    for count in [100, 101] {
      let boxes = Array([[UInt8]](repeating: free, count: count).joined())
      // The brands, these, and the tables.
      #expect(try least(Array(complete[..<24] + boxes + complete[24...])) == count + 2)
    }
  }

  @Test func abundanceIsRefused() throws {
    let million = 1_000_000
    func times(_ bytes: [UInt8]) -> [UInt8] {
      Array([[UInt8]](repeating: bytes, count: million).joined())
    }
    let comments = times(TestJPEG.segment(0xFE, []))
    let jpeg = try TestJPEG.with([comments], TestJPEG.ramps(64, 48))
    let png = TestPNG(before: [times(TestPNG.chunk("teSt", []))]).bytes
    let complete = try heif().bytes()
    let boxes = Array(complete[..<24] + times(TestHEIF.box("free", [])) + complete[24...])
    for (bytes, things) in [(jpeg, "segments"), (png, "chunks"), (boxes, "boxes")] {
      #expect(
        failure(bytes)?.message
          == "it has more than 262144 \(things), the limit; skip it or write it again"
      )
    }
  }

  @Test func itemsOfHEIFAreReadUpToTheLimit() throws {
    var file = try heif()
    for number in 10..<10_010 {
      file.items.append(
        .init(number: number, type: "mime", isInline: true, contentType: "text/plain"))
    }
    let bytes = file.bytes()
    #expect(failure(bytes) == nil)
    #expect(refusal(bytes, items: 10_000)?.contains("more than 10000 items") == true)
    // Each has a location and one extent.
    #expect(refusal(bytes, items: 20_002) == nil)
    #expect(refusal(bytes, items: 20_001)?.contains("more than 20001 item extents") == true)
  }

  @Test func derivedPicturesAreReadUpToTheLimit() throws {
    func derived(_ depth: Int) throws -> [UInt8] {
      var file = try heif()
      for level in 0..<depth {
        file.items.append(.init(number: 10 + level, type: "iden", isInline: true))
        file.references.append(("dimg", 10 + level, [level == 0 ? 1 : 9 + level]))
      }
      file.primary = 9 + depth
      return file.bytes()
    }
    #expect(failure(try derived(63)) == nil)
    #expect(failure(try derived(64))?.message.contains("nested more than 64 deep") == true)
    #expect(failure(try derived(64))?.code == .tooLarge)
    #expect(failure(try derived(3), DecodeLimits(maxNesting: 4)) == nil)
    #expect(failure(try derived(4), DecodeLimits(maxNesting: 4))?.code == .tooLarge)
  }

  /// A picture whose XMP is an item that is made of `parts` times another one, and so on for
  /// `depth` levels; the last holds `packet`.
  private func described(depth: Int, parts: Int, by packet: [UInt8]) throws -> [UInt8] {
    var file = try heif()
    file.items[0].isInline = true
    let coded = file.items[0].data.count
    for level in 0...depth {
      file.items.append(
        .init(
          number: 10 + level, type: "mime", data: level == depth ? packet : [], isInline: true,
          contentType: "application/rdf+xml"))
      if level < depth { file.references.append(("iloc", 10 + level, [11 + level])) }
    }
    file.references.append(("cdsc", 10, [1]))
    /// Index, offset and length of each extent.
    func row(_ number: Int, _ method: Int, _ extents: [[Int]]) -> [UInt8] {
      TestHEIF.u16(number) + TestHEIF.u16(method) + [0, 0] + TestHEIF.u16(extents.count)
        + extents.joined().flatMap(TestHEIF.u32)
    }
    var rows = row(1, 1, [[0, 0, coded]])
    for level in 0..<depth {
      rows += row(10 + level, 2, Array(repeating: [1, 0, 0], count: parts))
    }
    rows += row(10 + depth, 1, [[0, coded, packet.count]])
    let head: [UInt8] = [0x44, 0x04] + TestHEIF.u16(depth + 2)
    file.replaced["iloc"] = TestHEIF.full("iloc", 1, head + rows)
    return file.bytes()
  }

  @Test func itemsWithinItemsAreReadUpToTheLimit() throws {
    let packet = Array("<x/>".utf8)
    func xmp(_ depth: Int) throws -> [UInt8]? {
      try StillImage(described(depth: depth, parts: 1, by: packet)).metadata.xmp
    }
    #expect(try xmp(0) == packet)
    #expect(try xmp(63) == packet)
    #expect(try xmp(64) == nil)
    // 8³⁰ parts: each picture that is cropped is assembled once.
    #expect(try StillImage(described(depth: 30, parts: 8, by: [])).metadata.xmp?.isEmpty ?? true)
  }

  @Test func timeIsExact() throws {
    for (kind, bytes) in try files() {
      let time = TestTime()
      let image = try time.asClock { try StillImage(bytes, limits: DecodeLimits(maxSeconds: 10)) }
      time.set(.seconds(10))
      #expect(throws: Never.self, "\(kind)") { try image.base() }
      time.set(.milliseconds(10_001))
      let error = #expect(throws: ReadError.self, "\(kind)") { try image.base() }
      #expect(error?.code == .tooLarge)
      #expect(
        error?.message
          == "reading it timed out after 10.0 s; give it more time or skip it")
    }
  }

  /// Decoding stops at the next row, strip or tile: each takes a second here.
  @Test func decodingStopsSoon() throws {
    let tall = try #require(TestTIFF(height: 2000).bytes())
    // Rows, strips and tiles.
    for bytes in [TestPNG(height: 500).bytes, tall, try grid(rows: 40)] {
      let time = TestTime(step: .seconds(1))
      let error = #expect(throws: ReadError.self) {
        try time.asClock {
          _ = try StillImage(bytes, limits: DecodeLimits(maxSeconds: 20)).base()
        }
      }
      #expect(error?.code == .tooLarge)
      // Threads that are at work finish what they are at.
      #expect(time.readings > 15 && time.readings < 100)
    }
  }
}
