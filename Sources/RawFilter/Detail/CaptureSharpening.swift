import CKernels
import CVector
package import ImageCore
package import RawData
import RawSensor

/// Capture sharpening: reverses the blur of lens, filter stack and photosites.
///
/// Source: the outline of RawTherapee's capture sharpening (Weyrich 2019); mask, limits and
/// acceleration are own. Luminance Y is deconvolved (``RichardsonLucy``), clamped
/// (``SharpeningLimits``), blended, Y' = Y + amount · mask · (sharp − Y), and RGB scaled by Y'/Y.
/// Scene-linear in and out, 1.0 = reference white, unbounded; luminance below max(10⁻⁴, √noise
/// offset) is left alone. The picture is processed in cells of 128 × 128 on a fixed grid; cells
/// with an empty mask cost only the mask, others only their active part. It reads ``halo`` pixels
/// around the cells that a rectangle touches; rows read and sharpened below the rectangle are
/// retained for the next (``ReadingLane``). Amount 0, and a radius below ``minRadius``, return the
/// source bit for bit.
package struct CaptureSharpening: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    /// Amount of the default look.
    package static let defaultAmount: Float = 0.8
    static let radii: ClosedRange<Float> = 0...1.5
    static let thresholds: ClosedRange<Float> = 0.5...20
    /// Weight of the deconvolved luminance.
    package let amount: Float
    /// Standard deviation of the blur in pixels of the source, in ``radii``.
    package let radius: Float
    /// Noise of the source's luminance.
    package let noise: LuminanceNoise
    /// Number of standard deviations of noise from which a gradient is an edge, in ``thresholds``.
    package let threshold: Float
    /// Value of the largest channel from which a pixel is saturated, above 0; infinite for none.
    package let clipLevel: Float

    /// Throws `.badSetting` for values outside their ranges.
    package init(
      amount: Float = defaultAmount, radius: Float = SharpeningRadius.unknown,
      noise: LuminanceNoise = .none, threshold: Float = 3, clipLevel: Float = .infinity
    ) throws(RAWError) {
      try Adjustment.check(amount, at: \.sharpnessAmount)
      try Self.radii.check(radius, "sharpening radius")
      try Self.thresholds.check(threshold, "sharpening threshold")
      guard clipLevel > 0 else {
        throw RAWError(
          .badSetting, .settings,
          "clip level is \(clipLevel); it must be above 0, or infinite for none")
      }
      self.amount = amount
      self.radius = radius
      self.noise = noise
      self.threshold = threshold
      self.clipLevel = clipLevel
    }

    /// Whether the source comes back bit for bit.
    package var isNeutral: Bool { amount == 0 || radius < minRadius }
  }

  /// Standard deviation of the blur, in pixels, below which nothing is restored.
  package static let minRadius: Float = 0.35
  static let cellSize = 128
  private static let partWidth = 25 * cellSize
  private static let stripHeight = 2 * cellSize

  /// Pixels that are read around cells.
  package var halo: Int { deconvolution.halo }
  package var size: PixelSize { source.size }
  package var info: SceneLinear.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  private let source: any PixelSource<SceneLinear>
  private let settings: Settings
  private let deconvolution: RichardsonLucy
  private let mask: SharpeningMask
  private let floor: Float
  private let pool = WorkspacePool { DetailWorkspace() }

  package init(_ source: any PixelSource<SceneLinear>, _ settings: Settings) {
    self.source = source
    self.settings = settings
    deconvolution = RichardsonLucy(sigma: max(settings.radius, Self.minRadius))
    mask = SharpeningMask(
      noise: settings.noise, threshold: settings.threshold, clipLevel: settings.clipLevel)
    floor = max(1e-4, cv_sqrt(settings.noise.offset))
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard !settings.isNeutral, !rect.isEmpty else { return try source.read(rect, into: buffer) }
    try buffer.reshape(rect.size)
    // In parts, to limit the memory of the working planes.
    let step = Self.partWidth
    let first = rect.x / Self.cellSize * Self.cellSize
    for (index, left) in stride(from: first, to: rect.endX, by: step).enumerated() {
      let part = PixelRect(x: left, y: rect.y, width: step, height: rect.height).intersection(rect)
      try pool.keeping(part: index) { work throws(PixelError) in
        for strip in part.tiles(width: .max, height: Self.stripHeight) {
          try sharpen(strip, work)
          for y in strip.y..<strip.endY {
            let rows = work.sharpened.rows(y).from(part.x - work.sharpened.rect.x)
            for plane in 0..<3 {
              buffer.row(plane, y - rect.y).from(part.x - rect.x)
                .update(from: rows[plane], count: part.width)
            }
          }
        }
      }
    }
  }

  /// Fills `work.sharpened` with `part`.
  private func sharpen(_ part: PixelRect, _ work: DetailWorkspace) throws(PixelError) {
    let cells = part.onGrid(of: Self.cellSize)
    let area = cells.expanded(by: halo)
    let inside = area.intersection(PixelRect(size))
    let planes = [work.luminance, work.brightest]
    if !work.sharpened.reaches(inside) || !planes.allSatisfy({ $0.reaches(area) }) {
      work.sharpened.clear()
      for plane in planes { plane.clear() }
      work.sharpenedEnd = cells.y
    }
    let fresh = try work.sharpened.slide(
      to: inside, of: source, step: part.height, most: area.height)
    for plane in planes { _ = try plane.slide(to: area, most: area.height) }
    let shift = inside.x - area.x
    for y in fresh.y..<fresh.endY {
      let rgb = work.sharpened.rows(y)
      LuminanceGain.luminance(rgb, into: work.luminance.row(y).from(shift))
      if settings.clipLevel.isFinite {
        LuminanceGain.brightest(rgb, into: work.brightest.row(y).from(shift))
      }
    }
    work.luminance.repeatEdges(of: inside)
    if settings.clipLevel.isFinite { work.brightest.repeatEdges(of: inside) }
    for y in stride(from: work.sharpenedEnd, to: cells.endY, by: Self.cellSize) {
      for x in stride(from: cells.x, to: cells.endX, by: Self.cellSize) {
        try sharpen(cell: PixelRect(x: x, y: y, width: Self.cellSize, height: Self.cellSize), work)
      }
    }
    work.sharpenedEnd = max(work.sharpenedEnd, cells.endY)
  }

  /// Sharpens the part of `cell` that lies in the picture.
  private func sharpen(cell: PixelRect, _ work: DetailWorkspace) throws(PixelError) {
    let weights = work.weights
    guard
      let active = try mask.make(
        cell, luminance: work.luminance, brightest: work.brightest, into: weights, work.scratch)
    else { return }
    let sharp = try deconvolution.estimate(
      work.luminance, active.expanded(by: halo), floor: floor, work.scratch)
    let free = work.scratch.filter { $0 !== sharp }
    try SharpeningLimits.apply(
      sharp, active, luminance: work.luminance, sigma: settings.radius, floor: floor, free)
    let part = active.intersection(PixelRect(size))
    var settings = ck_sharpening(floor: floor, amount: settings.amount, peak: info.peak)
    for y in part.y..<part.endY {
      let luminance = work.luminance.row(y).from(part.x - work.luminance.rect.x)
      let target = sharp.row(y).from(part.x - sharp.rect.x)
      let weight = weights.row(y).from(part.x - cell.x)
      for i in part.width..<part.width + 8 { weight[i] = 0 }  // do not change the next cell
      let rows = work.sharpened.rows(y).from(part.x - work.sharpened.rect.x)
      ck_sharpenRow(
        &settings, luminance.start, target.start, weight.start, rows.kernel, Int64(part.width))
    }
  }
}

extension PixelRect {
  /// The smallest rectangle on a grid of `step` × `step` cells from the picture's corner that
  /// contains this one.
  func onGrid(of step: Int) -> PixelRect {
    let (left, top) = (x / step * step, y / step * step)
    return PixelRect(
      x: left, y: top, width: (endX - left + step - 1) / step * step,
      height: (endY - top + step - 1) / step * step)
  }
}
