import ImageCore
import RawDecode
import RawSensor

/// Intermediate pictures that are cached for the next rendering of the same file: a change of
/// settings recomputes only the stages from the first affected one on.
extension DevelopPlan {
  /// Maximum bytes of a cached picture: 8 megapixels, as of a large display.
  private static var limitBytes: Int { 96 << 20 }

  /// What is cached for previews.
  package enum Keeping: Sendable {
    /// The camera's picture, cropped and reduced: before white balance and exposure.
    case reduced
    /// That, and the scene after the detail stages: before tone and color adjustments.
    case detailed
  }

  /// Computes and caches the pictures, unless they are cached already. Cancelled work is not
  /// cached.
  package func keep(_ keeping: Keeping) throws {
    var unkept = self
    unkept.keepsReduced = false
    if keepsReduced, let analysis = reducedImage, !isKnown(analysis, CameraRGB.self) {
      let made = try measured {
        let source = try unkept.stages().reduced
        return try underAnotherWhite(source) ?? image(of: source)
      }
      picture.cache.keep(made, under: analysis)
    }
    if keeping == .detailed, let analysis = detailedImage, !isKnown(analysis, SceneLinear.self) {
      let made = try measured {
        try image(of: try unkept.stages().detailed)
      }
      picture.cache.keep(made, under: analysis)
    }
    if case .highRange(let high, _) = blend {
      try high.keep(keeping)
    }
  }

  /// Whether the scene after the detail stages is cached.
  package var isDetailedKept: Bool {
    detailedImage.map { isKnown($0, SceneLinear.self) } ?? false
  }

  private func isKnown<State: ImageState>(_ analysis: Analysis, _ state: State.Type) -> Bool {
    let image: Image<State>? = picture.cache.known(analysis)
    return image != nil
  }

  private func measured<R>(_ body: () throws -> R) throws -> R {
    try MeasuredStage.keptPicture.measure { try body() }
  }

  private func image<State>(of source: any PixelSource<State>) throws -> Image<State> {
    try Image(rendering: source, workers: workers)
  }

  /// `reduced` in memory, copied from the same picture under another white where nothing is
  /// saturated; nil if none is cached, or little could be copied.
  private func underAnotherWhite(
    _ reduced: any PixelSource<CameraRGB>
  ) throws -> Image<CameraRGB>? {
    // Not with a demosaic, which reads farther around; such pictures are rare.
    guard framing.reduction > 1 else { return nil }
    let own = cameraPicture.underAnyWhite
    let other: Image<CameraRGB>? = picture.cache.known {
      guard case .reduced(let camera, framing) = $0 else { return false }
      return camera.underAnyWhite == own
    }
    let pipeline = try picture.pipeline(sensor, workers: workers)
    guard let other, let lens = try lens.reach(in: pipeline.size, reduction: framing.reduction)
    else {
      return nil
    }
    let fringes =
      defringe > 0
      ? try Defringe(pipeline, amount: defringe, reduction: framing.reduction).halo : 0
    let changed = ChangedParts(
      pipeline.areasOfWhite, reach: noise.reach + lens + fringes, in: framing)
    guard changed.area < reduced.size.area * 3 / 4 else { return nil }
    let pool = BufferPool()
    return try Image(size: reduced.size, info: reduced.info) { planes throws(PixelError) in
      for y in 0..<reduced.size.height {
        for plane in 0..<3 {
          planes.row(plane, y).update(from: other.row(plane, y), count: reduced.size.width)
        }
      }
      try Parallel.forEach(count: changed.rects.count, workers: workers) {
        index, _ throws(PixelError) in
        let rect = changed.rects[index]
        try pool.withBuffer(rect.size) { buffer throws(PixelError) in
          try reduced.read(rect, into: buffer)
          for y in 0..<rect.height {
            planes.rows(rect.y + y).from(rect.x).update(from: buffer.rows(y), count: rect.width)
          }
        }
      }
    }
  }

  /// The key of the camera's picture, cropped and reduced; nil if it is not reduced, or too large.
  private var reducedImage: Analysis? {
    guard !framing.isUnscaled, framing.size.area * 12 <= Self.limitBytes else { return nil }
    return .reduced(cameraPicture, framing)
  }

  /// The key of the scene after the detail stages; nil with a linear space filter, for pictures
  /// that are not reduced, and without active detail stages.
  private var detailedImage: Analysis? {
    guard let origin, reducedImage != nil, !detail.isNeutral else { return nil }
    return .detailed(origin.detailed)
  }

  /// `reduced` in memory, if it is cached or to be cached.
  func keptReduced(
    _ reduced: any PixelSource<CameraRGB>
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    guard let analysis = reducedImage else { return reduced }
    return try picture.cached(reduced, analysis, keeps: keepsReduced, workers: workers)
  }

  /// `detailed` in memory, if it is cached.
  func keptDetailed(
    _ detailed: any PixelSource<SceneLinear>
  ) throws(RAWError) -> any PixelSource<SceneLinear> {
    guard let analysis = detailedImage else { return detailed }
    return try picture.cached(detailed, analysis, keeps: false, workers: workers)
  }
}
