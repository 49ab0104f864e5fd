import ImageCore
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

/// Every storage restores its numbers, on any number of threads.
@Suite struct StoredPictureTests {
  static let sizes: [(bits: Int, isFloat: Bool)] =
    [(8, false), (16, false), (32, false), (16, true), (24, true), (32, true)]

  func check(_ file: StoredFile, _ numbers: inout TestNumbers) throws {
    var file = file
    file.fill(&numbers)
    let raw = try RawFile.open(bytes: try file.bytes())
    for workers in [1, 3] {
      let same = try raw.decode(workers: workers).allNumbers == file.expected
      var summary = file
      summary.codes = []
      #expect(same, "\(summary)")
    }
  }

  /// `file` in both byte orders, one and three samples, interleaved and planar, tiles and strips.
  func variants(_ file: StoredFile) -> [StoredFile] {
    var all: [StoredFile] = []
    for (samples, isPlanar) in [(1, false), (3, false), (3, true)] {
      for tile in [file.tile, nil] {
        var one = file
        (one.samplesPerPixel, one.isPlanar, one.tile) = (samples, isPlanar, tile)
        one.bigEndian = all.count % 2 == 1
        all.append(one)
        one.bigEndian.toggle()
        all.append(one)
      }
    }
    return all
  }

  @Test func plainNumbers() throws {
    var numbers = TestNumbers(state: 21)
    for (bits, isFloat) in Self.sizes {
      for file in variants(StoredFile(bits: bits, isFloat: isFloat)) { try check(file, &numbers) }
    }
  }

  @Test func packedNumbers() throws {
    var numbers = TestNumbers(state: 22)
    for bits in 2...31 where bits != 8 && bits != 16 {
      for compression in [1, 8] {
        for file in variants(StoredFile(bits: bits, compression: compression)).prefix(7) {
          try check(file, &numbers)
        }
      }
    }
  }

  @Test func everyPredictor() throws {
    var numbers = TestNumbers(state: 23)
    for (bits, isFloat) in Self.sizes {
      for predictor in [1, 2, 34892, 34893, 3, 34894, 34895] {
        let isBytes = [3, 34894, 34895].contains(predictor)
        if isBytes != isFloat, predictor != 1 { continue }
        let file = StoredFile(
          bits: bits, isFloat: isFloat, compression: 8, predictor: predictor)
        for file in variants(file) { try check(file, &numbers) }
      }
    }
  }

  @Test func losslessJPEG() throws {
    var numbers = TestNumbers(state: 24)
    for bits in [8, 12, 16] {
      for file in variants(StoredFile(bits: bits, compression: 7)) { try check(file, &numbers) }
    }
  }

  @Test func jpegXL() throws {
    var numbers = TestNumbers(state: 25)
    for bits in 8...16 {
      for file in variants(StoredFile(bits: bits, compression: 52546)).suffix(bits == 10 ? 12 : 5) {
        try check(file, &numbers)
      }
    }
    for bits in [16, 32] {
      let file = StoredFile(bits: bits, isFloat: true, compression: 52546)
      for var file in variants(file) {
        file.fill(&numbers)
        // Only finite and normal numbers: libjxl 0.7 encodes the upper half of subnormal ones
        // incorrectly.
        let exponent: UInt32 = bits == 16 ? 0x4000 : 0x4000_0000
        file.codes = file.codes.map { $0 & ~exponent | (bits == 16 ? 0x0400 : 0x0080_0000) }
        let raw = try RawFile.open(bytes: try file.bytes())
        #expect(try raw.decode().allNumbers == file.expected)
      }
    }
  }

  /// Flat pictures, which the DCT codes exactly.
  @Test func lossyJPEG() throws {
    for var file in variants(StoredFile(bits: 8, compression: 34892)) {
      file.codes = [UInt32](repeating: 93, count: file.size.area * file.samplesPerPixel)
      let data = try RawFile.open(bytes: try file.bytes()).decode()
      #expect(data.allNumbers.allSatisfy { abs($0 - 93) <= 1 })
      file.tags[50712] = (0..<256).map { $0 * 200 }
      let linear = try RawFile.open(bytes: try file.bytes()).decode()
      #expect(linear.allNumbers == data.allNumbers.map { $0 * 200 })
    }
  }

