import Containers
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Readers

/// Tables that ask for more than there is: each is refused with a reason, soon, before memory is
/// taken.
@Suite struct HEIFHostileTests {
  private static let coded = try? TestHEIF.Coded(PixelSize(width: 64, height: 64))

  private func plain() throws -> TestHEIF { TestHEIF.plain(try #require(Self.coded)) }

  private func refusal(_ file: TestHEIF) -> ReadError.Code? {
    do {
      _ = try TestHEIF.codes(StillImage(file.bytes()))
      return nil
    } catch {
      return (error as? ReadError)?.code
    }
  }

  /// A grid item 9 as the primary, with these tiles and payload.
  private func grid(
    _ tiles: [Int], payload: [UInt8], type: String = "grid"
  ) throws -> TestHEIF {
    var file = try plain()
    file.items.append(.init(number: 9, type: type, data: payload, isInline: true))
    file.references.append(("dimg", 9, tiles))
    file.primary = 9
    return file
  }

  @Test func wholePicturesAreRead() throws {
    #expect(refusal(try plain()) == nil)
    #expect(refusal(try grid([1, 1, 1, 1], payload: [0, 0, 1, 1, 0, 100, 0, 100])) == nil)
    #expect(refusal(try grid([1], payload: [0, 1, 0, 0, 0, 0, 0, 64, 0, 0, 0, 64])) == nil)
    #expect(refusal(try grid([1], payload: [], type: "iden")) == nil)
  }

  /// The decoder fills in what damaged data do not say; that is not the picture.
  @Test func concealedDamageIsRefused() throws {
    var file = TestHEIF.plain(try .init(PixelSize(width: 320, height: 256)))
    #expect(refusal(file) == nil)
    let data = file.items[0].data
    for fraction in [2, 3, 4] {
      let sound = data.count - data.count / fraction
      file.items[0].data = data.prefix(sound) + [UInt8](repeating: 0, count: data.count - sound)
      #expect(refusal(file) == .damaged, "\(fraction)")
    }
  }

  @Test(arguments: [
    (1 << 31, 1 << 31, ReadError.Code.tooLarge), (0xFFFF_FFFF, 0xFFFF_FFFF, .tooLarge),
    (1 << 31, 1, .tooLarge), (0, 64, .damaged), (65, 64, .damaged), (64, 100_000, .damaged),
  ])
  func sizes(width: Int, height: Int, code: ReadError.Code) throws {
    var file = try plain()
    file.properties[1] = TestHEIF.size(width, height)
    #expect(refusal(file) == code)
  }

  @Test func gridsThatDoNotAddUp() throws {
    let wide: [UInt8] = [0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(refusal(try grid([1], payload: wide)) == .damaged)
    let many = [Int](repeating: 1, count: 65_535)
    #expect(refusal(try grid(many, payload: [0, 0, 255, 254, 0, 64, 0, 64])) == .damaged)
    #expect(refusal(try grid([1, 1], payload: [0, 0, 0, 1, 0, 200, 0, 64])) == .damaged)
    #expect(refusal(try grid([1, 1], payload: [0, 0, 0, 1, 0, 64, 0, 64])) == .damaged)
    #expect(refusal(try grid([1], payload: [0, 0, 0, 1])) == .damaged)
    #expect(refusal(try grid([], payload: [0, 0, 0, 0, 0, 64, 0, 64])) == .damaged)
    #expect(refusal(try grid([7], payload: [0, 0, 0, 0, 0, 64, 0, 64])) == .damaged)
    #expect(refusal(try grid([1], payload: [1, 0, 0, 0, 0, 64, 0, 64])) == .unsupported)
    // As many tiles as are listed, but more data than the file has.
    let overlapping = [Int](repeating: 1, count: 256)
    #expect(refusal(try grid(overlapping, payload: [0, 0, 15, 15, 4, 0, 4, 0])) == .damaged)
  }

  /// A column of 256 tiles of 4096 × 4096 for a canvas that is one pixel wide.
  @Test func tilesThatMultiply() throws {
    let headers = HEVCStillHeaders(
      size: PixelSize(width: 4096, height: 4096), bits: 8, chromaFormat: 1, quantizer: 26,
      chromaOffset: 0, color: .init(primaries: 1, transfer: 13, matrix: 6, isFullRange: true),
      chromaLocation: 0, deblocks: true)
    let configuration = try #require(
      HEVCConfiguration(parameterSets: headers.parameterSets, bits: 8, chromaFormat: 1))
    func column(_ count: Int) throws -> [UInt8] {
      let canvas = TestHEIF.u32(1) + TestHEIF.u32(4096 * (count - 1) + 1)
      var file = try grid(
        [Int](repeating: 1, count: count), payload: [0, 1, UInt8(count - 1), 0] + canvas)
      file.properties[0] = TestHEIF.box("hvcC", configuration.record)
      return file.bytes()
    }
    #expect(throws: Never.self) { try StillImage(column(4)) }
    for count in [5, 256] {
      let error = #expect(throws: ReadError.self) { try StillImage(column(count)) }
      #expect(error?.code == .damaged && error?.message.contains("much larger") == true)
    }
  }

  /// Opening a decoder for a tile of a few pixels takes as long as some thousands of them.
  @Test func tilesOfFewPixels() throws {
    let headers = HEVCStillHeaders(
      size: PixelSize(width: 16, height: 16), bits: 8, chromaFormat: 1, quantizer: 26,
      chromaOffset: 0, color: .init(primaries: 1, transfer: 13, matrix: 6, isFullRange: true),
      chromaLocation: 0, deblocks: true)
    let configuration = try #require(
      HEVCConfiguration(parameterSets: headers.parameterSets, bits: 8, chromaFormat: 1))
    let side = TestHEIF.u32(16 * 255)
    var file = try grid(
      [Int](repeating: 1, count: 255 * 255), payload: [0, 1, 254, 254] + side + side)
    file.properties[0] = TestHEIF.box("hvcC", configuration.record)
    let error = #expect(throws: ReadError.self) { try StillImage(file.bytes()) }
    #expect(error?.code == .damaged && error?.message.contains("much larger") == true)
  }

  /// The decoder's picture is held beside the one that is made of it.
  @Test func picturesOfMoreThanEightBitsHaveMemory() throws {
    let file = TestHEIF.plain(try .init(PixelSize(width: 64, height: 64), .pq)).bytes()
    // Three samples of two bytes, twice.
    let bytes = 64 * 64 * 3 * 2 * 2
    #expect(throws: Never.self) {
      try StillImage(file, limits: DecodeLimits(maxDecodeBytes: bytes)).base()
    }
    let error = #expect(throws: ReadError.self) {
      try StillImage(file, limits: DecodeLimits(maxDecodeBytes: bytes - 1))
    }
    #expect(error?.code == .tooLarge)
  }

  /// Alpha of three channels is left out, with a note.
  @Test func alphaIsNoted() throws {
    var file = try plain()
    file.items.append(.init(number: 2, type: "hvc1", data: file.items[0].data))
    file.items[1].properties = file.items[0].properties
    file.add(
      2, TestHEIF.auxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"))
    file.references.append(("auxl", 2, [1]))
    let still = try StillImage(file.bytes())
    #expect(still.notes == ["its alpha cannot be read and was left out"])
    _ = try still.base()
  }

  /// Each worker holds the tile that it decodes.
  @Test func workersHaveMemory() throws {
    let file = try grid([1, 1, 1, 1], payload: [0, 0, 1, 1, 0, 100, 0, 100])
    let plan = try HEIFStill(FileBytes(file.bytes())).plan
    let format = DecodedSamples.Format.codes(bits: plan.bits)
    let picture = DecodedSamples.bytes(plan.size, channels: 3, format)
    let tile = DecodedSamples.bytes(plan.still.codedSize, channels: 3, format)
    for (bytes, workers) in [(0, 1), (picture + 3 * tile, 3), (picture + 100 * tile, 8)] {
      #expect(plan.workers(within: DecodeLimits(maxDecodeBytes: bytes), maxWorkers: 8) == workers)
    }
  }

  /// `file` with a square of `side` × `side` tiles, all of them item 1, as its picture.
  private func square(_ file: TestHEIF, side: Int) -> TestHEIF {
    var file = file
    let last = UInt8(side - 1)
    let payload = [0, 0, last, last] + TestHEIF.u16(64 * side) + TestHEIF.u16(64 * side)
    file.items.append(.init(number: 9, type: "grid", data: payload, isInline: true))
    file.references.append(("dimg", 9, [Int](repeating: 1, count: side * side)))
    file.primary = 9
    return file
  }

  /// `file` with its items where `rows` say: number, method, offset and length of each. Offsets in
  /// the file count from the first byte of `mdat`.
  private func placed(_ file: TestHEIF, _ rows: [[Int]]) -> TestHEIF {
    var file = file
    func locations(_ media: Int) -> [UInt8] {
      var box: [UInt8] = [0x44, 0] + TestHEIF.u16(rows.count)
      for row in rows {
        for number in [row[0], row[1], 0, 1] { box += TestHEIF.u16(number) }
        box += TestHEIF.u32(row[2] + (row[1] == 0 ? media : 0))
        box += TestHEIF.u32(row[3])
      }
      return TestHEIF.full("iloc", 1, box)
    }
    file.replaced["iloc"] = locations(0)
    let media = file.items.filter { !$0.isInline }.reduce(0) { $0 + $1.data.count }
    file.replaced["iloc"] = locations(file.bytes().count - media)
    return file
  }

  /// Tiles that are one item, and together read more than a few times the file.
  @Test func tilesThatShareTheirBytes() throws {
    let coded = try #require(Self.coded)
    let padding = [UInt8](repeating: 0, count: 100_000)
    // A few bytes of a large file.
    var padded = try plain()
    padded.items.append(.init(number: 5, type: "pack", data: padding))
    #expect(refusal(square(padded, side: 4)) == nil)
    // The configuration is read for each.
    var configured = try plain()
    configured.properties[0] = TestHEIF.box("hvcC", coded.configuration + padding)
    #expect(refusal(square(configured, side: 1)) == nil)
    #expect(refusal(square(configured, side: 4)) == .damaged)
    // So is the item that they are a part of.
    var within = try plain()
    within.items[0].data = []
    within.items.append(.init(number: 5, type: "pack", data: coded.data + padding))
    within.references.append(("iloc", 1, [5]))
    let complete = [5, 0, 0, coded.data.count + padding.count]
    // And what is behind a part without a length, up to the end of an item or of the file.
    let tiled = square(padded, side: 4)
    #expect(refusal(placed(tiled, [[1, 0, 0, coded.data.count], [9, 1, 0, 8]])) == nil)
    for (file, rows) in [
      (within, [[1, 2, 0, coded.data.count], complete]), (within, [[1, 2, 0, 0], complete]),
      (padded, [[1, 0, 0, 0]]),
    ] {
      #expect(refusal(placed(square(file, side: 1), rows + [[9, 1, 0, 8]])) == nil)
      #expect(refusal(placed(square(file, side: 4), rows + [[9, 1, 0, 8]])) == .damaged)
    }
  }

  /// Four tiles that are one item of a thousand parts without bytes: with 32 for each part they
  /// read as much as is allowed of the file, or one byte more.
  @Test func partsWithoutBytesCount() throws {
    let (data, parts) = (try #require(Self.coded).data.count, 1000)
    func file(padding: Int) throws -> [UInt8] {
      var file = try plain()
      let pack = [UInt8](repeating: 0, count: padding)
      file.items.append(.init(number: 5, type: "pack", data: pack))
      file = square(file, side: 2)
      func locations(_ media: Int, end: Int) -> [UInt8] {
        var box: [UInt8] = [0x44, 0, 0, 2]
        for number in [1, 0, 0, 1 + parts] { box += TestHEIF.u16(number) }
        for number in [media, data] { box += TestHEIF.u32(number) }
        for _ in 0..<parts { for number in [end, 0] { box += TestHEIF.u32(number) } }
        for number in [9, 1, 0, 1] { box += TestHEIF.u16(number) }
        for number in [0, 8] { box += TestHEIF.u32(number) }
        return TestHEIF.full("iloc", 1, box)
      }
      file.replaced["iloc"] = locations(0, end: 0)
      let count = file.bytes().count
      file.replaced["iloc"] = locations(count - padding - data, end: count)
      return file.bytes()
    }
    let least = try file(padding: 0)
    let item = try #require(try HEIFItems(FileBytes(least))[1])
    let each = data + 32 * (1 + parts) + item.configuration.count + item.properties.count
    let padding = each - least.count
    #expect(throws: Never.self) { try TestHEIF.codes(StillImage(file(padding: padding))) }
    let error = #expect(throws: ReadError.self) { try StillImage(file(padding: padding - 1)) }
    #expect(error?.code == .damaged && error?.message.contains("overlap") == true)
  }

  /// An item is put together once for all parts that are taken of it, which have no bytes here and
  /// would be 2^30.
  @Test func itemsWithinItemsAreReadOnce() throws {
    var file = try plain()
    let levels = 10
    func row(_ number: Int, _ method: Int, _ parts: [(Int, Int)]) -> [UInt8] {
      [number, method, 0, parts.count].flatMap(TestHEIF.u16)
        + parts.flatMap { TestHEIF.u32($0.0) + TestHEIF.u32($0.1) }
    }
    // Each is eight times the one before it, and the first is stored.
    file.items.append(.init(number: 20, type: "pack", isInline: true))
    var rows = row(20, 1, [(0, 0)])
    for level in 1...levels {
      file.items.append(.init(number: 20 + level, type: "pack"))
      file.references.append(("iloc", 20 + level, [19 + level]))
      rows += row(20 + level, 2, [(Int, Int)](repeating: (0, 0), count: 8))
    }
    file.replaced["iloc"] = TestHEIF.full(
      "iloc", 1, [0x44, 0] + TestHEIF.u16(levels + 1) + rows)
    let bytes = try FileBytes(file.bytes())
    let reader = HEIFItemReader(file: bytes, items: try HEIFItems(bytes))
    #expect(try reader.bytes(of: 20 + levels).isEmpty)
  }

  @Test func recursiveReferences() throws {
    #expect(refusal(try grid([9], payload: [0, 0, 0, 0, 0, 64, 0, 64])) == .unsupported)
    #expect(refusal(try grid([9], payload: [], type: "iden")) == .damaged)
    var two = try grid([10], payload: [], type: "iden")
    two.items.append(.init(number: 10, type: "iden", isInline: true))
    two.references.append(("dimg", 10, [9]))
    #expect(refusal(two) == .damaged)
    var grids = try grid([10], payload: [0, 0, 0, 0, 0, 64, 0, 64])
    grids.items.append(
      .init(number: 10, type: "grid", data: [0, 0, 0, 0, 0, 64, 0, 64], isInline: true))
    grids.references.append(("dimg", 10, [1]))
    #expect(refusal(grids) == .unsupported)
    var map = try plain()
    map.items.append(.init(number: 9, type: "tmap", isInline: true))
    map.references += [("dimg", 9, [9, 9])]
    map.primary = 9
    #expect(refusal(map) != nil)
    #expect(refusal(try grid([1], payload: [], type: "iovl")) == .unsupported)
  }

  /// An `iloc` of version `version` with one item.
  private func location(
    version: UInt8 = 1, method: Int = 0, widths: [UInt8] = [0x44, 0], count: Int = 1,
    _ extents: [UInt8]
  ) -> [UInt8] {
    let number: [UInt8] = version == 2 ? [0, 0, 0, 1] : [0, 1]
    let head: [UInt8] = widths + number + number + (version == 0 ? [] : TestHEIF.u16(method))
    return TestHEIF.full("iloc", version, head + [0, 0] + TestHEIF.u16(count) + extents)
  }

  @Test func offsetsOutsideTheFile() throws {
    var file = try plain()
    let far: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    let boxes = [
      location([0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
      location([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1]),
      location(widths: [0x88, 0], far + far), location(widths: [0x88, 0x80], far + far + far),
      location(widths: [0x80, 0x80], [0x7F] + far.dropFirst() + [0x7F] + far.dropFirst()),
      location(widths: [0, 0], count: 65_535, []),
      location(widths: [0x33, 0], [0, 0, 0, 0, 0, 0]),
      location(method: 1, [0, 0, 0, 0, 0, 0, 0, 9]), location(method: 2, [0, 0, 0, 0, 0, 0, 0, 9]),
      location(method: 9, [0, 0, 0, 0, 0, 0, 0, 9]), location(version: 2, [0, 0, 0, 0]),
      location(version: 3, []),
      location(version: 0, count: 65_535, [0, 0, 0, 0, 0, 0, 0, 9]),
    ]
    for box in boxes {
      file.replaced["iloc"] = box
      #expect(refusal(file) != nil)
    }
    // Parts that all span the complete file.
    let complete = (0..<1000).flatMap { _ in TestHEIF.u32(0) + TestHEIF.u32(900) }
    file.replaced["iloc"] = location(count: 1000, complete)
    #expect(refusal(file) == .damaged)
    // An item that is made of itself.
    file.references.append(("iloc", 1, [1]))
    file.replaced["iloc"] = location(method: 2, [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(refusal(file) == .damaged)
  }

  /// The picture is read, and what is missing past the end of the file is named.
  @Test func cutBehindThePicture() throws {
    var file = try plain()
    #expect(try StillImage(file.bytes()).notes == [])
    file.items.append(.init(number: 5, type: "Exif", data: [UInt8](repeating: 0, count: 64)))
    let cut = try StillImage(file.bytes().dropLast(8))
    #expect(cut.notes.count == 1 && cut.notes[0].contains("item 5 (Exif)"), "\(cut.notes)")
    _ = try cut.base()
    // Its type may be any four bytes.
    file.items[file.items.count - 1].type = "\u{1B}[2\u{7F}"
    let notes = try StillImage(file.bytes().dropLast(8)).notes
    #expect(notes.count == 1 && notes[0].contains("item 5 (?[2?)"), "\(notes)")
  }

  /// An Exif block that is none.
  @Test func damagedExifIsNoted() throws {
    var file = try plain()
    file.items.append(.init(number: 5, type: "Exif", data: [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]))
    file.references.append(("cdsc", 5, [1]))
    let notes = try StillImage(file.bytes()).notes
    #expect(notes.count == 1 && notes[0].contains("Exif"), "\(notes)")
  }

  /// Bytes within another item, and to its end.
  @Test func itemsWithinItems() throws {
    var file = try plain()
    let coded = try #require(Self.coded)
    file.items[0].data = []
    file.items.append(.init(number: 5, type: "pack", data: [1, 2, 3] + coded.data))
    file.references.append(("iloc", 1, [5]))
    let start = TestHEIF.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)).count
    func locations(_ media: Int) -> [UInt8] {
      TestHEIF.full(
        "iloc", 1,
        [0x44, 0, 0, 2, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0]
          + [0, 5, 0, 0, 0, 0, 0, 1] + TestHEIF.u32(media)
          + TestHEIF.u32(coded.data.count + 3))
    }
    file.replaced["iloc"] = locations(0)
    let media = file.bytes().count - coded.data.count - 3
    #expect(media > start)
    file.replaced["iloc"] = locations(media)
    #expect(refusal(file) == nil)
    #expect(
      try TestHEIF.codes(StillImage(file.bytes())) == TestHEIF.codes(StillImage(plain().bytes())))
  }

  /// Box lengths of 0, less than their head, 2^32 − 1 and 2^63, at the top and within `meta`.
  @Test func boxLengths() throws {
    let bytes = try plain().bytes()
    let starts = ["meta", "hdlr", "iinf", "ipco", "hvcC", "iloc"].compactMap { name in
      bytes.indices.first { bytes[$0...].starts(with: Array(name.utf8)) }.map { $0 - 4 }
    }
    #expect(starts.count == 6)
    for start in starts {
      for length in [[0, 0, 0, 1], [0, 0, 0, 7], [255, 255, 255, 255], [128, 0, 0, 0]] as [[UInt8]]
      {
        var bad = bytes
        bad.replaceSubrange(start..<start + 4, with: length)
        #expect(throws: ReadError.self) { try StillImage(bad) }
      }
      var long = bytes
      long.replaceSubrange(start..<start + 4, with: [0, 0, 0, 1])
      long.insert(contentsOf: [0x80, 0, 0, 0, 0, 0, 0, 0], at: start + 8)
      #expect(throws: ReadError.self) { try StillImage(long) }
    }
  }

  @Test func essentialUnknownPropertiesAreRefused() throws {
    var file = try plain()
    file.add(1, essential: false, TestHEIF.box("what", [1]))
    #expect(refusal(file) == nil)
    file = try plain()
    file.add(1, TestHEIF.box("what", [1]))
    #expect(refusal(file) == .unsupported)
    file = try plain()
    file.items[0].type = "j2k1"
    #expect(refusal(file) == .unsupported)
    // Another one, its replacement, is shown instead.
    file.items.append(.init(number: 2, type: "hvc1", data: file.items[0].data))
    file.items[1].properties = file.items[0].properties
    file.groups = [[1, 2]]
    #expect(refusal(file) == nil)
  }

  /// Each reference is found by its ends: a search through all for each of them would take an hour.
  @Test func referencesWithoutNumber() throws {
    var file = try plain()
    func link(_ type: String, _ index: Int, to targets: [Int]) -> (String, Int, [Int]) {
      (type, 2 + index % 60_000, targets)
    }
    file.references = (0..<80_000).map { link("dimg", $0, to: [1, 1]) }
    #expect(refusal(file) == nil)
    file.references = (0..<20).map { link("dimg", $0, to: [Int](repeating: 1, count: 60_000)) }
    #expect(refusal(file) == .tooLarge)
  }

  /// A byte of the tables can be a property of an item, which takes a hundred.
  @Test func propertiesWithoutNumber() throws {
    func linked(_ rows: Int) throws -> TestHEIF {
      var file = try plain()
      let levels = TestHEIF.box("clli", [0, 9, 0, 9])
      file.properties += [levels]
      let index = UInt8(file.properties.count)
      let row = [0, 1, 255] + [UInt8](repeating: index, count: 255)
      let own =
        [0, 1, UInt8(file.items[0].properties.count)]
        + file.items[0].properties.map {
          UInt8($0.0)
        }
      let links = TestHEIF.u32(rows + 1) + own + Array(repeatElement(row, count: rows).joined())
      file.replaced["iprp"] = TestHEIF.box(
        "iprp",
        TestHEIF.box("ipco", Array(file.properties.joined())) + TestHEIF.full("ipma", 0, links))
      return file
    }
    #expect(refusal(try linked(2)) == nil)
    #expect(refusal(try linked(5000)) == .tooLarge)
  }

  /// Descriptions that cannot be taken are not all tried: each may be as long as the file.
  @Test func descriptionsWithoutNumber() throws {
    let packet = Array("<x/>".utf8)
    func xmp(behind broken: Int) throws -> [UInt8]? {
      var file = try plain()
      file.items[0].isInline = true
      let length = file.items[0].data.count
      let last = 2 + broken
      for number in 2...last {
        var item = TestHEIF.Item(number: number, type: "mime")
        (item.contentType, item.isInline) = ("application/rdf+xml", true)
        item.data = number == last ? packet : []
        file.items.append(item)
        file.references.append(("cdsc", number, [1]))
      }
      func location(_ number: Int, _ offset: Int, _ count: Int) -> [UInt8] {
        [number, 1, 0, 1].flatMap(TestHEIF.u16) + TestHEIF.u32(offset) + TestHEIF.u32(count)
      }
      // The others are nowhere.
      file.replaced["iloc"] = TestHEIF.full(
        "iloc", 1, [0x44, 0, 0, 2] + location(1, 0, length) + location(last, length, packet.count))
      return try StillImage(file.bytes()).metadata.xmp
    }
    #expect(try xmp(behind: 7) == packet)
    #expect(try xmp(behind: 8) == nil)
  }
}
