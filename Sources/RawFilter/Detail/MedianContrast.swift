package import ImageCore
package import RawData
import RawSensor

/// Local contrast: enhances structures of 0.5 to 5 % of the picture's longer side, without halos
/// beside edges of any height.
///
/// Source: ``ContrastGains`` (median base on a proxy, guided upsampling), applied by
/// ``MappedChange`` within ±0.75 stops. At amount 1 structures of up to half a stop are multiplied
/// by 1.6 to 2, at −1 by a sixth; the flat sides of a step change by less than 0.02 stops, noise
/// and smooth gradients are preserved. Scene-linear in and out, 1.0 = reference white, unbounded;
/// no channel is raised above the picture's peak. Amount 0 returns the source bit for bit. Known
/// failures: as of ``ContrastGains``.
package struct MedianContrast: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    /// Factor of the change in stops; 0.7 times the amount below 0, so that details are not
    /// inverted.
    var applied: Float { amount < 0 ? 0.7 * amount : amount }
    /// Strength, as ``RAWSettings/contrastAmount``.
    package let amount: Float

    /// Throws `.badSetting` for an amount outside its range.
    package init(amount: Float = 0) throws(RAWError) {
      try Adjustment.check(amount, at: \.contrastAmount)
      self.amount = amount
    }

    /// Whether the source comes back bit for bit.
    package var isNeutral: Bool { amount == 0 }
  }

  package var size: PixelSize { source.size }
  package var info: SceneLinear.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  private let source: any PixelSource<SceneLinear>
  private let change: MappedChange?

  /// Reads all of `source` once unless the settings are neutral; `noise`: of its pixels.
  package init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, noise: LuminanceNoise = .none,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    self.init(
      source, settings,
      settings.isNeutral
        ? nil
        : try ContrastGains(
          try LuminanceProxy(source, workers: workers), noise: noise, pixelNoise: noise,
          workers: workers))
  }

  /// `gains`: of the same picture, at any size.
  package init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, gains: ContrastGains
  ) {
    self.init(source, settings, settings.isNeutral ? nil : gains)
  }

  private init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, _ gains: ContrastGains?
  ) {
    self.source = source
    change = gains.map {
      MappedChange(source, $0.lines, kernel: $0.kernel, amount: settings.applied)
    }
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    if let change {
      try change.read(rect, into: buffer)
    } else {
      try source.read(rect, into: buffer)
    }
  }
}
