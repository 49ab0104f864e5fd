import ImageCore
import Testing

@testable import RawFilter

@Suite struct LightnessStatisticsTests {
  private static func picture(
    _ colors: [SIMD3<Float>]
  ) throws(PixelError) -> Image<DisplayReferred> {
    try Image(
      size: PixelSize(width: colors.count, height: 1), info: .init(primaries: .srgb, headroom: 1)
    ) { buffer throws(PixelError) in
      for plane in 0..<3 {
        for (x, color) in colors.enumerated() { buffer.row(plane, 0)[x] = color[plane] }
      }
    }
  }

  /// CIE 15: white has L* 100, 18.4187 % has 50; the red of sRGB has 53.24 and a chroma of 104.55.
  @Test(arguments: [
    (SIMD3<Float>(1, 1, 1), 100.0, 0.0), (SIMD3(0.184187, 0.184187, 0.184187), 50.0, 0.0),
    (SIMD3(1, 0, 0), 53.24, 104.55), (SIMD3(7, 7, 7), 100.0, 0.0), (SIMD3(-1, 0, 0), 0.0, 0.0),
  ]) func lightnessIsThatOfTheColor(
    color: SIMD3<Float>, lightness: Double, chroma: Double
  ) throws {
    let statistics = LightnessStatistics(try Self.picture([color]))
    #expect(abs(statistics.mean - lightness) < 0.02)
    #expect(abs(statistics.chroma - chroma) < 0.1)
    #expect(statistics.percentile(0) == statistics.percentile(100))
    #expect(statistics.coverage == (lightness > 0 ? 1 : 0))
  }

  @Test func blackAreasDoNotCount() {
    let lit = (1...100).map(Double.init)
    let alone = LightnessStatistics(lightness: lit, chroma: 3)
    let framed = LightnessStatistics(lightness: [Double](repeating: 0, count: 300) + lit, chroma: 3)
    #expect(framed.coverage == 0.25 && alone.coverage == 1)
    #expect(framed.mean == alone.mean && framed.chroma == alone.chroma)
    for part in [0.0, 10, 50, 97, 100] {
      #expect(framed.percentile(part) == alone.percentile(part))
    }
    #expect(framed.black == 0 && alone.black == 1)
    // The same pixels count in a darker rendering.
    let darker = LightnessStatistics(
      lightness: [Double](repeating: 0, count: 300) + lit.map { $0 / 300 }, chroma: 3,
      coverage: framed.coverage)
    #expect(abs(darker.mean * 300 - alone.mean) < 1e-9)
  }

  @Test func noPixelsAreNoError() {
    let none = LightnessStatistics(lightness: [], chroma: 0)
    #expect(none.coverage == 0 && none.mean == 0 && none.black == 0 && none.percentile(50) == 0)
  }
}
