import HDRRender
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
  /// Whether noise is found by few blocks in two passes; else by many blocks in one.
  var reducesNoiseInTwoPasses = false
  /// Whether luminance noise reduction is limited at low ISO speeds, where it would take texture.
  var keepsTexture: Bool
  /// Whether defective photosites are those that the noise of the file does not explain; else those
  /// far outside of the range of their neighbors.
  var findsDefectsByNoise: Bool
  /// The method of ``DemosaicMethod/automatic`` on Bayer and 2 × 2 four-color mosaics.
  var mosaicMethod: SensorSettings.Method
  /// Whether the lens database is used where the file does not correct its lens.
  var usesLensDatabase: Bool
  /// Whether lateral color that neither file nor profile corrects is found in the picture.
  var findsLateralColor: Bool
  /// Whether local tone is mapped in files that bring no map.
  var mapsLocalTone: Bool
  /// What ``WhiteBalance/location(_:)`` takes.
  var neutralSample: NeutralSample
  /// How pictures are reduced.
  var reduction = Framing.Filter.area
  /// ``RAWSettings/outputSharpening`` unless it is set.
  var outputSharpening = OutputSharpening.none
  /// Contrast and color of the tone curve.
  var look = ToneLook.vivid
  /// Whether saturated channels are reconstructed from those that are not; else from all others.
  var guidesHighlights = false
  /// Whether highlights become neutral under the white in use; else under the white as shot.
  var clipsToWhiteInUse = false
  /// Whether DNGs without a look of their own are as bright as their previews, as other raws are.
  var matchesPreviewsOfDNGs = false
  /// Whether a file that does not say its white gets the one that its picture shows; else daylight.
  var estimatesMissingWhite = false

  /// What the local tone map makes of the darkest parts.
  var localToneShadows = LocalToneGains.Shadows.raised
  /// Whether local contrast is that of the whole picture's structures (``MedianContrast``); else
  /// that of 36 × 36 pixels (``LocalContrast``).
  var mapsLocalContrast = false
  /// Whether the picture is what the camera delivers; else all that is exposed to light.
  var keepsCameraFrame = false

  /// What is taken for neutral around a pixel.
  enum NeutralSample: Sendable, Hashable {
    /// The mean of 9 × 9 pixels.
    case mean
    /// The surface to which the pixel belongs (``NeutralPatch``).
    case surface
  }

  /// Color, tone and headroom; noise, blur and lens errors stay.
  static let version1 = DecoderDefaults(
    sharpnessAmount: 0, reducesNoise: false, keepsTexture: false, findsDefectsByNoise: false,
    mosaicMethod: .automatic, usesLensDatabase: false, findsLateralColor: false,
    mapsLocalTone: false, neutralSample: .mean)
  /// Noise, the blur of the capture and the errors of known lenses are corrected.
  static let version2 = DecoderDefaults(
    sharpnessAmount: CaptureSharpening.Settings.defaultAmount, reducesNoise: true,
    keepsTexture: false, findsDefectsByNoise: false, mosaicMethod: .best, usesLensDatabase: true,
    findsLateralColor: false, mapsLocalTone: true, neutralSample: .surface)
  /// What version 2 corrects, found more reliably.
  static let version3 = {
    var defaults = version2
    defaults.reduction = .lanczos
    defaults.outputSharpening = .screen
    defaults.look = .natural
    defaults.guidesHighlights = true
    defaults.clipsToWhiteInUse = true
    defaults.matchesPreviewsOfDNGs = true
    defaults.estimatesMissingWhite = true
    defaults.reducesNoiseInTwoPasses = true
    defaults.keepsTexture = true
    defaults.keepsCameraFrame = true
    defaults.localToneShadows = .anchored
    defaults.mapsLocalContrast = true
    defaults.findsDefectsByNoise = true
    defaults.findsLateralColor = true
    return defaults
  }()
}

extension DecoderDefaults {
  /// What `value` is in the newest version, and in those that differ from it, as text for
  /// documents.
  private static func text<Value: Equatable>(
    _ value: KeyPath<DecoderDefaults, Value>, _ shown: (Value) -> String
  ) -> String {
    let newest = DecoderVersion.newest.defaults[keyPath: value]
    let others = DecoderVersion.all.filter { $0.defaults[keyPath: value] != newest }
    return
      ([shown(newest)]
      + others.map { "version \($0.rawValue): \(shown($0.defaults[keyPath: value]))" })
      .joined(separator: "; ")
  }

  static func text(_ number: KeyPath<DecoderDefaults, Float>) -> String {
    text(number, RAWProperty.text)
  }

  static func text<Choice: RawRepresentable<String> & Equatable>(
    _ choice: KeyPath<DecoderDefaults, Choice>
  ) -> String {
    text(choice, \.rawValue)
  }
}

extension DecoderVersion {
  /// The defaults of the version. One that is not known here is refused before anything is
  /// rendered; until then it is taken for the newest.
  var defaults: DecoderDefaults {
    switch self {
    case .version1: .version1
    case .version2: .version2
    default: .version3
    }
  }
}

extension RAWSettings {
  var defaults: DecoderDefaults { decoderVersion.defaults }
}

extension DecoderDefaults {
  /// How noise reduction tells noise from the picture.
  func noiseMethod(of layout: SensorData.Layout) -> NoiseReduction.Method {
    guard reducesNoiseInTwoPasses else { return .thresholding }
    if case .mosaic(let cfa) = layout, cfa.kind == .xTrans { return .xTransShrinkage }
    return .shrinkage
  }
}
