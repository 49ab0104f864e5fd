import CKernels
package import ImageCore
package import RawData
import RawSensor

/// Enhances or attenuates the detail layer above an edge-preserving base.
///
/// Source: base and detail on log luminance (after Farbman et al. 2008), with ``GuidedDetail`` as
/// the base: 5 × 5 pixels and (0.1 EV)². In stops, L = log2(max(Y, 2⁻¹²)):
///
///     δ = 0.8 · amount · detail
///     rgb' = rgb · 2^(δ / (1 + |δ| / 1.5))
///
/// So textures and small edges are enhanced, strong edges keep their height and get no halo, smooth
/// and noisy surfaces and the mean of L are preserved. Below 0 noise is attenuated like texture.
/// Scene-linear in and out, 1.0 = reference white, unbounded; no channel is raised above the
/// picture's peak. It reads ``halo`` pixels around. An amount of 0 returns the source bit for bit.
/// Known failure: steps of 0.1 EV are enhanced like texture, with a soft seam.
package struct FineDetail: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    /// Strength, as ``RAWSettings/detailAmount``.
    package let amount: Float
    /// Noise of the source's luminance.
    package let noise: LuminanceNoise

    /// Throws `.badSetting` for an amount outside its range.
    package init(amount: Float = 0, noise: LuminanceNoise = .none) throws(RAWError) {
      try Adjustment.check(amount, at: \.detailAmount)
      self.amount = amount
      self.noise = noise
    }

    /// Whether the source comes back bit for bit.
    package var isNeutral: Bool { amount == 0 }
  }

  /// Weight of the detail for each unit of the amount: the 0.8 of the formula.
  static let gain: Float = 0.8
  /// Asymptotic limit of a change, in stops.
  static let limit: Float = 1.5
  /// Pixels that are read around a rectangle.
  package static let halo = GuidedDetail.reach

  package var size: PixelSize { source.size }
  package var info: SceneLinear.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, highBand) }

  private let source: any PixelSource<SceneLinear>
  private let settings: Settings
  private let pool = WorkspacePool { DetailWorkspace() }

  package init(_ source: any PixelSource<SceneLinear>, _ settings: Settings) {
    self.source = source
    self.settings = settings
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard !settings.isNeutral, !rect.isEmpty else { return try source.read(rect, into: buffer) }
    let area = rect.expanded(by: Self.halo)
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
      let (slope, offset) = try GuidedDetail(
        noise: settings.amount > 0 ? settings.noise : .none
      ).coefficients(
        rect, work.luminance, work.scratch)
      for y in rect.y..<rect.endY {
        let rows = buffer.rows(y - rect.y)
        ck_detailRow(
          slope.row(y).start, offset.row(y).start, work.luminance.row(y).from(Self.halo).start,
          settings.amount * Self.gain, Self.limit, info.peak, rows.kernel, Int64(rows.count))
      }
    }
  }
}
