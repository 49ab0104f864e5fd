import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

/// The laws of ``ImageFilter`` for every operation that there is.
@Suite struct EditOperationTests {
  /// For each operation: settings that change nothing, and settings under which flat areas keep
  /// their sign and range. A new operation does not compile without them.
  static func examples(_ operation: EditOperation, _ source: EditScene.Source) throws -> (
    neutral: any ImageFilter, active: any ImageFilter
  ) {
    let size = source.size
    let (half, mask) = (
      PixelSize(width: size.width / 2, height: size.height / 3),
      PixelMask(size: size) { Float(($0.x * 7 + $0.y * 5) % 11) / 10 }
    )
    let empty = PixelMask(size: size, uniform: 0)
    switch operation {
    case .crop:
      return (
        try CropFilter(PixelRect(size)),
        try CropFilter(PixelRect(x: 3, y: 2, width: 20, height: 11))
      )
    case .resize: return (try ResizeFilter(to: size), try ResizeFilter(to: half))
    case .orient: return (OrientFilter(.up), OrientFilter(.leftMirrored))
    case .affine:
      return (try AffineFilter(straightenedBy: 0), try AffineFilter(straightenedBy: 7))
    case .exposure: return (try ExposureFilter(stops: 0), try ExposureFilter(stops: 0.5))
    case .colorMatrix:
      return (
        try ColorMatrixFilter(.identity),
        try ColorMatrixFilter.saturation(1.2, in: source.info.primaries)
      )
    case .toneCurve:
      return (
        try ToneCurveFilter([SIMD2(-8, -8), SIMD2(0, 0), SIMD2(3, 3)]),
        try ToneCurveFilter([SIMD2(-8, -7.8), SIMD2(0, 0.3), SIMD2(3, 3)])
      )
    case .whitePoint:
      return (
        try WhitePointFilter(from: .d65), try WhitePointFilter(from: Chromaticity(x: 0.33, y: 0.34))
      )
    case .gaussianBlur:
      return (try GaussianBlurFilter(sigma: 0), try GaussianBlurFilter(sigma: 5.3))
    case .unsharpMask:
      return (
        try UnsharpMaskFilter(sigma: 2, amount: 0), try UnsharpMaskFilter(sigma: 1.5, amount: 1.5)
      )
    case .maskBlend:
      let other = EditScene.image(try ExposureFilter(stops: 0.3).applied(to: source))
      return (
        try MaskBlendFilter(with: other, mask: empty), try MaskBlendFilter(with: other, mask: mask)
      )
    case .masked:
      return (
        MaskedFilter(try ExposureFilter(stops: 1), mask: empty),
        MaskedFilter(try GaussianBlurFilter(sigma: 1), mask: mask)
      )
    case .composite:
      let layer = EditScene.flat(SIMD3(repeating: 0.5), 10, 8)
      return (
        try CompositeFilter(layer, at: PixelPoint(x: 5, y: 5), opacity: 0),
        try CompositeFilter(layer, at: PixelPoint(x: -3, y: 4), mode: .plus, opacity: 0.5)
      )
    case .pixelKernel:
      return (
        PixelKernel(name: "nothing") { _, _, _, _, _ in },
        PixelKernel(name: "dimmed") { red, green, blue, alpha, origin in
          for x in 0..<red.count {
            red[x] *= 0.9
            blue[x] *= 0.9
            green[x] *= 0.9
            alpha[x] = (x + origin.x) % 2 == 0 ? 1 : 0.5
          }
        }
      )
    case .colorClamp: return (try ColorClampFilter(-1...100), try ColorClampFilter())
    }
  }

  static let safe = EditOperation.allCases.filter(\.isHDRSafe)

  @Test(arguments: EditOperation.allCases) func neutralSettingsGiveThePicture(
    operation: EditOperation
  ) throws {
    let picture = EditScene.noise()
    let neutral = try Self.examples(operation, picture).neutral
    #expect(neutral.operation == operation)
    let result = try neutral.applied(to: picture)
    #expect(EditScene.isSame(result, picture))
    #expect(result.info == picture.info)
  }

