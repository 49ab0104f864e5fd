import RawSensor

/// What a decoder version means: the defaults and methods in which one version
/// differs from another. Nothing else asks which version is set, so a new one is one more value
/// here.
struct DecoderDefaults: Sendable, Hashable {
  /// ``RAWSettings/sharpnessAmount`` unless it is set.
  var sharpnessAmount: Float
  /// Whether the default amounts of noise reduction depend on the noise of the picture; else they
  /// are 0.
  var reducesNoise: Bool
  /// The method of ``DemosaicMethod/automatic`` on Bayer and 2 × 2 four-color mosaics.
  var mosaicMethod: SensorSettings.Method
  /// Whether the lens database is used where the file does not correct its lens.
  var usesLensDatabase: Bool
  /// Whether local tone is mapped in files that bring no map.
  var mapsLocalTone: Bool
  /// What ``WhiteBalance/location(_:)`` takes.
  var neutralSample: NeutralSample

  /// What is taken for neutral around a pixel.
  enum NeutralSample: Sendable, Hashable {
    /// The mean of 9 × 9 pixels.
    case mean
    /// The surface to which the pixel belongs (``NeutralPatch``).
    case surface
  }

  /// Color, tone and headroom; noise, blur and lens errors stay.
  static let version1 = DecoderDefaults(
    sharpnessAmount: 0, reducesNoise: false, mosaicMethod: .automatic, usesLensDatabase: false,
    mapsLocalTone: false, neutralSample: .mean)
  /// Noise, the blur of the capture and the errors of known lenses are corrected.
  static let version2 = DecoderDefaults(
    sharpnessAmount: CaptureSharpening.Settings.defaultAmount, reducesNoise: true,
    mosaicMethod: .best, usesLensDatabase: true, mapsLocalTone: true, neutralSample: .surface)
}

extension DecoderDefaults {
  /// What `number` is in the newest version, and in those that differ from it, as text for
  /// documents.
  static func text(_ number: KeyPath<DecoderDefaults, Float>) -> String {
    let newest = DecoderVersion.newest.defaults[keyPath: number]
    let others = DecoderVersion.all.filter { $0.defaults[keyPath: number] != newest }
    return
      ([RAWProperty.text(newest)]
      + others.map { "version \($0.rawValue): \(RAWProperty.text($0.defaults[keyPath: number]))" })
      .joined(separator: "; ")
  }
}

extension DecoderVersion {
  /// The defaults of the version. One that is not known here is refused before anything is
  /// rendered; until then it is taken for the newest.
  var defaults: DecoderDefaults {
    switch self {
    case .version1: .version1
    default: .version2
    }
  }
}
