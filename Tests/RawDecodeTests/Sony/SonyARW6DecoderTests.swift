import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

@Suite struct SonyARW6DecoderTests {
  /// A raw of `size` in `tiles`, with slopes, edges and noise over all codes.
  private func raw(
    _ size: PixelSize, tiles: PixelSize = PixelSize(width: 1, height: 1),
    shifts: [Int] = [0, 0, 0, 0, 0]
  ) throws -> CameraContainer {
    var raw = try #require(CameraSample.all.first { $0.raw.coding == .arw6 }).busy()
    var noise = SeededRandom(seed: 11)
    (raw.size, raw.area) = (size, PixelRect(size))
    raw.samples = (0..<size.area).map { index in
      let (x, y) = (index % size.width, index / size.width)
      let slope = x * 190 + (y / 9 & 1) * 9000 + (x + y) / 25 % 3 * 4000
      // The lower third is flat, so that there are runs of zeros.
      return y > size.height * 2 / 3
        ? 1900
        : UInt16(min(900 + slope % 36_000, 39_002))
          ^ UInt16(noise.next() & 15)
    }
    (raw.arw6.tiles, raw.arw6.shifts) = (tiles, shifts)
    return raw
  }

  private func isOwn(_ file: RawFile) -> Bool {
    file.decoder.isOwn(SonyARW6Decoder.self)
  }

  /// Published values of rawspeed's and LibRaw's tables.
  @Test func curveHasThePublishedValues() {
    let values = SonyARW6Curve.values
    #expect(values.count == 4096)
    #expect(values.prefix(1428).elementsEqual(0..<1428))
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    let published: [(Int, [UInt16])] = [
      (1424, [1424, 1425, 1426, 1427, 1429, 1430, 1431, 1432]),
      (1440, [1442, 1443, 1444, 1445, 1446, 1447, 1448, 1449, 1450, 1451, 1452, 1453, 1455]),
      (2048, [2469, 2472, 2475, 2477, 2480, 2483, 2486, 2488, 2491, 2494, 2496, 2499, 2501]),
      (3008, [8099, 8110, 8122, 8133, 8144, 8155, 8167, 8178, 8189, 8200, 8212, 8223, 8234]),
      (3968, [32294, 32342, 32390, 32438, 32487, 32535, 32583, 32631, 32679, 32766, 32777]),
      (4083, [38312, 38369, 38426, 38483, 38540, 38597, 38655, 38713, 38771, 38829, 38886, 38944]),
    ]
    for (code, expected) in published {
      #expect(values[code...].prefix(expected.count).elementsEqual(expected), "\(code)")
    }
    #expect(values.last == 39_002)
  }

