import ImageCore
import Testing

@testable import Containers
@testable import Readers

/// What coded data say of themselves, on headers put together bit by bit.
@Suite struct CodedStillTests {
  private struct Bits {
    var bits: [UInt8] = []
    mutating func u(_ count: Int, _ value: Int) {
      for i in (0..<count).reversed() { bits.append(UInt8(value >> i & 1)) }
    }
    mutating func ue(_ value: Int) {
      let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
      u(length - 1, 0)
      u(length, value + 1)
    }
    var bytes: [UInt8] {
      let padded = bits + [1] + [UInt8](repeating: 0, count: (8 - (bits.count + 1) % 8) % 8)
      return stride(from: 0, to: padded.count, by: 8).map { start in
        padded[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      }
    }
  }

  /// A set of 100 × 50 within more coded, with lists and sets to skip before the signal type.
  private func sequence(
    coded: (Int, Int) = (104, 56), chroma: Int = 1, depth: Int = 2, points: [Int]? = [9, 16, 9]
  ) -> [UInt8] {
    var s = Bits()
    s.u(16, 0x4201)
    s.u(4, 0)
    s.u(3, 1)  // two sub-layers
    s.u(1, 1)
    s.u(32, 0x0240_0000)
    s.u(32, 0x0000_0000)
    s.u(32, 0x0000_005A)
    s.u(2, 3)
    s.u(14, 0)
    s.u(32, 0)
    s.u(32, 0)
    s.u(32, 0)
    s.ue(0)
    s.ue(chroma)
    if chroma == 3 { s.u(1, 0) }
    s.ue(coded.0)
    s.ue(coded.1)
    s.u(1, 1)
    let unit = chroma == 1 ? (2, 2) : chroma == 2 ? (2, 1) : (1, 1)
    for margin in [0, (coded.0 - 100) / unit.0, 0, (coded.1 - 50) / unit.1] { s.ue(margin) }
    s.ue(depth)
    s.ue(depth)
    s.ue(4)
    s.u(1, 1)
    for _ in 0..<6 { s.ue(1) }
    for _ in 0..<6 { s.ue(0) }
    s.u(2, 3)  // scaling lists in the set
    for size in 0..<4 {
      for matrix in 0..<(size == 3 ? 2 : 6) {
        s.u(1, matrix % 2)
        if matrix % 2 == 0 {
          s.ue(0)
        } else {
          for _ in 0..<(min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0)) { s.ue(3) }
        }
      }
    }
    s.u(2, 0)
    s.u(1, 1)  // PCM
    s.u(8, 0x77)
    s.ue(0)
    s.ue(1)
    s.u(1, 0)
    s.ue(2)  // reference sets, the second from the first
    s.ue(1)
    s.ue(1)
    for _ in 0..<2 {
      s.ue(0)
      s.u(1, 1)
    }
    s.u(1, 1)
    s.u(1, 0)
    s.ue(0)
    for flag in [1, 0b01, 1] { s.u(flag == 1 ? 1 : 2, flag) }
    s.u(1, 1)  // long-term pictures
    s.ue(1)
    s.u(9, 5)
    s.u(2, 0)
    s.u(1, 1)
    s.u(1, 1)
    s.u(8, 255)
    s.u(32, 0x0001_0001)
    s.u(1, 1)
    s.u(1, 0)
    s.u(1, 1)
    s.u(3, 5)
    s.u(1, 1)
    s.u(1, points == nil ? 0 : 1)
    for point in points ?? [] { s.u(8, point) }
    s.u(32, 0)
    return s.bytes
  }

