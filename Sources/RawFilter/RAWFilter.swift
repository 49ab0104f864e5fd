public import Foundation
public import ImageCore

/// A camera raw, DNG or ProRAW with adjustable properties under CIRAWFilter's names.
///
///     var filter = try RAWFilter(url: url)
///     filter.exposure = 0.5
///     filter.extendedDynamicRangeAmount = 1
///     let picture = try filter.outputImage()   // linear BT.2020, 1.0 = reference white
///
/// A value: copies are cheap, share what has been decoded, and can be changed and rendered apart, on
/// any thread. Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
/// Rendering twice decodes and demosaics once, as long as the demosaiced picture fits
/// ``cacheLimitBytes``.
public struct RAWFilter: Sendable {
  /// Every adjustable property as one value, as recipes store it. Not clamped: a value outside its
  /// range makes ``outputImage()`` throw.
  public var settings = RAWSettings()

  /// Runs on each scene-linear BT.2020 pixel, after demosaicing, colour and exposure, before the tone
  /// curve. May return any value; is called from several threads. It must depend on nothing but its
  /// argument.
  public var linearSpaceFilter: (@Sendable (SIMD3<Float>) -> SIMD3<Float>)?

  /// Primaries that ``outputImage()`` is rendered in.
  public var outputPrimaries: Primaries = .bt2020

  /// Threads that render; 1 or more. Results do not depend on it.
  public var workers = Parallel.defaultWorkers

  /// A colour matrix for cameras that have none: XYZ under D65 to camera values, nine numbers row by
  /// row, as dcraw and LibRaw list them. It replaces the file's own colours.
  public var colorMatrix: [Double]?

  /// The lens database for files that bring no corrections of their lens: a folder of lensfun's XML
  /// files, or one file. nil for that of the system, if any. One that cannot be read makes
  /// ``outputImage()`` throw where it is needed.
  public var lensDatabasePath: String?

  /// Other than as stored only to compare with other renderers.
  package var profileTables = ProfileTables.asStored

  let picture: RAWPicture

  /// Opens the file at `url`. Reads what describes the picture, not yet its pixels.
  public init(url: URL, limits: DecodeLimits = DecodeLimits()) throws(RAWError) {
    picture = RAWPicture(file: try RawFile.open(path: url.path, limits: limits))
  }

  /// Opens the bytes of a file. What it is follows from the bytes alone; `identifierHint`, a type
  /// identifier or file extension, is taken for the sake of code written for CIRAWFilter.
  public init(
    data: Data, identifierHint: String? = nil, limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) {
    picture = RAWPicture(
      file: try RawFile.open(bytes: [UInt8](data), limits: limits))
  }

  /// Bytes that the demosaiced picture may take to be kept for the next rendering: 512 MiB, enough
  /// for 44 megapixels. Larger pictures are demosaiced again each time.
  public static let cacheLimitBytes = 512 << 20

  /// Names of the cameras whose raws are decoded, sorted. Any DNG is, whatever its camera.
  public static var supportedCameraModels: [String] { SupportedCameras.models }
}

// MARK: - What the file says

extension RAWFilter {
  /// Full size of the picture as stored, before orientation and scaling.
  public var nativeSize: PixelSize { picture.nativeSize }
  /// Camera, lens, exposure, date, place.
  public var properties: CaptureMetadata { picture.file.metadata }
  /// The picture that the camera put into the file; nil when there is none.
  public var previewImage: EmbeddedPreview? { picture.file.preview() }
  /// What was not as it should be when the file and the profile at ``profilePath`` were opened.
  public var warnings: [String] {
    let own = picture.file.info.warnings
    let external = colorMatrix == nil ? cameraProfileFile : nil
    guard colorMatrix != nil || external != nil else { return own }
    return own.filter { $0 != RawInfo.colorsUnknown } + (external?.warnings ?? [])
  }
  /// Renderings that this file supports, oldest first.
  public var supportedDecoderVersions: [DecoderVersion] { DecoderVersion.all }
  /// Whether clipped channels can be rebuilt.
  public var isHighlightRecoverySupported: Bool { true }
  /// Whether the colours of the camera are known, so that white balance has an effect.
  public var isWhiteBalanceSupported: Bool { profile != nil }
  /// Names of the adjustments that have an effect on this file.
  public var supportedAdjustments: [String] {
    let optional = [
      ("isHighlightRecoveryEnabled", isHighlightRecoverySupported),
      ("demosaicMethod", isDemosaicMethodSupported), ("despeckleAmount", isDespeckleSupported),
      ("luminanceNoiseReductionAmount", isLuminanceNoiseReductionSupported),
      ("colorNoiseReductionAmount", isColorNoiseReductionSupported),
      ("moireReductionAmount", isMoireReductionSupported),
      ("isLensCorrectionEnabled", isLensCorrectionSupported),
      ("sharpnessAmount", isSharpnessSupported), ("detailAmount", isDetailSupported),
      ("contrastAmount", isContrastSupported), ("localToneMapAmount", isLocalToneMapSupported),
      ("profileName", usableProfiles.count > 1),
      ("profilePath", picture.file.info.layout != .monochrome),
      ("neutralTemperature", isWhiteBalanceSupported), ("neutralTint", isWhiteBalanceSupported),
      ("neutralChromaticity", isWhiteBalanceSupported),
      ("neutralLocation", isWhiteBalanceSupported),
      ("isAutomaticWhiteBalanceEnabled", isAutomaticWhiteBalanceSupported),
    ]
    return [
      "exposure", "baselineExposure", "shadowBias", "boostAmount", "boostShadowAmount",
      "extendedDynamicRangeAmount", "isGamutMappingEnabled", "orientation", "scaleFactor",
      "isDraftModeEnabled", "decoderVersion", "linearSpaceFilter",
    ] + optional.filter(\.1).map(\.0)
  }
  /// Size of the picture that ``outputImage()`` makes.
  public var outputSize: PixelSize { effectiveOrientation.upright(scaledSize) }

