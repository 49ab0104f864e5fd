import CKernels
import CVector
package import ImageCore
package import RawDecode
import RawSensor

/// Capture sharpening: reverses the blur of lens, filter stack and photosites.
///
/// Source: the outline of RawTherapee's capture sharpening (Weyrich 2019); mask, limits and
/// acceleration are own. Luminance Y is deconvolved (``RichardsonLucy``), clamped
/// (``SharpeningLimits``), blended, Y' = Y + amount · mask · (sharp − Y), and RGB scaled by Y'/Y.
/// Scene-linear in and out, 1.0 = reference white, unbounded; luminance below max(10⁻⁴, √noise
/// offset) is left alone. The picture is processed in cells of 128 × 128 on a fixed grid; cells
/// without anything to sharpen cost only their mask, others the part that is to be sharpened. It
/// reads ``halo`` pixels around the cells that a rectangle touches. Amount 0, and a radius below
/// ``minRadius``, return the source bit for bit.
package struct CaptureSharpening: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    /// Amount of the default look.
    package static let defaultAmount: Float = 0.6
    /// Valid amounts.
    static let amounts: ClosedRange<Float> = 0...1
    /// Weight of the deconvolved luminance.
    package let amount: Float
    /// Standard deviation of the blur in pixels of the source, 0…1.5.
    package let radius: Float
    /// Noise of the source's luminance.
    package let noise: LuminanceNoise
    /// Standard deviations of noise from which a gradient counts as an edge, 0.5…20.
    package let threshold: Float
    /// Value of the largest channel from which a pixel is saturated, above 0; infinite for none.
    package let clipLevel: Float

    /// Throws `.badSetting` for values outside their ranges.
    package init(
      amount: Float = defaultAmount, radius: Float = SharpeningRadius.unknown,
      noise: LuminanceNoise = .none, threshold: Float = 3, clipLevel: Float = .infinity
    ) throws(RAWError) {
      try DetailRange.check("sharpnessAmount", amount, Self.amounts)
      try DetailRange.check("sharpening radius", radius, 0...1.5)
      try DetailRange.check("sharpening threshold", threshold, 0.5...20)
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

  /// Pixels that are read around cells.
  package var halo: Int { deconvolution.halo }
  package var size: PixelSize { source.size }
  package var info: SceneLinear.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, 512) }

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

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    guard !settings.isNeutral, !rect.isEmpty else { return source.read(rect, into: buffer) }
    buffer.reshape(rect.size)
    pool.with { work in
      // In parts, so that the working planes of a wide band stay small.
      for part in rect.tiles(width: 16 * Self.cellSize, height: .max) {
        sharpen(part, of: rect, buffer, work)
      }
    }
  }

  private func sharpen(
    _ part: PixelRect, of rect: PixelRect, _ buffer: PlanarBuffer, _ work: DetailWorkspace
  ) {
    let cells = part.onGrid(of: Self.cellSize)
    let area = cells.expanded(by: halo)
    let inside = area.intersection(PixelRect(size))
    source.read(inside, into: work.pixels)
    work.luminance.reshape(area)
    work.brightest.reshape(area)
    for y in inside.y..<inside.endY {
      let row = y - inside.y
      let rgb = work.pixels.rows(row)
      let shift = inside.x - area.x
      LuminanceGain.luminance(rgb, into: work.luminance.row(y).from(shift))
      if settings.clipLevel.isFinite {
        LuminanceGain.brightest(rgb, into: work.brightest.row(y).from(shift))
      }
      guard (part.y..<part.endY).contains(y) else { continue }
      let (left, top) = (part.x - inside.x, y - rect.y)
      for plane in 0..<3 {
        buffer.row(plane, top).from(part.x - rect.x)
          .update(from: rgb[plane].from(left), count: part.width)
      }
    }
    work.luminance.repeatEdges(of: inside)
    if settings.clipLevel.isFinite { work.brightest.repeatEdges(of: inside) }
    for y in stride(from: cells.y, to: cells.endY, by: Self.cellSize) {
      for x in stride(from: cells.x, to: cells.endX, by: Self.cellSize) {
        let cell = PixelRect(x: x, y: y, width: Self.cellSize, height: Self.cellSize)
        sharpen(cell, part, of: rect, buffer, work)
      }
    }
  }

  /// Sharpens the intersection of `cell` with `part` of `rect`, which `buffer` holds.
  private func sharpen(
    _ cell: PixelRect, _ part: PixelRect, of rect: PixelRect, _ buffer: PlanarBuffer,
    _ work: DetailWorkspace
  ) {
    let weights = work.weights
    guard
      let active = mask.make(
        cell, luminance: work.luminance, brightest: work.brightest, into: weights, work.scratch)
    else { return }
    let sharp = deconvolution.estimate(
      work.luminance, active.expanded(by: halo), floor: floor, work.scratch)
    let free = work.scratch.filter { $0 !== sharp }
    SharpeningLimits.apply(
      sharp, active, luminance: work.luminance, sigma: settings.radius, floor: floor, free)
    let part = active.intersection(part)
    var settings = ck_sharpening(floor: floor, amount: settings.amount, peak: info.peak)
    for y in part.y..<part.endY {
      let luminance = work.luminance.row(y).from(part.x - work.luminance.rect.x)
      let target = sharp.row(y).from(part.x - sharp.rect.x)
      let weight = weights.row(y).from(part.x - cell.x)
      for i in part.width..<part.width + 8 { weight[i] = 0 }  // pixels outside `rect` stay
      let (row, left) = (y - rect.y, part.x - rect.x)
      let rows = buffer.rows(row).from(left)
      ck_sharpenRow(
        &settings, luminance.start, target.start, weight.start, rows.kernel, Int64(part.width))
    }
  }
}

extension PixelRect {
  /// The smallest rectangle of whole cells of `step` × `step`, counted from the picture's corner,
  /// that holds this one.
  func onGrid(of step: Int) -> PixelRect {
    let (left, top) = (x / step * step, y / step * step)
    return PixelRect(
      x: left, y: top, width: (endX - left + step - 1) / step * step,
      height: (endY - top + step - 1) / step * step)
  }
}
