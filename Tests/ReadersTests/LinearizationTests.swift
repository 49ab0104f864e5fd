import ImageCore
import Testing

@testable import Readers

@Suite struct LinearizationTests {
  /// One row of codes as linear values.
  static func linear(
    _ codes: [UInt16], bits: Int, channels: Int = 3, _ color: ColorDescription
  ) throws -> [SIMD3<Float>] {
    let count = codes.count / channels
    let picture = try DecodedSamples(
      size: PixelSize(width: count, height: 1), channels: channels, format: .codes(bits: bits)
    ) { picture throws(ReadError) in
      for (i, code) in codes.enumerated() {
        if bits <= 8 {
          picture.row(0).assumingMemoryBound(to: UInt8.self)[i] = UInt8(code)
        } else {
          picture.row(0).assumingMemoryBound(to: UInt16.self)[i] = code
        }
      }
    }
    let source = LinearizedSource(picture, color, of: [])
    let buffer = try PlanarBuffer(size: source.size)
    try source.read(PixelRect(source.size), into: buffer)
    return (0..<count).map {
      SIMD3(buffer.row(0, 0)[$0], buffer.row(1, 0)[$0], buffer.row(2, 0)[$0])
    }
  }

  private func color(_ primaries: UInt16, _ transfer: UInt16) throws -> ColorDescription {
    try #require(ColorDescription(primaries: primaries, transfer: transfer, matrix: 9))
  }

  /// BT.2100 and BT.2408: 594 of PQ and 767 of HLG are reference white, within a code.
  @Test func referenceWhite() throws {
    let pq = try Self.linear([594, 594, 594, 769, 769, 769], bits: 10, try color(9, 16))
    #expect(abs(pq[0].x - 1) < 0.01 && abs(pq[1].y - 4.926) < 0.05)
    let hlg = try Self.linear([767, 767, 767, 1023, 1023, 1023], bits: 10, try color(9, 18))
    #expect(abs(hlg[0].x - 1) < 0.005)
    #expect(abs(hlg[1].z - ReferenceWhite.hlgHeadroom) < 1e-3)
    let srgb = try Self.linear([255, 128, 0], bits: 8, .assumed)
    #expect(srgb[0].x == 1 && abs(srgb[0].y - 0.21586) < 1e-4 && srgb[0].z == 0)
  }

  /// Nothing says that the last code of a curve is the brightest.
  @Test func thePeakIsTheBrightestOfACurve() {
    for curve: [Float] in [[1, 0], [0, 0.5, 1, 0.25], [0, 1]] {
      var color = ColorDescription.assumed
      color.transfer = .curves([curve])
      #expect(Linearization(color, .codes(bits: 16)).peak > 0.9999)
    }
  }

  @Test func grayIsThreeEqualChannels() throws {
    let gray = try Self.linear([0, 100, 255], bits: 8, channels: 1, .assumed)
    #expect(gray.allSatisfy { $0.x == $0.y && $0.y == $0.z } && gray[2].x == 1)
  }

  /// White stays white through any primaries.
  @Test(arguments: [UInt16(1), 4, 5, 6, 8, 9, 11, 12, 22])
  func whiteStaysWhite(primaries: UInt16) throws {
    let white = try Self.linear([255, 255, 255], bits: 8, try color(primaries, 13))[0]
    #expect(abs(white.x - 1) < 2e-3 && abs(white.y - 1) < 2e-3 && abs(white.z - 1) < 2e-3)
  }

  @Test func unknownCodePointsAreNoted() {
    #expect(ColorDescription(primaries: 9, transfer: 3, matrix: 9) == nil)
    #expect(ColorDescription(primaries: 3, transfer: 13, matrix: 1) == nil)
  }
}
