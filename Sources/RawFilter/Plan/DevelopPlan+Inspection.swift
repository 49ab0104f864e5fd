import HDRRender
package import ImageCore
package import RawData
import RawSensor

/// Other pictures aligned with the finished picture: saturated channels, the scene before the tone
/// curve.
extension DevelopPlan {
  /// Which channels of the finished picture's pixels are saturated at the sensor, red, green and
  /// blue: above 0 if they are. A single saturated photosite is sufficient, at any reduction.
  package func saturatedPixels() throws(RAWError) -> any PixelSource<DisplayReferred> {
    let pipeline = try picture.pipeline(sensor, workers: workers)
    let moved = lens.displacing.applied(
      to: pipeline.saturatedPixels, reduction: framing.reduction)
    // Area means, so that no single pixel is lost.
    var framing = framing
    framing.filter = .area
    let color = ScenePipeline.Color(matrix: .identity, offset: 0)
    return try framed(ScenePipeline(framing.applied(to: moved), color, peak: 1))
  }

  /// The value of ``saturatedPixels()`` from which a channel counts as saturated: less than one of
  /// the five greens of an X-Trans block.
  package var minSaturated: Float {
    let across = Float(framing.crop.width) / Float(max(framing.size.width * framing.reduction, 1))
    let down = Float(framing.crop.height) / Float(max(framing.size.height * framing.reduction, 1))
    return 0.15 / max(across * down, 1)
  }

  /// The scene of the finished picture before the tone curve, linear BT.2020, 1.0 = reference
  /// white.
  package func finishedScene() throws(RAWError) -> any PixelSource<DisplayReferred> {
    let scene = try stages().finished
    return try frame.applied(to: linear.render(scene))
  }

  /// `scene`, as stored, upright and framed.
  private func framed(
    _ scene: any PixelSource<SceneLinear>
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    try frame.applied(
      to: linear.render(orientation.applied(to: scene, minBandHeight: highBand)))
  }

  /// A renderer that does not change values.
  private var linear: HDRRenderer {
    HDRRenderer(RenderSettings(boostAmount: 0, primaries: .bt2020), scenePeak: max(peak, 1))
  }
}

extension RAWFilter {
  /// The native pixel, as stored, that corresponds to a pixel of the finished picture at
  /// ``scaleFactor`` 1; nil outside of the picture.
  package func nativePoint(ofFinished point: PixelPoint) throws(RAWError) -> PixelPoint? {
    let upright = effectiveOrientation.upright(nativeSize)
    let position = try frame.sourcePosition(
      SIMD2(Double(point.x) + 0.5, Double(point.y) + 0.5), in: upright)
    guard let position else { return nil }
    let shown = PixelPoint(x: Int(position.x.rounded(.down)), y: Int(position.y.rounded(.down)))
    guard PixelRect(upright).contains(PixelRect(x: shown.x, y: shown.y, width: 1, height: 1))
    else { return nil }
    return effectiveOrientation.storedPoint(of: shown, stored: nativeSize)
  }
}