  @Test(arguments: EditOperation.allCases) func isTheSameHoweverItIsCut(operation: EditOperation)
    throws
  {
    let picture = EditScene.noise()
    #expect(
      EditScene.isTileInvariant(
        try Self.examples(operation, picture).active.applied(to: picture)))
  }

  /// Flat areas far above white and below black are edited without clamping.
  @Test(arguments: safe) func valuesOutsideTheRangeSurvive(operation: EditOperation) throws {
    for (level, limits) in [(Float(6.5), Float(5.5)...Float(9.5)), (-0.25, -0.4...(-0.17))] {
      let picture = EditScene.flat(SIMD3(repeating: level))
      let result = EditScene.image(
        try Self.examples(operation, picture).active.applied(to: picture))
      // Where two pictures are added, the lower one is looked at.
      #expect(limits.contains(result[result.size.width - 2, result.size.height - 2].x))
    }
  }

  @Test func theRangeTestCanFail() throws {
    #expect(!EditOperation.colorClamp.isHDRSafe)
    let picture = EditScene.flat(SIMD3(repeating: 6.5))
    let clamped = try Self.examples(.colorClamp, picture).active.applied(to: picture)
    #expect(EditScene.range(clamped) == 1...1)
  }

  @Test(arguments: EditOperation.allCases) func headroomBoundsThePixels(operation: EditOperation)
    throws
  {
    // Without values below 0, under which factors below 0 may exceed the bound.
    let picture = EditScene.image(try ColorClampFilter(0...8).applied(to: EditScene.noise()))
    let result = try Self.examples(operation, picture).active.applied(to: picture)
    #expect(EditScene.range(result).upperBound <= result.info.headroom)
  }

  @Test func namesByCategory() {
    #expect(EditOperation.names(in: .geometry) == ["affine", "crop", "orient", "resize"])
    #expect(!EditOperation.names(in: .highDynamicRange).contains("colorClamp"))
    #expect(
      EditOperation.names(in: .highDynamicRange).count == EditOperation.allCases.count - 1)
    for category in EditOperation.Category.allCases {
      #expect(!EditOperation.names(in: category).isEmpty)
    }
  }

  @Test func editsFollowOneAnother() throws {
    let picture = EditScene.noise()
    let result = try picture.edited(
      by: CropFilter(PixelRect(x: 1, y: 1, width: 40, height: 20)), OrientFilter(quarterTurns: 1),
      ExposureFilter(stops: 1))
    #expect(result.size == PixelSize(width: 20, height: 40))
    #expect(EditScene.image(result)[19, 0] == picture[1, 1] * 2)
    #expect(result.info.headroom == 16)
  }

  @Test func badSettingsAreRefused() {
    #expect(throws: OperatorError.self) {
      try CropFilter(PixelRect(x: -1, y: 0, width: 2, height: 2))
    }
    #expect(throws: OperatorError.self) {
      try CropFilter(PixelRect(x: .max, y: 0, width: 2, height: 2))
    }
    #expect(throws: OperatorError.self) {
      try EditScene.noise().edited(by: CropFilter(PixelRect(x: 60, y: 0, width: 2, height: 2)))
    }
    #expect(throws: OperatorError.self) { try ResizeFilter(to: PixelSize(width: 0, height: 1)) }
    #expect(throws: OperatorError.self) { try ResizeFilter.thumbnail(maxPixelSize: 0) }
    for bad in [Double.nan, .infinity, -1e9] {
      #expect(throws: OperatorError.self) { try ExposureFilter(stops: bad) }
      #expect(throws: OperatorError.self) { try GaussianBlurFilter(sigma: bad) }
      #expect(throws: OperatorError.self) { try UnsharpMaskFilter(sigma: 1, amount: bad) }
      #expect(throws: OperatorError.self) { try AffineFilter(straightenedBy: bad) }
      #expect(throws: OperatorError.self) { try ColorMatrixFilter(.identity * bad) }
      #expect(throws: OperatorError.self) {
        try ToneCurveFilter([SIMD2(0, 0), SIMD2(bad, 1)])
      }
      #expect(throws: OperatorError.self) {
        try WhitePointFilter(from: Chromaticity(x: bad, y: 0.3))
      }
    }
    #expect(throws: OperatorError.self) { try ToneCurveFilter([SIMD2(0, 0), SIMD2(1, -1)]) }
    #expect(throws: OperatorError.self) {
      try PixelMask(size: PixelSize(width: 2, height: 2), values: [1])
    }
    #expect(throws: OperatorError.self) {
      try CompositeFilter(EditScene.noise(), at: PixelPoint(x: .min, y: 0))
    }
  }
}