  var effectiveOrientation: Orientation { settings.orientation ?? picture.file.info.orientation }

  var scaledSize: PixelSize {
    let scale = Double(Self.clamp(settings.scaleFactor, RAWSettings.Limits.scaleFactor) ?? 1)
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    return PixelSize(width: side(nativeSize.width), height: side(nativeSize.height))
  }
}

// MARK: - Adjustments

extension RAWFilter {
  static func clamp(_ value: Float, _ range: ClosedRange<Float>) -> Float? {
    value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : nil
  }

  /// Stops of light added, −20…20; default 0.
  public var exposure: Float {
    get { settings.exposure }
    set { Self.clamp(newValue, RAWSettings.Limits.exposure).map { settings.exposure = $0 } }
  }

  /// Stops that belong to the file, −20…20; 0 for scene-linear. Default: a DNG's BaselineExposure
  /// and the offset of the profile in use; for other raws the stops that make the default rendering
  /// as light as the embedded preview. Reading that default of other raws decodes the picture, once;
  /// where it cannot be decoded it reads 0.7, and ``resolvedSettings()`` says why.
  public var baselineExposure: Float {
    get {
      (try? resolvedBaselineExposure()) ?? BaselineExposure.withoutPreview + baselineExposureOffset
    }
    set {
      Self.clamp(newValue, RAWSettings.Limits.baselineExposure)
        .map { settings.baselineExposure = $0 }
    }
  }

  /// Black offset taken off the shadows, −0.5…0.5 of reference white; default 0.
  public var shadowBias: Float {
    get { settings.shadowBias }
    set { Self.clamp(newValue, RAWSettings.Limits.shadowBias).map { settings.shadowBias = $0 } }
  }

  /// Share of the global tone curve, 0 (linear) … 1 (default).
  public var boostAmount: Float {
    get { settings.boostAmount }
    set { Self.clamp(newValue, RAWSettings.Limits.boostAmount).map { settings.boostAmount = $0 } }
  }

  /// Shadow part of the tone curve, 0 (dark) … 1 (default) … 2 (light); no effect at boost 0.
  public var boostShadowAmount: Float {
    get { settings.boostShadowAmount }
    set {
      Self.clamp(newValue, RAWSettings.Limits.boostShadowAmount)
        .map { settings.boostShadowAmount = $0 }
    }
  }

  /// 0 (default) keeps the picture within standard range, 1 opens all the headroom that the file
  /// holds. In between the brightest value is headroom^amount.
  public var extendedDynamicRangeAmount: Float {
    get { settings.extendedDynamicRangeAmount ?? 0 }
    set {
      Self.clamp(newValue, RAWSettings.Limits.extendedDynamicRangeAmount)
        .map { settings.extendedDynamicRangeAmount = $0 }
    }
  }

  /// Output size as a share of the native size, 0.001…1; default 1.
  public var scaleFactor: Float {
    get { settings.scaleFactor }
    set { Self.clamp(newValue, RAWSettings.Limits.scaleFactor).map { settings.scaleFactor = $0 } }
  }

  /// Faster, without full demosaicing; default off.
  public var isDraftModeEnabled: Bool {
    get { settings.isDraftModeEnabled }
    set { settings.isDraftModeEnabled = newValue }
  }

  /// Whether clipped channels are rebuilt (default) or clipped to neutral. Off at boost 0 they stay as
  /// recorded, since a linear picture holds the light and not a look.
  public var isHighlightRecoveryEnabled: Bool {
    get { settings.isHighlightRecoveryEnabled }
    set { settings.isHighlightRecoveryEnabled = newValue }
  }

  /// Whether distortion, lateral colour and vignetting are corrected, by what the file says of them or
  /// else by the lens database; default on.
  public var isLensCorrectionEnabled: Bool {
    get { settings.isLensCorrectionEnabled }
    set { settings.isLensCorrectionEnabled = newValue }
  }

  /// Whether colours outside ``outputPrimaries`` are brought inside; default on, no effect at boost 0.
  public var isGamutMappingEnabled: Bool {
    get { settings.isGamutMappingEnabled }
    set { settings.isGamutMappingEnabled = newValue }
  }

  /// How the picture is turned; default: as the file says.
  public var orientation: Orientation {
    get { effectiveOrientation }
    set { settings.orientation = newValue }
  }

  /// The version of the rendering; default the newest. One that is not among
  /// ``supportedDecoderVersions`` makes ``outputImage()`` throw.
  public var decoderVersion: DecoderVersion {
    get { settings.decoderVersion }
    set { settings.decoderVersion = newValue }
  }
}
