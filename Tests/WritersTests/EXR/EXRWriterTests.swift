import Containers
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

/// What readers by others make of the files is judged by the acceptance tests.
@Suite struct EXRWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static func writer(
    depth: FloatDepth = .half, _ compression: EXRCompression, level: Float? = nil,
    tileSize: Int? = nil, workers: Int = 2
  ) throws -> EXRWriter {
    let settings = EncoderSettings(.exr, bits: depth.rawValue).with {
      ($0.exrCompression, $0.exrTileSize) = (compression, tileSize)
      $0.exrLevel = level ?? $0.exrLevel
    }
    return try EXRWriter(settings, workers: workers)
  }

  static let sizes = [(1, 1), (1, 203), (203, 1), (131, 197), (515, 300)]

  /// Half precision, uncompressed: one line a chunk, whose bytes are known.
  @Test(arguments: sizes, FloatDepth.allCases)
  func linesAreTheChannelsInTheOrderOfTheirNames(side: (Int, Int), depth: FloatDepth) throws {
    let picture = FormulaPicture.noise(side.0, side.1, headroom: 6)
    let file = try Self.writer(depth: depth, .none)
      .write(picture, to: .replacing(folder.file("a.exr")))
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file.name)))
    #expect(bytes.count == file.byteCount && folder.names == ["a.exr"])
    let planes = try PlanarBuffer(size: picture.size)
    try picture.read(PixelRect(picture.size), into: planes)
    let samples = FloatSamples(depth: depth)
    let lineBytes = 3 * side.0 * samples.bytes
    // Chunks are at the end: the line's number, its length, its pixels.
    let start = bytes.count - side.1 * (8 + lineBytes)
    for y in 0..<side.1 {
      var line = [UInt8](repeating: 0, count: lineBytes)
      line.withUnsafeMutableBytes { out in
        guard let first = out.baseAddress else { return }
        let rows = planes.rows(y)
        for (index, row) in [rows.blue, rows.green, rows.red].enumerated() {
          samples.store(row, into: first + index * side.0 * samples.bytes)
        }
      }
      let at = start + y * (8 + lineBytes)
      let number = (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
      let isSame = bytes[(at + 8)..<(at + 8 + lineBytes)].elementsEqual(line)
      #expect(number == y && isSame)
    }
  }

  /// Each tile is the same part of the lines: in rows from the top, cut at the right and at the
  /// bottom.
  @Test(arguments: sizes, [16, 64, 128])
  func tilesArePartsOfTheLines(side: (Int, Int), tile: Int) throws {
    let picture = FormulaPicture.noise(side.0, side.1, headroom: 6)
    func chunks(_ tileSize: Int?, headerBytes: Int, dataBytes: Int) throws -> [UInt8] {
      let file = try Self.writer(.none, tileSize: tileSize)
        .write(picture, to: .replacing(folder.file("a.exr")))
      let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file.name)))
      return Array(bytes.suffix(headerBytes + dataBytes))
    }
    let (across, down) = ((side.0 + tile - 1) / tile, (side.1 + tile - 1) / tile)
    let count = side.0 * side.1 * 6
    let lines = try chunks(nil, headerBytes: 8 * side.1, dataBytes: count)
    let tiles = try chunks(tile, headerBytes: 20 * across * down, dataBytes: count)
    func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(tiles[at + $1]) << (8 * $1) } }
    var at = 0
    for row in 0..<down {
      for column in 0..<across {
        let (left, top) = (column * tile, row * tile)
        let (width, height) = (min(tile, side.0 - left), min(tile, side.1 - top))
        let head = (0..<5).map { number(at + 4 * $0) }
        #expect(head == [column, row, 0, 0, width * height * 6])
        at += 20
        for y in top..<(top + height) {
          for channel in 0..<3 {
            let start = y * (8 + side.0 * 6) + 8 + (channel * side.0 + left) * 2
            let isSame = tiles[at..<(at + 2 * width)]
              .elementsEqual(lines[start..<(start + 2 * width)])
            #expect(isSame)
            at += 2 * width
          }
        }
      }
    }
    #expect(at == tiles.count)
  }

  @Test(arguments: EXRCompression.allCases, [nil, 48])
  func bytesDoNotDependOnTheWorkers(compression: EXRCompression, tile: Int?) throws {
    let picture = FormulaPicture.noise(259, 613, headroom: 3)
    let files = try [1, 2, 5].map { workers in
      let file = try Self.writer(compression, tileSize: tile, workers: workers)
        .write(picture, to: .memory)
      return try #require(file.contents)
    }
    let isSame = files.allSatisfy { $0 == files[0] }
    #expect(isSame)
  }

  /// Greater errors are allowed, so fewer bytes are needed; levels and tiles outside the range are
  /// refused.
  @Test(arguments: [EXRCompression.dwaa, .dwab], FloatDepth.allCases)
  func levelsOfDWA(compression: EXRCompression, depth: FloatDepth) throws {
    let picture = FormulaPicture.noise(259, 613, headroom: 3)
    func file(_ level: Float, tile: Int? = nil) throws -> Data {
      let file = try Self.writer(depth: depth, compression, level: level, tileSize: tile)
        .write(picture, to: .replacing(folder.file("a.exr")))
      return try #require(FileManager.default.contents(atPath: file.name))
    }
    let counts = try [1, 10, 45, 100].map { try file($0).count }
    #expect(counts == counts.sorted(by: >) && Set(counts).count == counts.count)
    for (level, tile) in [(Float(0.5), 16), (5000, 16), (.nan, 16), (45, 3), (45, 129)] {
      #expect(throws: WriteError.self) { try file(level, tile: tile) }
    }
  }

  @Test func headerSaysWhoWroteIt() throws {
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    metadata[.image, 0x8298] = .ascii("An Owner")
    metadata[.exif, 0x9003] = .ascii("2024:05:06 07:08:09")
    let picture = FormulaPicture.noise(5, 4)
    let file = try EXRWriter(.init(.exr)).write(
      picture, metadata: metadata, to: .replacing(folder.file("a.exr")))
    let header = try #require(EXRHeader(FileBytes(path: file.name)))
    #expect(header.texts["software"] == RawdevVersion.software)
    #expect(header.texts["cameraMake"] == "Maker" && header.texts["owner"] == "An Owner")
    #expect(header.texts["capDate"] == "2024:05:06 07:08:09")
    #expect(header.texts["xmp"]?.contains("x:xmpmeta") == true)
    #expect(header.numbers["whiteLuminance"] == 203)
  }

  /// Headers that end early, and other files.
  @Test func brokenHeadersAreNone() throws {
    let file = try EXRWriter(.init(.exr)).write(
      FormulaPicture.noise(5, 4), to: .replacing(folder.file("a.exr")))
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file.name)))
    for count in [1, 3, 4, 8, 20, 60, 200] {
      #expect(EXRHeader(try FileBytes(Array(bytes.prefix(count)))) == nil)
    }
    var huge = bytes
    // The length of the first attribute.
    if let end = huge[8...].firstIndex(of: 0), let type = huge[(end + 1)...].firstIndex(of: 0) {
      for index in 1...4 { huge[type + index] = 0xFF }
    }
    #expect(EXRHeader(try FileBytes(huge)) == nil)
  }

  @Test func failureLeavesNothing() throws {
    let path = folder.file("none/a.exr")
    let error = #expect(throws: WriteError.self) {
      try EXRWriter(.init(.exr)).write(FormulaPicture.noise(5, 4), to: .replacing(path))
    }
    #expect(error?.code == .cannotWrite && folder.names == [])
  }
}
