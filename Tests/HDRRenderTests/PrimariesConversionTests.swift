import ImageCore
import Testing

@testable import HDRRender

@Suite struct PrimariesConversionTests {
  private func read(_ source: some PixelSource<DisplayReferred>) throws -> [SIMD3<Float>] {
    let image = try Image(rendering: source)
    return (0..<image.size.width).map { image[$0, 0] }
  }

  private func row(_ pixels: [SIMD3<Float>], _ primaries: Primaries, headroom: Float) throws
    -> Image<DisplayReferred>
  {
    try Image(
      size: PixelSize(width: pixels.count, height: 1),
      info: .init(primaries: primaries, headroom: headroom)
    ) { planes in
      for (x, pixel) in pixels.enumerated() {
        for plane in 0..<3 { planes.row(plane, 0)[x] = pixel[plane] }
      }
    }
  }

  private let pixels: [SIMD3<Float>] = [
    SIMD3(1, 1, 1), SIMD3(4, 4, 4), SIMD3(0.2, 0.5, 0.1), SIMD3(0, 3, 0), SIMD3(0, 0, 1),
  ]

  @Test func ownPrimariesComeBackBitForBit() throws {
    let image = try row(pixels, .bt2020, headroom: 4)
    #expect(try read(PrimariesConversion(image, to: .bt2020)) == pixels)
  }

  @Test func thereAndBackIsTheSameWithoutMapping() throws {
    let image = try row(pixels, .bt2020, headroom: 4)
    let there = PrimariesConversion(image, to: .srgb, isMapped: false)
    let back = try read(PrimariesConversion(there, to: .bt2020, isMapped: false))
    for (a, b) in zip(back, pixels) { #expect((0..<3).allSatisfy { abs(a[$0] - b[$0]) < 1e-5 }) }
    #expect(try read(there).allSatisfy { max($0.x, $0.y, $0.z) <= there.info.headroom })
  }

  /// Whites stay, nothing is negative or above the headroom, lightness of what fits stays.
  @Test(arguments: [Primaries.srgb, .displayP3])
  func mappedColorsFit(target: Primaries) throws {
    let image = try row(pixels, .bt2020, headroom: 4)
    let mapped = try read(PrimariesConversion(image, to: target))
    #expect(abs(mapped[0].x - 1) < 1e-5 && abs(mapped[1].z - 4) < 1e-4)
    for pixel in mapped { #expect(pixel.min() >= 0 && pixel.max() <= 4.0001) }
    let light = { (p: SIMD3<Float>, own: Primaries) in
      Oklab.lab(own.conversion(to: .bt2020) * SIMD3<Double>(p)).x
    }
    #expect(abs(light(mapped[2], target) - light(pixels[2], .bt2020)) < 1e-4)
  }
}
