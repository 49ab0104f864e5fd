import CKernels
package import ImageCore
package import RawDecode
import RawSensor

/// Detail, and the local contrast of decoder versions 1 and 2: strengthens the detail layers above
/// an edge-preserving base at two scales. From version 3 on local contrast is ``MedianContrast``.
///
/// Source: base and detail on log luminance (after Farbman et al. 2008), with ``GuidedDetail`` as
/// the base at both scales: 5 × 5 pixels and (0.1 EV)² for detail; 36 × 36 pixels, on means of
/// 4 × 4, and (0.2 EV)² for local contrast. In stops, L = log2(max(Y, 2⁻¹²)):
///
///     δ = 0.8 · detailAmount · detail + contrastAmount · contrast
///     rgb' = rgb · 2^(δ / (1 + |δ| / 1.5))
///
/// So textures and small edges gain, strong edges keep their height and get no halo, smooth and
/// noisy surfaces stay, and the mean of L stays. Scene-linear in and out, 1.0 = reference white,
/// unbounded; no channel is raised above the picture's peak. It reads ``halo`` pixels around.
/// Amounts of 0 return the source bit for bit.
/// Known failure: steps of 0.1 to 0.3 EV are strengthened like texture, with a soft seam.
package struct LocalContrast: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    static let contrastAmounts = MedianContrast.Settings.amounts
    static let detailAmounts: ClosedRange<Float> = 0...3

    /// Gain of the coarse scale, in ``contrastAmounts``.
    package let contrastAmount: Float
    /// Gain of the fine scale, in ``detailAmounts``.
    package let detailAmount: Float
    /// Noise of the source's luminance.
    package let noise: LuminanceNoise
    /// Standard deviations of noise up to which a variation is left alone, 0.5…20.
    package let threshold: Float

    /// Throws `.badSetting` for values outside their ranges.
    package init(
      contrastAmount: Float = 0, detailAmount: Float = 0, noise: LuminanceNoise = .none,
      threshold: Float = 1.5
    ) throws(RAWError) {
      try DetailRange.check("contrastAmount", contrastAmount, Self.contrastAmounts)
      try DetailRange.check("detailAmount", detailAmount, Self.detailAmounts)
      try DetailRange.check("detail threshold", threshold, 0.5...20)
      self.contrastAmount = contrastAmount
      self.detailAmount = detailAmount
      self.noise = noise
      self.threshold = threshold
    }

    /// Whether the source comes back bit for bit.
    package var isNeutral: Bool { contrastAmount == 0 && detailAmount == 0 }
  }

  /// Weight of the fine detail for each unit of `detailAmount`: the 0.8 of the formula.
  static let detailGain: Float = 0.8
  /// Stops that a change approaches and does not reach.
  static let limit: Float = 1.5

  package var size: PixelSize { source.size }
  package var info: SceneLinear.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, highBand) }
  /// Pixels that are read around a rectangle.
  package var halo: Int {
    settings.contrastAmount > 0 ? QuarterPlane.halo(fine.reach, coarse.reach) : fine.reach
  }

  private let source: any PixelSource<SceneLinear>
  private let settings: Settings
  private let fine: GuidedDetail
  private let coarse: GuidedDetail
  private let pool = WorkspacePool { DetailWorkspace() }

  package init(_ source: any PixelSource<SceneLinear>, _ settings: Settings) {
    self.source = source
    self.settings = settings
    fine = GuidedDetail(
      radius: 2, contrast: 0.1, noise: settings.noise, threshold: settings.threshold, averaged: 1)
    coarse = GuidedDetail(
      radius: 4, contrast: 0.2, noise: settings.noise, threshold: settings.threshold,
      averaged: 16)
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard !settings.isNeutral, !rect.isEmpty else { return try source.read(rect, into: buffer) }
    let area = rect.expanded(by: halo)
    let inside = area.intersection(PixelRect(size))
    try pool.with { work throws(PixelError) in
      try source.read(inside, into: work.pixels)
      try buffer.copy(rect, of: work.pixels, from: PixelPoint(x: inside.x, y: inside.y))
      try work.luminance.reshape(area)
      for y in inside.y..<inside.endY {
        let row = y - inside.y
        let out = work.luminance.row(y).from(inside.x - area.x)
        LuminanceGain.luminance(work.pixels.rows(row), into: out)
        LogLuminance.replace(out, count: inside.width)
      }
      work.luminance.repeatEdges(of: inside)
      try work.change.reshape(rect)
      if settings.detailAmount > 0 {
        let (slope, offset) = try fine.coefficients(rect, work.luminance, work.scratch)
        let gain = settings.detailAmount * Self.detailGain
        for y in rect.y..<rect.endY {
          add((slope.row(y), offset.row(y)), y, gain, work, isFirst: true)
        }
      }
      if settings.contrastAmount > 0 {
        let quarter = QuarterPlane(rect)
        try quarter.reduce(work.luminance, reach: coarse.reach, into: work.quarter)
        let (slope, offset) = try coarse.coefficients(quarter.rect, work.quarter, work.scratch)
        let expanded = (slope: work.scratch[2], offset: work.scratch[3])
        for y in rect.y..<rect.endY {
          let lines = (
            try quarter.expand(slope, y, expanded.slope),
            try quarter.expand(offset, y, expanded.offset)
          )
          add(lines, y, settings.contrastAmount, work, isFirst: settings.detailAmount == 0)
        }
      }
      for y in rect.y..<rect.endY { apply(work.change.row(y), buffer, y - rect.y) }
    }
  }

  /// Adds `gain` · (slope · L − offset) to row `y` of the change.
  private func add(
    _ lines: (slope: MutableRowView, offset: MutableRowView), _ y: Int, _ gain: Float,
    _ work: DetailWorkspace, isFirst: Bool
  ) {
    let (out, stops) = (work.change.row(y), work.luminance.row(y).from(halo))
    ck_addDetailRow(
      lines.slope.start, lines.offset.start, stops.start, gain, isFirst, out.start,
      Int64(work.change.rect.width))
  }

  private func apply(_ change: MutableRowView, _ buffer: PlanarBuffer, _ y: Int) {
    let rows = buffer.rows(y)
    ck_changeRow(change.start, Self.limit, info.peak, rows.kernel, Int64(rows.count))
  }
}
