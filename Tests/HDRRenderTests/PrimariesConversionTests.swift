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
    let there = PrimariesConversion(image, to: .srgb, .kept)
    let back = try read(PrimariesConversion(there, to: .bt2020, .kept))
    for (a, b) in zip(back, pixels) { #expect((0..<3).allSatisfy { abs(a[$0] - b[$0]) < 1e-5 }) }
    #expect(try read(there).allSatisfy { max($0.x, $0.y, $0.z) <= there.info.headroom })
  }

  /// Colors of the cube, its edges, faces and corners among them.
  private let cube: [SIMD3<Float>] = {
    let steps: [Float] = [0, 0.001, 0.02, 0.2, 0.5, 0.9, 1]
    return steps.flatMap { r in steps.flatMap { g in steps.map { b in SIMD3(r, g, b) } } }
  }()

  /// Colors inside are given by the matrix, up to the surface, independent of the others.
  @Test(arguments: [Primaries.srgb, .adobeRGB, .bt2020, .proPhoto], [Float(1), 6])
  func whatIsInsideStays(target: Primaries, headroom: Float) throws {
    let source = try row(cube.map { $0 * headroom }, .displayP3, headroom: headroom)
    let exact = try read(PrimariesConversion(source, to: target, .kept))
    let found = try read(PrimariesConversion(source, to: target))
    var inside = 0
    for (a, b) in zip(exact, found) where a.min() >= 0 && (headroom > 1 || a.max() <= 1) {
      let off = a - b
      #expect(max(abs(off.x), abs(off.y), abs(off.z)) <= 1e-6 * headroom)
      inside += 1
    }
    #expect(inside > 40)
    let matrix = Primaries.displayP3.conversion(to: target)
    for (color, a) in zip(cube, exact) {
      let off = matrix * SIMD3<Double>(color * headroom) - SIMD3<Double>(a)
      #expect(max(abs(off.x), abs(off.y), abs(off.z)) < 1e-6 * Double(headroom))
    }
  }

  /// What a wider gamut holds comes back through codes of 16 bits, as it does where channels are
  /// cut.
  @Test(arguments: [Primaries.displayP3, .bt2020])
  func thereAndBackThroughCodes(wider: Primaries) throws {
    func code(_ value: Float) -> Double { (65_535 * SRGB.signal(linear: Double(value))).rounded() }
    let source = try row(cube, .srgb, headroom: 1)
    let coded = try read(PrimariesConversion(source, to: wider)).map { color in
      SIMD3<Float>(SIMD3((0..<3).map { SRGB.linear(signal: code(color[$0]) / 65_535) }))
    }
    let back = try read(PrimariesConversion(try row(coded, wider, headroom: 1), to: .srgb))
    for (a, b) in zip(cube, back) {
      for c in 0..<3 { #expect(abs(code(a[c]) - code(b[c])) <= 20, "\(a) \(b)") }
    }
  }

  /// No limit of SDR applies above white, only the limit of the format.
  @Test func brightColorsKeepTheirChannels() throws {
    let bright = try row([SIMD3(4, 0.8, 0.4)], .bt2020, headroom: 4)
    let clamped = try read(PrimariesConversion(bright, to: .displayP3, .kept))[0]
    #expect(clamped.max() > 4.5 && clamped.min() > 0)
    #expect(try read(PrimariesConversion(bright, to: .displayP3))[0] == clamped)
    let limited = PrimariesConversion(bright, to: .displayP3, limit: 4)
    #expect(limited.info.headroom == 4)
    #expect(try read(limited)[0].max() <= 4)
  }

  /// Whites stay, nothing is negative or above the headroom, lightness of what fits stays.
  @Test(arguments: [Primaries.srgb, .displayP3])
  func mappedColorsFit(target: Primaries) throws {
    let image = try row(pixels, .bt2020, headroom: 4)
    let mapped = try read(PrimariesConversion(image, to: target))
    #expect(abs(mapped[0].x - 1) < 1e-5 && abs(mapped[1].z - 4) < 1e-4)
    for pixel in mapped { #expect(pixel.min() >= 0) }
    let lightness = { (p: SIMD3<Float>, own: Primaries) in
      Oklab.lab(own.conversion(to: .bt2020) * SIMD3<Double>(p)).x
    }
    #expect(abs(lightness(mapped[2], target) - lightness(pixels[2], .bt2020)) < 1e-4)
  }
}
