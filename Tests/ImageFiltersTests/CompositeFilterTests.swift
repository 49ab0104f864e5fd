import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

@Suite struct CompositeFilterTests {
  private let lower = SIMD3<Float>(4, -0.5, 0.5)
  private let upper = SIMD3<Float>(2, 3, -0.25)

  private func expected(_ mode: CompositeFilter.Mode) -> SIMD3<Float> {
    switch mode {
    case .over: upper
    case .plus: SIMD3(6, 2.5, 0.25)
    case .maximum: SIMD3(4, 3, 0.5)
    case .minimum: SIMD3(2, -0.5, -0.25)
    case .multiply: SIMD3(8, -1.5, -0.125)
    }
  }

  @Test(arguments: CompositeFilter.Mode.allCases) func modes(mode: CompositeFilter.Mode) throws {
    let picture = EditScene.flat(lower)
    let layer = EditScene.flat(upper, 6, 5)
    let alpha = PixelMask(size: layer.size) { $0.x == 0 ? 0 : $0.x == 1 ? 0.5 : 5 }
    let result = EditScene.image(
      try CompositeFilter(layer, at: PixelPoint(x: 10, y: -2), mode: mode, alpha: alpha)
        .applied(to: picture))
    #expect(result[9, 0] == lower && result[16, 0] == lower && result[12, 3] == lower)
    #expect(result[10, 0] == lower)
    #expect(result[12, 0] == expected(mode) && result[15, 2] == expected(mode))
    #expect(result[11, 1] == lower + (expected(mode) - lower) * 0.5)
  }

  @Test func headroomsFollowThePixels() throws {
    let picture = EditScene.picture(4, 4, headroom: 4) { _, _ in SIMD3(repeating: 4) }
    let layer = EditScene.picture(4, 4, headroom: 3) { _, _ in SIMD3(repeating: 3) }
    let expected: [(CompositeFilter.Mode, Float)] = [
      (.over, 4), (.plus, 7), (.maximum, 4), (.minimum, 4), (.multiply, 12),
    ]
    for (mode, headroom) in expected {
      #expect(try CompositeFilter(layer, mode: mode).applied(to: picture).info.headroom == headroom)
    }
  }

  @Test func layersAreTurnedIntoThePicturesPrimaries() throws {
    let picture = EditScene.picture(4, 4, primaries: .srgb) { _, _ in SIMD3() }
    let layer = EditScene.picture(4, 4, primaries: .bt2020) { _, _ in SIMD3(5, 5, 5) }
    let result = EditScene.image(try CompositeFilter(layer).applied(to: picture))
    #expect(result.info.primaries == .srgb && abs(result[1, 1].x - 5) < 1e-4)
  }

  @Test func whatLiesBesideThePictureChangesNothing() throws {
    let picture = EditScene.noise()
    let layer = EditScene.flat(upper, 6, 5)
    for position in [PixelPoint(x: 61, y: 0), PixelPoint(x: -6, y: 0), PixelPoint(x: 0, y: -5)] {
      #expect(
        EditScene.isSame(try CompositeFilter(layer, at: position).applied(to: picture), picture))
    }
  }

  @Test func masksOfPlanesAndFunctionsAreAlike() throws {
    let picture = EditScene.noise()
    let bright = EditScene.image(try ExposureFilter(stops: 1).applied(to: picture))
    let values = (0..<picture.size.area).map { Float($0 % 61) / 60 }
    let plane = try PixelMask(size: picture.size, values: values)
    let function = PixelMask(size: picture.size) { Float($0.x) / 60 }
    let a = try MaskBlendFilter(with: bright, mask: plane).applied(to: picture)
    let b = try MaskBlendFilter(with: bright, mask: function).applied(to: picture)
    let c = try MaskedFilter(try ExposureFilter(stops: 1), mask: plane).applied(to: picture)
    #expect(EditScene.isSame(a, b) && EditScene.isSame(a, c))
    #expect(EditScene.image(a)[60, 4] == bright[60, 4] && EditScene.image(a)[0, 4] == picture[0, 4])
    #expect(throws: OperatorError.self) {
      try MaskBlendFilter(with: bright, mask: plane).applied(to: EditScene.noise(10, 10))
    }
  }
}
