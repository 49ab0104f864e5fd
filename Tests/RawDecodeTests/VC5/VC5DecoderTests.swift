import CCrypto
import ImageCore
import TestSupport
import Testing

@testable import RawDecode
@testable import SyntheticRaw

@Suite struct VC5DecoderTests {
  /// Every sample equals the result of GoPro's own library.
  @Test func aCamerasFileIsExact() throws {
    let name = "raws/gopro_hero7_colorchecker.GPR"
    let file = try RawFile.open(path: try SharedFiles.path(name))
    let mosaic = try #require(try SharedFiles.reference(name)["mosaic"] as? [String: Any])
    let data = try file.decode()
    #expect(data.size == PixelSize(width: 4000, height: 3000))
    #expect(data.layout == .mosaic(CFA(width: 2, height: 2, channels: [0, 1, 1, 2])))
    #expect(file.info.crop == PixelRect(data.size) && file.tags?.levels.white == [16383])
    for probe in try #require(mosaic["probes_y_x_value"] as? [[Int]]) {
      #expect(data.samples.counts(row: probe[0])[probe[1]] == probe[2])
    }
    var digest = [UInt8](repeating: 0, count: 32)
    let samples = data.samples.counts(row: 0)
    #expect(EVP_Digest(samples, data.size.area * 2, &digest, nil, EVP_sha256(), nil) == 1)
    let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hexadecimal == mosaic["sha256_of_little_endian_uint16"] as? String)
    #expect(try file.decode(workers: 1).allCounts == data.allCounts)
  }

  static let sizes = [(34, 34), (36, 50), (38, 46), (66, 98), (70, 34), (130, 44)]
    .map { PixelSize(width: $0, height: $1) }

  /// Detail in the finest level only, where nothing is lost: pairs of numbers with constant sum.
  func detail(_ phase: MosaicPattern.BayerPhase, _ size: PixelSize) -> DNGWriter {
    var numbers = TestNumbers(state: 71)
    var file = DNGWriter.vc5(phase, size: size)
    guard let encoder = file.vc5Encoder(size) else { return file }
    let (columns, rows) = (size.width / 2, size.height / 2)
    func plane(_ base: Int) -> [Int] {
      var plane = [Int](repeating: base, count: columns * rows)
      for y in 0..<rows / 2 * 2 {
        for x in stride(from: 0, to: columns - 1, by: 2) {
          let value = numbers.next(7) - 3
          plane[y * columns + x] += value
          plane[y * columns + x + 1] -= value
        }
      }
      return plane
    }
    let (green, red, blue, difference) = (plane(2000), plane(90), plane(-140), plane(0))
    let curve = encoder.curve
    for y in 0..<size.height {
      for x in 0..<size.width {
        let i = y / 2 * columns + x / 2
        let code =
          switch encoder.pattern.channel(x: x, y: y) {
          case 0: green[i] + 2 * red[i]
          case 2: green[i] + 2 * blue[i]
          default: green[i] + (y % 2 == 0 ? difference[i] : -difference[i])
          }
        file.samples[y * size.width + x] = curve[code]
      }
    }
    return file
  }

  @Test(arguments: MosaicPattern.BayerPhase.allCases)
  func fineDetailIsExact(_ phase: MosaicPattern.BayerPhase) throws {
    for size in Self.sizes {
      let file = detail(phase, size)
      let raw = try RawFile.open(bytes: try file.bytes)
      for workers in [1, 3] {
        #expect(try raw.decode(workers: workers).allCounts == file.samples, "\(size)")
      }
    }
  }

  /// The largest difference of `decoded` to the original, in logarithmic codes.
  func error(_ file: DNGWriter, _ decoded: [UInt16]) throws -> Int {
    let curve = try #require(file.vc5Encoder(file.size)).curve
    func code(_ value: UInt16) -> Int { curve.firstIndex { $0 >= value } ?? curve.count - 1 }
    return zip(decoded, file.samples).map { abs(code($0) - code($1)) }.max() ?? .max
  }

  func check(_ file: DNGWriter, within limit: Int) throws {
    let raw = try RawFile.open(bytes: try file.bytes)
    let decoded = try raw.decode(workers: 2).allCounts
    #expect(try raw.decode(workers: 1).allCounts == decoded)
    let found = try error(file, decoded)
    #expect(found <= limit && found > 0, "\(file.size), \(file.vc5): \(found)")
  }

  @Test func everySizeAndOrderComesClose() throws {
    for phase in MosaicPattern.BayerPhase.allCases {
      for (index, size) in Self.sizes.enumerated() {
        try check(DNGWriter.vc5(phase, size: size, state: UInt64(index)), within: 14)
      }
    }
  }

  @Test func everySettingComesClose() throws {
    // The bits shifted out of a channel count three times in red and blue.
    for (prescale, limit) in [
      ([0, 2, 2], 12), ([2, 2, 2], 36), ([1, 2, 1], 14), ([3, 1, 0], 36), ([0, 0, 2], 10),
      ([0, 3, 3], 20),
    ] {
      var file = DNGWriter.vc5()
      file.vc5.prescale = prescale
      try check(file, within: limit)
      file.vc5.quantization = [24, 24, 12, 24, 24, 12, 32, 32, 48]
      try check(file, within: 90)
    }
    for (bits, prescale) in [(14, [0, 2, 2]), (16, [2, 2, 2])] {
      var file = DNGWriter.vc5()
      file.vc5.bits = bits
      file.vc5.prescale = prescale
      try check(file, within: 14 << (bits - 12))
    }
  }

  /// Files of 12 and 14 bits, by their white level, regardless of the bits per sample.
  @Test func theWhiteLevelDeterminesTheBits() throws {
    for (white, shift, bits) in [(4095, 4, 12), (4000, 4, 16), (16383, 2, 14), (16000, 2, 16)] {
      var file = DNGWriter.vc5()
      file.samples = file.samples.map { $0 >> UInt16(shift) }
      file.bitsPerSample = bits
      file.white = [UInt32(white)]
      let decoded = try RawFile.open(bytes: try file.bytes).decode().allCounts
      let factor = zip(decoded, file.samples).map { Double($0) / Double($1) }
      #expect(factor.allSatisfy { (0.9...1.1).contains($0) })
    }
  }

  @Test func tilesAndCrops() throws {
    for tile in [PixelSize(width: 64, height: 48), PixelSize(width: 100, height: 40)] {
      var file = DNGWriter.vc5(.bggr, size: PixelSize(width: 150, height: 90))
      file.tile = tile
      try check(file, within: 14)
      let full = try RawFile.open(bytes: try file.bytes).decode().allCounts
      let area = PixelRect(x: 7, y: 5, width: 120, height: 71)
      file.activeArea = area
      let part = try RawFile.open(bytes: try file.bytes).decode(workers: 3).allCounts
      let expected = (area.y..<area.endY).flatMap { y in
        full[y * 150 + area.x..<y * 150 + area.endX]
      }
      #expect(part == expected)
    }
  }

  @Test func theLinearizationTableApplies() throws {
    var file = DNGWriter.vc5()
    let plain = try RawFile.open(bytes: try file.bytes).decode().allCounts
    file.additionalFields[50712] = .shorts((0..<20000).map { UInt16(65535 - 2 * $0) })
    let raw = try RawFile.open(bytes: try file.bytes)
    #expect(try raw.decode().allCounts == plain.map { 65535 - 2 * min($0, 19999) })
    #expect(try raw.decode(appliesTable: false).allCounts == plain)
  }

  /// Other streams of the same picture.
  @Test func orderAndOptionalElementsDoNotMatter() throws {
    let file = DNGWriter.vc5()
    let plain = try RawFile.open(bytes: try file.bytes).decode().allCounts
    let stream = try file.vc5Stream
    func decode(_ change: (inout [VC5TestStream.Element]) -> Void) throws -> [UInt16] {
      var other = stream
      change(&other.elements)
      return try RawFile.open(bytes: file.bytes(holding: other)).decode().allCounts
    }
    #expect(try decode { _ in } == plain)
    // Numbers of channels and subbands that are implied by the order.
    #expect(try decode { $0.removeAll { [48, 62].contains($0.tag) } } == plain)
    // The codeblocks in reverse order, with all their parameters.
    let blocks = stream.elements.split { $0.tag == 48 }.dropFirst()
    let header = stream.elements.prefix { $0.tag != 62 }
    let segments = blocks.enumerated().map { index, block in
      [
        VC5TestStream.Element(tag: 62, value: index / 10),
        VC5TestStream.Element(tag: 48, value: index % 10),
      ] + block.filter { $0.tag != 62 }
    }
    #expect(try decode { $0 = Array(header) + segments.reversed().joined() } == plain)
    // Unknown optional elements, and sections.
    let more = [
      VC5TestStream.Element(tag: -300, value: 7),
      VC5TestStream.Element(tag: -0x4020, value: 2, data: [1, 2, 3, 4, 5, 6, 7, 8]),
      VC5TestStream.Element(tag: -0x6101, value: 0, data: [UInt8](repeating: 9, count: 4 << 16)),
      VC5TestStream.Element(tag: 0x2300, value: 65535), VC5TestStream.Element(tag: 120, value: 1),
      VC5TestStream.Element(tag: 200, value: 0),
    ]
    #expect(try decode { $0.insert(contentsOf: more, at: 9) } == plain)
    // Cameras mark codeblocks as optional elements.
    #expect(
      try decode { elements in
        for i in elements.indices where elements[i].isCodeblock { elements[i].tag *= -1 }
      } == plain)
  }
}
