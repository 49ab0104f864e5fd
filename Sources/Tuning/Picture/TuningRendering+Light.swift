import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Writers

extension TuningRendering {
  /// Longest side of the picture whose light is measured where none has been shown.
  private static let longestSide = 1024

  /// How the light of the HDR rendition is distributed, at `scale`.
  func light(
    _ settings: RAWSettings, limit: Float?, allowsDraft: Bool, scale: Float?
  ) throws -> LightHistogram {
    var (filter, _) = try filter(
      settings, isHDR: true, .bt2020, limit: limit, allowsDraft: allowsDraft)
    let size = filter.outputSize
    let usual = Float(Self.longestSide) / Float(max(size.width, size.height, 1))
    filter.scaleFactor = min(scale ?? filter.scaleFactor * usual, filter.scaleFactor)
    let plan = try prepared(filter, keeps: .detailed)
    var histogram = try LightHistogram(try plan.rendition(), workers: filter.workers)
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
    let (rendition, shown) = try plan.renditions(with: standard)
    let (light, sdr) = (try pixel(rendition), try pixel(shown))
    let scene = try pixel(try plan.finishedScene())
    let luminance = (scene * SIMD3<Float>(Primaries.bt2020.luminance)).sum()
    let saturated = try pixel(try plan.saturatedPixels())
    func codes(_ space: ColorSpace, _ light: SIMD3<Float>, _ bits: Int, _ headroom: Float)
      throws(PixelError) -> [Int]
    {
      let codes = try ScreenPixels(space).codes(light, bits: bits, headroom: headroom)
      return [codes.x, codes.y, codes.z]
    }
    return PixelReadout(
      scene: [scene.x, scene.y, scene.z], stops: luminance > 0 ? log2(luminance) : nil,
      nits: (0..<3).map { light[$0] * Float(ReferenceWhite.nits) },
      hlg: try codes(.bt2100HLG, light, 10, rendition.info.headroom),
      pq: try codes(.bt2100PQ, light, 10, rendition.info.headroom),
      sdr: try codes(.sRGB, sdr, 8, shown.info.headroom),
      saturated: (0..<3).map { saturated[$0] >= plan.minSaturated })
  }

  /// The white that makes the surroundings of the pixel at `point` neutral.
  func white(_ settings: RAWSettings, _ point: PixelPoint) throws -> [String: Float] {
    var filter = filter(settings, isHDR: false, .srgb)
    guard filter.isWhiteBalanceSupported else {
      throw RAWError(
        .badSetting, .settings, "this file has no colors, so there is no white to choose")
    }
    try check(point, in: filter)
    // The same place of the picture at its native size.
    let shown = filter.outputSize
    filter.scaleFactor = 1
    let full = filter.outputSize
    let place = PixelPoint(
      x: point.x * full.width / shown.width, y: point.y * full.height / shown.height)
    guard let native = try filter.nativePoint(ofFinished: place) else {
      throw RAWError(
        .badSetting, .settings,
        "pixel \(point.x), \(point.y) is an empty corner; choose a point of the picture")
    }
    filter.neutralLocation = native
    let found = CorrelatedColorTemperature(try filter.resolvedWhite())
    func clamped(_ name: String, _ value: Double) -> Float {
      RAWProperty.named(name)?.clamped(Float(value)) ?? Float(value)
    }
    return Dictionary(
      uniqueKeysWithValues: [
        ("neutralTemperature", found.temperature), ("neutralTint", found.tint),
      ].map { ($0, clamped($0, $1)) })
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
