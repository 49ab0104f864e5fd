public import Foundation
public import ImageCore
// Descriptions of files and errors are types of RawDecode; programs import only this module.
@_exported public import RawDecode
import RawSensor

/// A camera raw, DNG or ProRAW with adjustable properties under CIRAWFilter's names.
///
///     var filter = try RAWFilter(url: url)
///     filter.exposure = 0.5
///     filter.extendedDynamicRangeAmount = 1
///     let picture = try filter.outputImage()   // linear BT.2020, 1.0 = reference white
///
/// A value: copies are cheap, share decoded data, and can be changed and rendered independently, on
/// any thread. Setting a number outside its range clamps it; setting NaN or infinity changes
/// nothing. Rendering twice decodes and demosaics once, as long as the demosaiced picture fits
/// ``cacheLimitBytes``.
public struct RAWFilter: Sendable {
  /// Every adjustable property as one value, as recipes store it. Not clamped: a value outside its
  /// range makes `outputImage()` throw.
  public var settings = RAWSettings()

  /// Runs on each scene-linear BT.2020 pixel, after demosaicing, color and exposure, before the
  /// tone curve. May return any value; is called from several threads. It must depend on nothing
  /// but its argument.
  public var linearSpaceFilter: (@Sendable (SIMD3<Float>) -> SIMD3<Float>)?

  /// Primaries that `outputImage()` is rendered in.
  public var outputPrimaries: Primaries = .bt2020

  /// Threads that render; 1 or more. Results do not depend on it.
  public var workers = Parallel.defaultWorkers

  /// A color matrix for cameras that have none: XYZ under D65 to camera values, nine numbers row by
  /// row, as dcraw and LibRaw list them. It replaces the file's own colors.
  public var colorMatrix: [Double]?

  /// The lens database for files without lens corrections: a folder of lensfun's XML files, or one
  /// file. nil for the system's, if any. An unreadable one makes `outputImage()` throw if it is
  /// needed.
  public var lensDatabasePath: String?

  /// Changed only to compare with other renderers.
  package var profileTables = ProfileTables.asStored

  /// What is measured once for all frames of the clip that this is one of; nil to measure this
  /// picture.
  package var clip: ClipMeasurements?

  /// Whether reduced camera RGB, 12 bytes a pixel, is cached for the next rendering: for previews,
  /// whose settings change continually. Results do not depend on it.
  package var keepsReduced = false

  /// The white under which saturated photosites are reconstructed, as gains relative to the as-shot
  /// white; nil for the white in use. See ``reuseHighlights()``.
  var highlightsWhite: SIMD4<Float>?

  /// The first frame of the file, or samples that replace it.
  private let opened: RAWPicture
  /// The frame in use. A missing frame throws when a picture is made.
  var picture: RAWPicture { (try? chosen) ?? opened }
  /// The same; throws if the file does not store it.
  var chosen: RAWPicture {
    get throws(RAWError) { try settings.frameNumber.map(opened.frame) ?? opened }
  }

  /// Throws if the file does not store the frame in use.
  package func requireFrame() throws(RAWError) { _ = try chosen }

  /// Opens the file at `url`. Reads metadata, not yet pixels.
  public init(url: URL, limits: DecodeLimits = DecodeLimits()) throws(RAWError) {
    opened = RAWPicture(file: try RawFile.open(url, limits: limits))
  }

  /// Opens the bytes of a file. The type is detected from the bytes; `identifierHint`, a type
  /// identifier or file extension, is accepted for compatibility with CIRAWFilter.
  public init(
    data: Data, identifierHint: String? = nil, limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) {
    try self.init(bytes: [UInt8](data), limits: limits)
  }

  /// Opens the bytes of a file.
  init(bytes: [UInt8], limits: DecodeLimits) throws(RAWError) {
    opened = RAWPicture(file: try RawFile.open(bytes: bytes, limits: limits))
  }

  private init(picture: RAWPicture) { opened = picture }

  /// Gains of the sensor's channels that make the neutral as shot gray, the smallest 1.
  package var sensorBalance: SIMD4<Float> { picture.balance(profile) }

  /// The file that is opened.
  package var file: RawFile { picture.file }

  /// The files that a development depends on: the raw, or the merged frames, and files named by the
  /// settings. Missing files are left out.
  package var sourceFiles: Set<FileIdentity> {
    let paths = settings.inputPaths + [lensDatabasePath].compactMap { $0 }
    return file.sources.union(paths.compactMap { FileIdentity(path: $0) })
  }

  /// This filter with other samples, whose linear values are those of the file divided by
  /// 2^`stops`. By default it renders the same scene at the same brightness.
  package func replacingSamples(_ replacement: SampleReplacement, stops: Float) -> RAWFilter {
    var replacement = replacement
    if let own = picture.file.info.baselineExposure {
      replacement.info.baselineExposure = own + Double(stops)
    }
    return with(
      RAWPicture(
        file: picture.file.replacingSamples(replacement), reference: (picture, stops)))
  }

  /// A filter with these settings of another picture.
  func with(_ picture: RAWPicture) -> RAWFilter {
    var filter = RAWFilter(picture: picture)
    (filter.settings, filter.linearSpaceFilter) = (settings, linearSpaceFilter)
    (filter.outputPrimaries, filter.workers) = (outputPrimaries, workers)
    (filter.colorMatrix, filter.lensDatabasePath) = (colorMatrix, lensDatabasePath)
    (filter.profileTables, filter.keepsReduced) = (profileTables, keepsReduced)
    filter.clip = clip
    return filter
  }