  @Test func hevcSequences() throws {
    for chroma in 0...3 {
      let info = try HEVCSequence(escaped(sequence(chroma: chroma))[...])
      #expect(info.size == .init(width: 100, height: 50) && info.bits == 10)
      #expect(info.isGray == (chroma == 0) && info.isFullRange == true)
      #expect(
        info.codePoints == .init(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
    }
    let bare = try HEVCSequence(escaped(sequence(points: nil))[...])
    #expect(bare.codePoints == nil && bare.isFullRange == true)
    #expect(throws: FormatError.self) { try HEVCSequence(escaped(sequence(chroma: 5))[...]) }
    #expect(throws: FormatError.self) { try HEVCSequence(escaped(sequence(depth: 9))[...]) }
    let complete = escaped(sequence())
    for length in 0..<complete.count {
      if let info = try? HEVCSequence(complete.prefix(length)) {
        #expect(info.size == .init(width: 100, height: 50))
      }
    }
  }

  /// A decoder needs memory for all coded samples, even if only a part is shown.
  @Test func hevcMargins() throws {
    let large = escaped(sequence(coded: (1024, 1024)))
    let info = try HEVCSequence(large[...])
    #expect(info.size == .init(width: 100, height: 50))
    #expect(info.codedSize == .init(width: 1024, height: 1024))
    for coded in [(1056, 1056), (65_528, 65_528), (100, 65_528)] {
      #expect(throws: FormatError.self) { try HEVCSequence(escaped(sequence(coded: coded))[...]) }
    }
    let configuration = try #require(
      HEVCConfiguration(
        parameterSets: [[0x40, 1], large, [0x44, 1]], bits: 10, chromaFormat: 1))
    var file = TestHEIF.plain(try TestHEIF.Coded(PixelSize(width: 64, height: 64)))
    file.properties[0] = TestHEIF.box("hvcC", configuration.record)
    file.properties[1] = TestHEIF.size(100, 50)
    let bytes = file.bytes()
    #expect(throws: Never.self) { try StillImage(bytes, limits: DecodeLimits(maxPixels: 1 << 20)) }
    let error = #expect(throws: ReadError.self) {
      try StillImage(bytes, limits: DecodeLimits(maxPixels: 1 << 20 - 1))
    }
    #expect(error?.code == .tooLarge)
  }

  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var (out, zeros) = ([UInt8](), 0)
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        out.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      out.append(byte)
    }
    return out
  }

  private func unit(_ payload: [UInt8]) -> [UInt8] { [0x0A, UInt8(payload.count)] + payload }

  private func av1(reduced: Bool, profile: Int, high: Int, gray: Int, points: [Int]?) -> [UInt8] {
    var s = Bits()
    s.u(3, profile)
    s.u(1, 1)
    s.u(1, reduced ? 1 : 0)
    if reduced {
      s.u(5, 8)
    } else {
      s.u(1, 1)  // timing, decoder model
      s.u(32, 1)
      s.u(32, 25)
      s.u(1, 1)
      s.ue(3)
      s.u(1, 1)
      s.u(5, 7)
      s.u(32, 1)
      s.u(10, 0)
      s.u(1, 1)
      s.u(5, 1)  // two operating points
      for level in [5, 9] {
        s.u(12, 0)
        s.u(5, level)
        if level > 7 { s.u(1, 0) }
        s.u(1, 1)
        s.u(17, 0)
        s.u(1, 1)
        s.u(4, 3)
      }
    }
    s.u(4, 9)
    s.u(4, 8)
    s.u(10, 640 - 1)
    s.u(9, 480 - 1)
    if !reduced {
      s.u(1, 1)
      s.u(7, 0)
    }
    s.u(3, 0)
    if !reduced {
      s.u(4, 0)
      s.u(1, 1)
      s.u(2, 0)
      s.u(1, 0)
      s.u(1, 1)
      s.u(1, 0)
      s.u(1, 1)
      s.u(3, 6)
    }
    s.u(3, 0)
    s.u(1, high > 0 ? 1 : 0)
    if profile == 2, high > 0 { s.u(1, high - 1) }
    if profile != 1 { s.u(1, gray) }
    s.u(1, points == nil ? 0 : 1)
    for point in points ?? [] { s.u(8, point) }
    if !(points == [1, 13, 0] && gray == 0) { s.u(1, 1) }
    s.u(8, 0)
    return unit(s.bytes)
  }

  @Test func av1Sequences() throws {
    let head: [UInt8] = [0x81, 0x20, 0, 0]
    for reduced in [true, false] {
      for (profile, high, gray, bits) in [
        (0, 0, 0, 8), (0, 1, 1, 10), (1, 1, 0, 10), (2, 2, 0, 12),
      ] {
        let data = av1(
          reduced: reduced, profile: profile, high: high, gray: gray, points: [9, 16, 9])
        let still = try AV1Configuration.still(head, data)
        #expect(still.size == .init(width: 640, height: 480) && still.bits == bits)
        #expect(still.isGray == (gray == 1) && still.isFullRange == true)
        #expect(
          still.codePoints == .init(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
      }
    }
    let rgb = av1(reduced: true, profile: 1, high: 0, gray: 0, points: [1, 13, 0])
    #expect(try AV1Configuration.still(head, rgb).isFullRange == true)
    // The header may be in the configuration only, and is prepended to the data.
    let frame: [UInt8] = [0x32, 2, 7, 7]
    #expect(try AV1Configuration.units(head + rgb, frame) == rgb + frame)
    // Padding and tile lists are left out; two different headers are refused.
    #expect(try AV1Configuration.units(head, rgb + [0x7A, 1, 0] + frame) == rgb + frame)
    let other = av1(reduced: true, profile: 0, high: 1, gray: 0, points: nil)
    #expect(throws: FormatError.self) { try AV1Configuration.units(head, rgb + other + frame) }
    for damaged in [[], [0x80], [0x0A, 0xFF, 0xFF], [0x0A, 1, 0], frame] as [[UInt8]] {
      #expect(throws: FormatError.self) { try AV1Configuration.still(head, damaged) }
    }
    #expect(throws: FormatError.self) { try AV1Configuration.still([0x01, 0, 0, 0], rgb) }
  }

  /// Frames are decoded up to the one that is shown: of thousands a small file would take hours.
  @Test func av1Frames() throws {
    let head: [UInt8] = [0x81, 0x20, 0, 0]
    let sequence = av1(reduced: true, profile: 0, high: 0, gray: 0, points: nil)
    let (frame, header, tiles): ([UInt8], [UInt8], [UInt8]) = (
      [0x32, 2, 7, 7], [0x1A, 1, 7], [0x22, 1, 7]
    )
    let layers = frame + frame + header + tiles + tiles + frame
    #expect(try AV1Configuration.units(head, sequence + layers) == sequence + layers)
    for more in [frame, header] {
      let error = #expect(throws: FormatError.self) {
        try AV1Configuration.units(head, sequence + layers + more)
      }
      #expect(error?.code == .tooLarge && error?.message.contains("5 frames") == true)
    }
    // Redundant headers are left out, so that none can begin a frame.
    let again: [UInt8] = [0x3A, 1, 7]
    #expect(
      try AV1Configuration.units(head, sequence + header + again + tiles + again)
        == sequence + header + tiles)
  }

  /// Of HEVC, with lengths of one byte and a parameter set of each kind, of pictures one for each
  /// number.
  private func bareConfiguration(pictureSets: [Int] = [0]) throws -> HEVCConfiguration {
    let others: [UInt8] = [32, 33].flatMap { [$0, 0, 1, 0, 2, $0 << 1, 1] }
    let sets = pictureSets.flatMap { set in
      var writer = BitWriter()
      writer.exponentialGolomb(set)
      writer.stop()
      return [0, UInt8(2 + writer.bytes.count), 34 << 1, 1] + writer.bytes
    }
    return try HEVCConfiguration(
      [1] + [UInt8](repeating: 0, count: 20) + [0, 3] + others
        + [34, 0, UInt8(pictureSets.count)] + sets)
  }

  /// Decoders make tables as large as the picture for each set that they get.
  @Test func hevcSetsOfPicturesThatAreNamed() throws {
    let configuration = try bareConfiguration(pictureSets: Array(0..<63) + [2])
    // The first slice of a picture that names set 2: 1, 0, 011; then another, of set 1.
    let units = try configuration.units(of: [4, 40, 1, 0x98, 0x80, 4, 40, 1, 0x28, 0x80])
    #expect(units.count == 2 + 1 + 2)
    #expect(Array(units[2]) == [68, 1, 0x70])
    // Pictures that may not begin a sequence do not tell whether earlier ones are shown: 1, 011.
    #expect(try Array(configuration.units(of: [4, 2, 1, 0xB0, 0x80])[2]) == [68, 1, 0x70])
  }

  /// Each block takes at least one bit; this has 4 × 4 blocks.
  @Test func hevcDataThatCannotBeWhole() throws {
    let headers = HEVCStillHeaders(
      size: PixelSize(width: 128, height: 128), bits: 8, chromaFormat: 1, quantizer: 26,
      chromaOffset: 0,
      color: HEIFProperty.CodePoints(primaries: 1, transfer: 13, matrix: 1, isFullRange: true),
      chromaLocation: 0, deblocks: false)
    let configuration = try #require(
      HEVCConfiguration(parameterSets: headers.parameterSets, bits: 8, chromaFormat: 1))
    #expect(try configuration.still().minBytes == 2)
  }

  /// Hidden pictures take as long as the one that is shown.
  @Test func hevcFrames() throws {
    let configuration = try bareConfiguration()
    // Slices of one byte behind a length: the first of a picture, and another.
    let (first, other): ([UInt8], [UInt8]) = ([3, 40, 1, 0xA0], [3, 40, 1, 0])
    let pictures = first + first + other + other + other + first + first + other
    #expect(try configuration.units(of: pictures).count == 3 + 8)
    let error = #expect(throws: FormatError.self) {
      try configuration.units(of: pictures + first)
    }
    #expect(error?.code == .tooLarge && error?.message.contains("5 frames") == true)
  }

  @Test func hevcPartsWithoutNumber() throws {
    let configuration = try bareConfiguration()
    let (first, other, ignored): ([UInt8], [UInt8], [UInt8]) = (
      [3, 40, 1, 0xA0], [3, 40, 1, 0], [3, 78, 1, 0]
    )
    let others = Array([[UInt8]](repeating: other, count: FormatLimits.codedUnits - 1).joined())
    #expect(throws: Never.self) { try configuration.units(of: first + others + ignored) }
    let error = #expect(throws: FormatError.self) {
      try configuration.units(of: first + others + other)
    }
    #expect(error?.message.contains("NAL units or OBUs") == true)
  }

  @Test func av1PartsWithoutNumber() throws {
    let empty: [UInt8] = [0x2A, 0]
    #expect(throws: Never.self) {
      try AV1Unit.list((0..<1 << 16).flatMap { _ in empty })
    }
    #expect(throws: FormatError.self) {
      try AV1Unit.list((0...1 << 16).flatMap { _ in empty })
    }
  }
}