  /// Every canvas alignment of the first row, several tiles, every loss, any number of workers.
  @Test(arguments: [
    (PixelSize(width: 192, height: 36), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 80, height: 136), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 112, height: 44), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 64, height: 144), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 240, height: 52), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 48, height: 56), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 320, height: 144), PixelSize(width: 2, height: 2)),
    (PixelSize(width: 416, height: 72), PixelSize(width: 2, height: 1)),
  ])
  func samplesAreThoseDescribed(_ size: PixelSize, _ tiles: PixelSize) throws {
    for shifts in [[0, 0, 0, 0, 0], [1, 2, 2, 3, 3], [3, 4, 5, 6, 7]] {
      let raw = try raw(size, tiles: tiles, shifts: shifts)
      let written = try raw.written()
      let file = try RawFile.open(bytes: written.bytes)
      try #require(isOwn(file) && file.info.size == size)
      for workers in [1, 9] {
        let data = try file.decode(workers: workers)
        let isDescribed = data.allCounts == written.samples
        #expect(isDescribed, "\(shifts) \(workers)")
      }
      let stored = try file.decodeStored()
      let isDescribed = stored.allCounts == written.samples
      #expect(isDescribed)
    }
  }

  /// The note says that no camera file was tested; levels are twice the file's.
  @Test func descriptionTellsWhatIsKnown() throws {
    let file = try RawFile.open(bytes: raw(PixelSize(width: 192, height: 136)).written().bytes)
    #expect(file.info.warnings.contains(SonyARW6Storage.note))
    #expect(file.info.cameraName.contains("ILCE-7M5") && file.info.profile != nil)
    let data = try file.decode()
    #expect(data.levels.black.allSatisfy { $0 == 1024 })
    #expect(abs(1 / data.levels.scale[0] + 1024 - 32_766) < 0.01)
  }

  /// The range of the strip in the file.
  private func strip(_ bytes: [UInt8]) throws -> Range<Int> {
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    let directory = try #require(tiff.directories.first { $0[259]?.integer == 32766 })
    let start = try #require(directory[273]?.integer)
    return start..<start + (try #require(directory[279]?.integer))
  }

  /// Unknown variants are rejected by name, and never decoded.
  @Test func unknownKindsAreRefused() throws {
    let bytes = try raw(PixelSize(width: 192, height: 136)).written().bytes
    let start = try strip(bytes).lowerBound
    let tile = start + 512
    // The number of tiles, a tile's position and size, its mark, sizes, bits, components, mode, the
    // components of a region, a component's mark, bands, chunks.
    let changes: [(Int, UInt8)] = [
      (start, 0), (start, 2), (start + 8, 255), (start + 16, 2), (start + 24, 64),
      (start + 28, 132), (tile + 2, 0x41), (tile + 9, 176), (tile + 11, 64), (tile + 12, 0),
      (tile + 14, 0x4E), (tile + 14, 0x62), (tile + 0x30, 2), (tile + 0x70, 3), (tile + 0x85, 0),
      (tile + 0x86, 0x80), (tile + 0x88, 1), (tile + 0x89, 0), (tile + 0x81, 9),
    ]
    for (at, byte) in changes {
      var changed = bytes
      changed[at] = byte
      let error = #expect(throws: RAWError.self, "\(at - start)") {
        try RawFile.open(bytes: changed)
      }
      #expect(error?.code == .unsupported && error?.message.contains("ARW 6") == true)
    }
    for height in [64, 60] {
      let raw = try raw(PixelSize(width: 192, height: height))
      #expect(throws: RAWError.self) { try RawFile.open(bytes: raw.written().bytes) }
    }
  }

  /// Zeros, ones and noise instead of a part of the stream give an error or a picture, never a
  /// crash; a chunk that needs more bits than it has is an error.
  @Test func damageEndsInAnErrorOrAPicture() throws {
    let bytes = try raw(PixelSize(width: 192, height: 136), shifts: [1, 2, 2, 3, 3]).written().bytes
    let strip = try strip(bytes)
    var random = SeededRandom(seed: 4)
    var refused = 0
    for turn in 0..<200 {
      var changed = bytes
      let length = [1, 8, 64, 700][turn % 4]
      let from =
        strip.lowerBound + 512 + 128
        + Int(random.next() % UInt64(strip.count - 640 - length))
      for i in 0..<length {
        changed[from + i] =
          turn % 3 == 0 ? 0 : turn % 3 == 1 ? 255 : UInt8(truncatingIfNeeded: random.next())
      }
      do throws(RAWError) {
        _ = try RawFile.open(bytes: changed).decode()
      } catch {
        #expect(error.code == .damaged || error.code == .unsupported)
        refused += 1
      }
    }
    #expect(refused > 20)
  }

  /// A directory after the start of the samples, in a strip that extends to the end: the
  /// compression value does not precede the samples.
  @Test func directoriesWithinTheStripHarmNothing() throws {
    let raw = try raw(PixelSize(width: 192, height: 136))
    let bytes = try raw.written().bytes
    let strip = try strip(bytes)
    // The SubIFD moves after the samples, and the strip's length includes it.
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    let sub = try #require(tiff.directories.first { $0[259]?.integer == 32766 })
    let pointer = try #require(tiff.first[330])
    let start = try #require(sub[254]?.position) - 2
    let count = Int(bytes[start]) | Int(bytes[start + 1]) << 8
    let end = start + 2 + 12 * count + 4
    var changed = bytes + (bytes.count % 2 == 0 ? [] : [0])
    let moved = changed.count
    changed += bytes[start..<end]
    changed.replaceSubrange(
      pointer.offset..<pointer.offset + 4, with: UInt32(moved).bytes(bigEndian: false))
    let length = try #require(sub[279]?.offset) - start + moved
    changed.replaceSubrange(
      length..<length + 4,
      with: UInt32(changed.count - strip.lowerBound).bytes(bigEndian: false))
    let file = try RawFile.open(bytes: changed)
    #expect(isOwn(file))
    let isDescribed = try file.decode().allCounts == raw.written().samples
    #expect(isDescribed)
  }

  @Test func filesThatEndEarlyAreRefused() throws {
    let bytes = try raw(PixelSize(width: 192, height: 136)).written().bytes
    for count in [1, 100, bytes.count / 2] {
      #expect(throws: RAWError.self) {
        try RawFile.open(bytes: Array(bytes.dropLast(count))).decode()
      }
    }
  }
}