  /// Maximum bytes of a demosaiced picture that is cached for the next rendering: 512 MiB, enough
  /// for 44 megapixels. Larger pictures are demosaiced again each time.
  public static let cacheLimitBytes = 512 << 20

  /// Names of the cameras whose raws are decoded, as LibRaw lists them. DNGs of any camera are
  /// decoded.
  public static var supportedCameraModels: [String] { SupportedCameras.models }

  /// The cameras known to LibRaw or the table of cameras, sorted by name; lens support by the lens
  /// database at `lensDatabase`, nil for the system's. Takes some tenths of a second. Throws if the
  /// given database cannot be read.
  public static func supportedCameras(
    lensDatabase: String? = nil
  ) throws(RAWError) -> [SupportedCamera] {
    let coverage: LensCoverage?
    do {
      coverage = try LensDatabase.shared(lensDatabase).map { (database) throws(RAWError) in
        try database.coverage()
      }
    } catch {
      if lensDatabase != nil { throw error }
      coverage = nil
    }
    return SupportedCameras.all.map { camera in
      var camera = camera
      camera.lenses = coverage.map { coverage in camera.keys.contains { coverage.has($0) } }
      return camera
    }
  }
}

// MARK: - Properties of the file

extension RAWFilter {
  /// Full size of the picture as stored, before orientation and scaling: what the camera delivers.
  public var nativeSize: PixelSize { picture.nativeSize(cameraCrop) }
  /// The part of the sensor's picture that is developed.
  var cameraCrop: PixelRect {
    let info = picture.file.info
    return info.cameraFrame ?? info.crop
  }
  /// Camera, lens, exposure, date, position.
  public var properties: CaptureMetadata { picture.file.metadata }
  /// A UUID of the file's content.
  package var contentUUID: String { picture.file.contentUUID }
  /// The embedded preview; nil if there is none.
  public var previewImage: EmbeddedPreview? { picture.file.preview() }
  /// The opened file.
  package var rawFile: RawFile { picture.file }
  /// The rotation of ``previewImage``, in addition to its own Exif orientation, to match the
  /// developed picture.
  package var previewOrientation: Orientation {
    previewImage?.missing(orientation, stored: nativeSize) ?? .up
  }
  /// Warnings about the file and the profile at ``profilePath``, from opening them.
  public var warnings: [String] {
    let own = picture.file.info.warnings
    let external = colorMatrix == nil ? cameraProfileFile : nil
    let white = [whiteWarning].compactMap(\.self)
    guard hasOwnColors else { return own + white }
    return own.filter { $0 != picture.file.info.colorWarning } + (external?.warnings ?? []) + white
  }
  /// Remedies for the ``warnings``.
  public var remedies: [Remedy] {
    Remedy.each(
      (hasOwnColors ? [] : picture.file.info.colorRemedies)
        + (whiteWarning == nil ? [] : [.giveCameraProfile]))
  }
  /// Whether the caller provides the colors of the camera.
  private var hasOwnColors: Bool { colorMatrix != nil || cameraProfileFile != nil }
  private var whiteWarning: String? {
    if isWhiteBalanceSupported, !isNeutralTemperatureSupported { return Self.whiteIsImplausible }
    return profile == nil && hasColor && settings.neutral != .asShot ? Self.whiteIsUnused : nil
  }
  static let whiteIsImplausible = """
    the white balance of the file is not a plausible illuminant under its camera matrix, so colors \
    are unreliable and temperatures meaningless; give a profile of this camera
    """
  static let whiteIsUnused = """
    without a camera matrix the illuminant is unknown, so the white as shot is used; give a \
    profile of this camera
    """
  /// Renderings that this file supports, oldest first.
  public var supportedDecoderVersions: [DecoderVersion] { DecoderVersion.all }
  /// Whether clipped channels can be reconstructed.
  public var isHighlightRecoverySupported: Bool { true }
  /// The origin of the file's colors, without ``colorMatrix`` and ``profilePath``.
  public var colorOrigin: FactOrigin { picture.file.info.colorOrigin }
  /// Number of frames, raw pictures of one size and kind, in the file.
  public var frameCount: Int { picture.file.info.frameCount }
  /// The origin of the crop of the sensor's picture.
  public var cropOrigin: FactOrigin { picture.file.info.cropOrigin }
  /// Whether the colors of the camera are known, so that white balance has an effect.
  public var isWhiteBalanceSupported: Bool { profile != nil }
  /// Size of the picture that `outputImage()` makes.
  public var outputSize: PixelSize {
    let upright = effectiveOrientation.upright(scaledSize)
    // An invalid crop, which throws when the picture is made, has no size.
    return (try? frame)?.resultSize(of: upright) ?? upright
  }

  /// Crop, rotation and perspective.
  var frame: PictureFrame {
    get throws(RAWError) {
      try PictureFrame(settings.frame, native: effectiveOrientation.upright(nativeSize))
    }
  }

  /// Whether there is no crop, rotation or perspective.
  package var isFrameWhole: Bool { (try? frame)?.isNeutral ?? true }

  var effectiveOrientation: Orientation { settings.orientation ?? picture.file.info.orientation }

  var scaledSize: PixelSize {
    let scale = Double(Adjustment.clamped(settings.scaleFactor, at: \.scaleFactor) ?? 1)
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    return PixelSize(width: side(nativeSize.width), height: side(nativeSize.height))
  }
}
