import HDRRender
package import ImageCore
package import RawDecode

/// The tables of a DNG camera profile between balanced camera RGB and scene-linear BT.2020, in the
/// order of the DNG reference renderer, nothing clipped:
///
///     camera RGB → linear ProPhoto → HueSatMap → × 2^baseline → gain table map → × 2^user
///                → LookTable → RGBTables → BT.2020, shadow bias
///
/// The gain table map expects the file's own baseline exposure; further exposure is applied after
/// it. The result depends only on a pixel and its position. Neutral stages are left out.
package struct ProfileColor: Sendable {
  package struct Settings: Sendable {
    /// Balanced camera RGB to XYZ D50.
    package var cameraToD50: Matrix3
    /// The hue and saturation map for the chosen white.
    package var hueSatMap: HueSatTable?
    package var lookTable: HueSatTable?
    /// With its strength applied.
    package var gainTableMap: GainTableMap?
    package var rgbTable: RGBTable?
    /// Whether the profile is for HDR.
    package var isHighRange: Bool
    /// The factor of the file's own baseline exposure.
    package var baselineGain: Double
    /// The factor of all further exposure.
    package var userGain: Double
    /// Black offset as in ``RAWSettings/shadowBias``.
    package var shadowBias: Double
    /// Position of the pixels on the active area.
    package var placement: Placement
  }

  /// The center of pixel (x, y) of the stored picture, reduced or cropped, is at
  /// (origin + (x + 0.5, y + 0.5) · step) of the active area, in fractions of its width and height.
  package struct Placement: Sendable, Hashable {
    package var origin: SIMD2<Double>
    package var step: SIMD2<Double>

    /// Of a picture of `size` that shows `crop` of an active area of `area` pixels.
    package init(size: PixelSize, crop: PixelRect, area: PixelSize) {
      let sides = SIMD2(Double(area.width), Double(area.height))
      origin = SIMD2(Double(crop.x), Double(crop.y)) / sides
      step =
        SIMD2(
          Double(crop.width) / Double(size.width), Double(crop.height) / Double(size.height))
        / sides
    }
  }

  /// A matrix M and a factor f: no channel of the result is above f · max(M · rgb, 0), for balanced
  /// camera RGB. Nil if tables give no bound.
  package let bound: (matrix: Matrix3, factor: Float)?

  /// Whether the result depends on the position of a pixel.
  package var dependsOnPosition: Bool { gainMap != nil }

  private let toProPhoto: ColorMatrix
  private let hueSat: HueSatMapping?
  private let hueSatGain: Float
  private let gainMap: GainTableMap?
  private let gainMapGain: Float
  private let lookTable: HueSatMapping?
  private let rgbTable: RGBTableMapping?
  private let toBT2020: ColorMatrix
  private let placement: Placement

  /// nil when no table changes anything.
  package init?(_ settings: Settings) {
    hueSat = HueSatMapping(settings.hueSatMap, isHighRange: settings.isHighRange)
    lookTable = HueSatMapping(settings.lookTable, isHighRange: settings.isHighRange)
    gainMap = settings.gainTableMap.flatMap { $0.isNeutral ? nil : $0.withCurves }
    rgbTable = settings.rgbTable.map { RGBTableMapping($0, isHighRange: settings.isHighRange) }
    guard hueSat != nil || lookTable != nil || gainMap != nil || rgbTable != nil else { return nil }
    // Each gain is merged into the stage before it is needed.
    let later = gainMap == nil ? settings.userGain : 1
    let first = settings.baselineGain * later
    hueSatGain = Float(first)
    gainMapGain = Float(settings.userGain)
    let matrix: Matrix3 = ProPhoto.fromXYZ * settings.cameraToD50
    toProPhoto = ColorMatrix(matrix * (hueSat == nil ? first : 1))
    let bias = settings.shadowBias
    let isPlain = hueSat == nil && lookTable == nil && rgbTable == nil && bias == 0
    let maxGain = gainMap?.gains.max() ?? 1
    bound =
      isPlain
      ? (ProPhoto.toBT2020 * ProPhoto.fromXYZ * settings.cameraToD50 * first, maxGain * gainMapGain)
      : nil
    toBT2020 = ColorMatrix(ProPhoto.toBT2020 * (1 / (1 - bias)), offset: -bias / (1 - bias))
    placement = settings.placement
  }

  /// Converts camera pixels to scene-linear pixels in place, from column `x` on of row `y` of the
  /// stored picture.
  package func apply(_ rows: RGBRows, x: Int, y: Int) {
    toProPhoto.apply(rows)
    hueSat?.apply(rows, scale: hueSatGain)
    gainMap?.apply(
      rows,
      at: GainTableMap.RowPosition(
        firstPixel: x, start: placement.origin.x + 0.5 * placement.step.x,
        step: placement.step.x, v: placement.origin.y + (Double(y) + 0.5) * placement.step.y),
      scale: gainMapGain)
    lookTable?.apply(rows, scale: 1)
    rgbTable?.apply(rows)
    toBT2020.apply(rows)
  }
}