  @Test func fieldsAndBlocks() throws {
    var numbers = TestNumbers(state: 26)
    for compression in [1, 7, 8, 52546] {
      for (rows, columns) in [(2, 2), (1, 2), (3, 1), (4, 5), (19, 23)] {
        let file = StoredFile(compression: compression, rowFields: rows, columnFields: columns)
        for file in variants(file).prefix(compression == 52546 ? 4 : 12) {
          try check(file, &numbers)
        }
      }
      for block in [PixelSize(width: 4, height: 2), PixelSize(width: 16, height: 8)] {
        var file = StoredFile(compression: compression, block: block)
        try check(file, &numbers)
        (file.samplesPerPixel, file.rowFields, file.columnFields) = (3, 2, 3)
        try check(file, &numbers)
        file.isPlanar = true
        try check(file, &numbers)
      }
      var strips = StoredFile(
        size: PixelSize(width: 24, height: 20), compression: compression, tile: nil,
        rowsPerStrip: 8, block: PixelSize(width: 6, height: 4))
      try check(strips, &numbers)
      strips.rowsPerStrip = 20
      try check(strips, &numbers)
      // The last strip has rows below the picture.
      strips.rowsPerStrip = 8
      strips.block.height = 8
      try check(strips, &numbers)
    }
  }

  @Test func onlyThePartWantedIsGiven() throws {
    var numbers = TestNumbers(state: 27)
    for compression in [1, 7, 8, 52546] {
      for fields in [1, 2] {
        var file = StoredFile(
          samplesPerPixel: 3, compression: compression, rowFields: fields, columnFields: fields)
        file.fill(&numbers)
        let area = PixelRect(x: 5, y: 3, width: 13, height: 11)
        file.tags[50829] = [area.y, area.x, area.endY, area.endX]
        let data = try RawFile.open(bytes: try file.bytes()).decode()
        let all = file.expected
        let expected = (area.y..<area.endY).flatMap { (y: Int) -> [Float] in
          let first = (y * 23 + area.x) * 3
          return Array(all[first..<first + area.width * 3])
        }
        #expect(data.allNumbers == expected)
      }
    }
  }

  /// A strip of more rows than one band.
  @Test func longStrips() throws {
    var numbers = TestNumbers(state: 28)
    var file = StoredFile(size: PixelSize(width: 9, height: 200), bits: 12, tile: nil)
    file.rowsPerStrip = 150
    try check(file, &numbers)
    file.compression = 8
    try check(file, &numbers)
  }

  @Test func tablesApplyToIntegers() throws {
    var numbers = TestNumbers(state: 29)
    for compression in [1, 7, 8, 52546] {
      for (bits, count) in [(10, 1024), (12, 1000), (16, 5000)] {
        var file = StoredFile(bits: bits, compression: compression)
        file.fill(&numbers)
        let table = (0..<count).map { ($0 * 61 + 17) % 65536 }
        file.tags[50712] = table
        let raw = try RawFile.open(bytes: try file.bytes())
        #expect(
          try raw.decode().allNumbers
            == file.expected.map { Float(table[min(Int($0), count - 1)]) })
      }
    }
  }

  /// Mattes and masks use the same decoder.
  @Test(arguments: [
    ("dng/synth_proraw_10bit.dng", 2), ("dng/jxl_proraw_unc16.dng", 1),
    ("raws/adobe_02_jxl_linear_raw_float.dng", 1),
  ])
  func mattes(_ name: String, count: Int) throws {
    let path = try SharedFiles.path(name)
    let file = try FileBytes(path: path)
    let tiff = try #require(try TIFFFile(file))
    let mattes = tiff.directories.filter { [4, 52527].contains($0[262]?.integer) }
    #expect(mattes.count == count)
    for matte in mattes {
      let storage = try #require(RawStorage(matte))
      let picture = StoredPicture(
        storage: storage, bigEndian: tiff.bigEndian, area: PixelRect(storage.size))
      let samples = try picture.decode(file)
      #expect(samples.rows == storage.size.height && samples.stride == storage.size.width)
      var found: Set<UInt16> = []
      for y in stride(from: 0, to: samples.rows, by: 50) {
        for x in stride(from: 0, to: samples.stride, by: 10) {
          found.insert(samples.counts(row: y)[x])
        }
      }
      #expect(found.count > 1 && (200...255).contains(found.max() ?? 0), "\(found.sorted())")
    }
  }
}
