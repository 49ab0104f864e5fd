import Containers
import Testing

@testable import Readers

@Suite struct YCbCrDecodingTests {
  private func codes(
    _ luma: UInt16, _ cb: UInt16, _ cr: UInt16, _ matrix: UInt16, full: Bool, bits: Int = 10,
    channels: Int = 3, primaries: UInt16 = 1
  ) throws -> [UInt16] {
    let decoding = try YCbCrDecoding(
      matrix: matrix, primaries: primaries, isFullRange: full, bits: bits, isGray: channels == 1)
    var out = [UInt16](repeating: 0, count: channels)
    withUnsafePointer(to: luma) { luma in
      withUnsafePointer(to: cb) { cb in
        withUnsafePointer(to: cr) { cr in
          decoding.convert(
            .init(luma: luma, cb: cb, cr: cr), x: 0, &out, count: 1, channels: channels)
        }
      }
    }
    return out
  }

  /// Narrow range is 64…940 of 10 bits for luma, 64…960 for chroma (H.273 8.3).
  @Test(arguments: [UInt16(1), 2, 4, 5, 6, 7, 8, 9])
  func grayStaysGray(matrix: UInt16) throws {
    for (luma, gray) in [(64, 0), (940, 1023), (502, 512), (0, 0), (1023, 1023)] {
      let code = try codes(UInt16(luma), 512, 512, matrix, full: false)
      #expect(code == [UInt16](repeating: UInt16(gray), count: 3), "\(luma)")
    }
    #expect(try codes(700, 512, 512, matrix, full: true) == [700, 700, 700])
  }

  /// The corners of the color cube, coded by the equations of H.273.
  @Test(arguments: [
    (UInt16(1), 0.2126, 0.0722), (6, 0.299, 0.114), (9, 0.2627, 0.0593), (7, 0.212, 0.087),
  ])
  func corners(matrix: UInt16, red: Double, blue: Double) throws {
    for corner in 1..<7 {
      let rgb = (0..<3).map { Double(corner >> $0 & 1) }
      let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
      let cb = (rgb[2] - luma) / (2 * (1 - blue))
      let cr = (rgb[0] - luma) / (2 * (1 - red))
      let narrow = try codes(
        UInt16((876 * luma + 64).rounded()), UInt16((896 * cb + 512).rounded()),
        UInt16((896 * cr + 512).rounded()), matrix, full: false)
      for channel in 0..<3 { #expect(abs(Int(narrow[channel]) - Int(1023 * rgb[channel])) <= 2) }
    }
  }

  @Test func codesOfOtherKinds() throws {
    // Identity: green, blue, red.
    #expect(try codes(100, 200, 300, 0, full: true) == [300, 100, 200])
    #expect(try codes(940, 64, 502, 0, full: false) == [512, 1023, 0])
    // YCgCo: pure green has Cg of a half.
    #expect(try codes(512, 1023, 512, 8, full: true) == [1, 1023, 1])
    #expect(try codes(64, 0, 0, 6, full: false, channels: 1) == [0])
    #expect(try codes(235, 0, 0, 6, full: false, bits: 8, channels: 1) == [255])
    for matrix in [UInt16(3), 10, 11, 13, 14, 255] {
      #expect(throws: FormatError.self) { try codes(0, 0, 0, matrix, full: true) }
    }
    #expect(throws: FormatError.self) { try codes(0, 0, 0, 12, full: true, primaries: 11) }
  }

  /// Derived from primaries: with those of BT.709 and BT.2020 it is theirs, to the rounding of
  /// their published numbers.
  @Test(arguments: [(UInt16(1), UInt16(1)), (9, 9)])
  func matrixOfPrimaries(matrix: UInt16, primaries: UInt16) throws {
    for (luma, cb, cr) in [(100, 600, 300), (700, 200, 800), (512, 512, 1000)]
      as [(UInt16, UInt16, UInt16)]
    {
      let derived = try codes(luma, cb, cr, 12, full: true, primaries: primaries)
      let named = try codes(luma, cb, cr, matrix, full: true)
      for channel in 0..<3 { #expect(abs(Int(derived[channel]) - Int(named[channel])) <= 1) }
    }
  }

  /// The lifting steps of YCgCo-R, of which each undoes one of the encoder's.
  @Test(arguments: [UInt16(16), 17]) func reversibleYCgCo(matrix: UInt16) throws {
    let spare = matrix == 16 ? 2 : 1
    let top = 1023 >> spare
    for (red, green, blue) in [
      (0, 0, 0), (top, 0, 3), (17, 200, 99), (5, top, top), (top, top, top),
    ] {
      let co = red - blue
      let rest = blue + co >> 1
      let cg = green - rest
      let luma = rest + cg >> 1
      let code = try codes(
        UInt16(luma), UInt16(cg + 512), UInt16(co + 512), matrix, full: true)
      let back = code.map { (Int($0) * top * 2 + 1023) / 2046 }
      #expect(back == [red, green, blue])
    }
  }
}
