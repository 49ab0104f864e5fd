import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Writers

extension TuningRendering {
  /// Longest side of the picture that is measured where none has been displayed.
  private static let longestSide = 1024

  /// The histogram of the HDR rendition, at `scale`.
  func histogram(
    _ settings: RAWSettings, limit: Float?, allowsDraft: Bool, scale: Float?
  ) throws -> LuminanceHistogram {
    var (filter, _) = try filter(
      settings, isHDR: true, .bt2020, limit: limit, allowsDraft: allowsDraft)
    let size = filter.outputSize
    let usual = Float(Self.longestSide) / Float(max(size.width, size.height, 1))
    filter.scaleFactor = min(scale ?? filter.scaleFactor * usual, filter.scaleFactor)
    let plan = try prepared(filter, keeps: .detailed)
    var histogram = try LuminanceHistogram(try plan.rendition(), workers: filter.workers)
    let clipped = plan.clippedFraction
    histogram.saturated =
      filter.hasColors
      ? [clipped.x, clipped.y, clipped.z]
      : [clipped.x, clipped.x, clipped.x]
    return histogram
  }

  /// What is known of the pixel at `point` of the finished picture at full size.
  func readout(
    _ settings: RAWSettings, limit: Float?, _ point: PixelPoint
  ) throws -> PixelReadout {
    let high = try filter(settings, isHDR: true, .bt2020, limit: limit, allowsDraft: false).filter
    try check(point, in: high)
    let rect = PixelRect(x: point.x, y: point.y, width: 1, height: 1)
    let buffer = try PlanarBuffer(size: rect.size)
    func pixel(_ source: any PixelSource<DisplayReferred>) throws(PixelError) -> SIMD3<Float> {
      try source.read(rect, into: buffer)
      return SIMD3(buffer.row(0, 0)[0], buffer.row(1, 0)[0], buffer.row(2, 0)[0])
    }
    let plan = try high.plan()
    let standard = try filter(
      settings, isHDR: false, .srgb, limit: limit, allowsDraft: false
    ).filter.plan()
    let (rendition, base) = try plan.renditions(with: standard)
    let (hdr, sdr) = (try pixel(rendition), try pixel(base))
    let scene = try pixel(try plan.finishedScene())
    let luminance = (scene * SIMD3<Float>(Primaries.bt2020.luminance)).sum()
    let saturated = try pixel(try plan.saturatedPixels())
    func codes(_ space: ColorSpace, _ color: SIMD3<Float>, _ bits: Int, _ headroom: Float)
      throws(PixelError) -> [Int]
    {
      let codes = try ScreenPixels(space).codes(color, bits: bits, headroom: headroom)
      return [codes.x, codes.y, codes.z]
    }
    return PixelReadout(
      scene: [scene.x, scene.y, scene.z], stops: luminance > 0 ? log2(luminance) : nil,
      nits: (0..<3).map { hdr[$0] * Float(ReferenceWhite.nits) },
      hlg: try codes(.bt2100HLG, hdr, 10, rendition.info.headroom),
      pq: try codes(.bt2100PQ, hdr, 10, rendition.info.headroom),
      sdr: try codes(.sRGB, sdr, 8, base.info.headroom),
      saturated: (0..<3).map { saturated[$0] >= plan.minSaturated })
  }

  /// The white that makes the surroundings of the pixel at `point` neutral.
  func white(_ settings: RAWSettings, _ point: PixelPoint) throws -> PickedWhite {
    var filter = filter(settings, isHDR: false, .srgb)
    guard filter.isWhiteBalanceSupported else {
      throw RAWError(
        .badSetting, .settings, "this file has no colors, so there is no white to choose")
    }
    try check(point, in: filter)
    // The same position of the picture at its native size.
    let finished = filter.outputSize
    filter.scaleFactor = 1
    let full = filter.outputSize
    let position = PixelPoint(
      x: point.x * full.width / finished.width, y: point.y * full.height / finished.height)
    guard let native = try filter.nativePoint(ofFinished: position) else {
      throw RAWError(
        .badSetting, .settings,
        "pixel \(point.x), \(point.y) is an empty corner; choose a point of the picture")
    }
    filter.neutralLocation = native
    let found = CorrelatedColorTemperature(try filter.resolvedWhite())
    func clamped(_ name: String, _ value: Double) -> Float {
      RAWProperty.named(name)?.clamped(Float(value)) ?? Float(value)
    }
    let location = [native.x, native.y]
    guard filter.isNeutralTemperatureSupported else {
      return PickedWhite(neutralLocation: location)
    }
    return PickedWhite(
      neutralTemperature: clamped("neutralTemperature", found.temperature),
      neutralTint: clamped("neutralTint", found.tint), neutralLocation: location)
  }

  private func check(_ point: PixelPoint, in filter: RAWFilter) throws {
    let size = filter.outputSize
    guard (0..<size.width).contains(point.x), (0..<size.height).contains(point.y) else {
      throw RAWError(
        .badSetting, .settings,
        "pixel \(point.x), \(point.y) lies outside the picture of \(size); choose one inside")
    }
  }
}

/// The white that makes the surroundings of a pixel neutral, by the names of the properties.
public struct PickedWhite: Sendable, Hashable, Codable {
  /// In kelvin; nil where the file has no plausible color temperatures, and the location is to be
  /// set instead.
  public var neutralTemperature: Float?
  /// Nil where the temperature is.
  public var neutralTint: Float?
  /// The native pixel, x and y.
  public var neutralLocation: [Int]
}
