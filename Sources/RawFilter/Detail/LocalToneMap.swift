package import ImageCore
package import RawData
import RawSensor

/// Local tone mapping, which lifts shadows and compresses highlights, for files without a map of
/// their own.
///
/// Source: ``LocalToneGains`` (bilateral grid on a proxy, guided upsampling), applied by
/// ``MappedChange`` within −1…1.5 stops, fading to 0 over the three stops below the picture's
/// largest channel value. Scene-linear in and out, 1.0 = reference white, unbounded. Amount 0
/// returns the source bit for bit. Known failures: the map has at most 1024 samples along the
/// longer side, so smaller details are lifted with their surroundings; noise is lifted with the
/// shadows.
package struct LocalToneMap: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    /// Strength of the map: factor of its changes in stops.
    package let amount: Float

    /// Throws `.badSetting` for an amount outside its range.
    package init(amount: Float = 0) throws(RAWError) {
      try Adjustment.check(amount, at: \.localToneMapAmount)
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

  /// Reads all of `source` once unless the settings are neutral.
  package init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    self.init(
      source, settings,
      settings.isNeutral ? nil : try LocalToneGains(try LuminanceProxy(source, workers: workers)))
  }

  /// `gains`: of the same picture, at any size.
  package init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, gains: LocalToneGains
  ) {
    self.init(source, settings, settings.isNeutral ? nil : gains)
  }

  private init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, _ gains: LocalToneGains?
  ) {
    self.source = source
    change = gains.map {
      MappedChange(source, $0.lines, kernel: $0.kernel, amount: settings.amount)
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
