import Containers
import Testing

@testable import Readers

@Suite struct YCbCrDecodingTests {
  private func codes(
    _ luma: UInt16, _ cb: UInt16, _ cr: UInt16, _ matrix: UInt16, full: Bool, bits: Int = 10,
    channels: Int = 3
  ) throws -> [UInt16] {
    let decoding = try YCbCrDecoding(
      matrix: matrix, isFullRange: full, bits: bits, isGray: channels == 1)
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
    for matrix in [UInt16(3), 10, 11, 12, 13, 14, 255] {
      #expect(throws: FormatError.self) { try codes(0, 0, 0, matrix, full: true) }
    }
  }
}
