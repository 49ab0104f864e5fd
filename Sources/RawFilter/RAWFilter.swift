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
/// A value: copies are cheap, share what has been decoded, and can be changed and rendered apart,
/// on any thread. Setting a number outside its range clamps it; setting NaN or infinity changes
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

  /// The lens database for files that bring no corrections of their lens: a folder of lensfun's XML
  /// files, or one file. nil for that of the system, if any. One that cannot be read makes
  /// `outputImage()` throw where it is needed.
  public var lensDatabasePath: String?

  /// Other than as stored only to compare with other renderers.
  package var profileTables = ProfileTables.asStored

  /// Whether reduced pictures of the camera, 12 bytes a pixel, are kept for the next rendering: for
  /// previews, whose settings change all the time. Results do not depend on it.
  package var keepsReduced = false

  /// The white under which saturated photosites are rebuilt, as gains relative to the as-shot
  /// white; nil for the white in use. See ``reuseHighlights()``.
  var highlightsWhite: SIMD4<Float>?

  /// The first frame of the file, or samples that replace it.
  private let opened: RAWPicture
  /// The frame in use. One that is not there is refused when a picture is made.
  var picture: RAWPicture { (try? chosen) ?? opened }
  /// The same; throws where the file does not store it.
  var chosen: RAWPicture {
    get throws(RAWError) { try settings.frameNumber.map(opened.frame) ?? opened }
  }

  /// Throws where the file does not store the frame in use.
  package func requireFrame() throws(RAWError) { _ = try chosen }

  /// Opens the file at `url`. Reads what describes the picture, not yet its pixels.
  public init(url: URL, limits: DecodeLimits = DecodeLimits()) throws(RAWError) {
    opened = RAWPicture(file: try RawFile.open(url, limits: limits))
  }

  /// Opens the bytes of a file. What it is follows from the bytes alone; `identifierHint`, a type
  /// identifier or file extension, is taken for the sake of code written for CIRAWFilter.
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

  /// The files that a development depends on: the raw, or the frames that were merged, and those
  /// that the settings name. Where they are not there they are missing here, too.
  package var sourceFiles: Set<FileIdentity> {
    let paths = settings.inputPaths + [lensDatabasePath].compactMap { $0 }
    return file.sources.union(paths.compactMap { FileIdentity(path: $0) })
  }

  /// This filter with other samples, a linear value of which stands for 2^`stops` of those in the
  /// file. By itself it renders the same scene as bright as this one.
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
    return filter
  }

  /// Bytes that the demosaiced picture may take to be kept for the next rendering: 512 MiB, enough
  /// for 44 megapixels. Larger pictures are demosaiced again each time.
  public static let cacheLimitBytes = 512 << 20

  /// Names of the cameras whose raws are decoded, as LibRaw lists them. Any DNG is, whatever its
  /// camera.
  public static var supportedCameraModels: [String] { SupportedCameras.models }

  /// The cameras that LibRaw or the table of cameras knows, sorted by name, with what is known of
  /// them; lenses by the lens database at `lensDatabase`, nil for that of the system. Takes some
  /// tenths of a second. Fails when the database is given and cannot be read.
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

// MARK: - Facts of the file

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
  /// The picture that the camera put into the file; nil when there is none.
  public var previewImage: EmbeddedPreview? { picture.file.preview() }
  /// The opened file.
  package var rawFile: RawFile { picture.file }
  /// How ``previewImage`` is to be turned beyond what its own Exif declares, to be as upright as
  /// the developed picture.
  package var previewOrientation: Orientation {
    previewImage?.missing(orientation, stored: nativeSize) ?? .up
  }
  /// Warnings about the file and the profile at ``profilePath``, found when they were opened.
  public var warnings: [String] {
    let own = picture.file.info.warnings
    let external = colorMatrix == nil ? cameraProfileFile : nil
    let white = [whiteWarning].compactMap(\.self)
    guard hasOwnColors else { return own + white }
    return own.filter { $0 != picture.file.info.colorWarning } + (external?.warnings ?? []) + white
  }
  /// What the ``warnings`` advise.
  public var remedies: [Remedy] {
    Remedy.each(
      (hasOwnColors ? [] : picture.file.info.colorRemedies)
        + (whiteWarning == nil ? [] : [.giveCameraProfile]))
  }
  /// Whether the caller gives the colors of the camera.
  private var hasOwnColors: Bool { colorMatrix != nil || cameraProfileFile != nil }
  private var whiteWarning: String? {
    if isWhiteBalanceSupported, !isNeutralTemperatureSupported { return Self.whiteIsImplausible }
    return profile == nil && hasColor && settings.neutral != .asShot ? Self.whiteIsUnused : nil
  }
  static let whiteIsImplausible = """
    the white balance of the file is no light under its camera matrix, so colors are doubtful and \
    temperatures mean nothing; give a profile of this camera
    """
  static let whiteIsUnused = """
    without a camera matrix nothing is known of the light, so the white stays as the file has it; \
    give a profile of this camera
    """
  /// Renderings that this file supports, oldest first.
  public var supportedDecoderVersions: [DecoderVersion] { DecoderVersion.all }
  /// Whether clipped channels can be rebuilt.
  public var isHighlightRecoverySupported: Bool { true }
  /// Where the file's colors come from, without ``colorMatrix`` and ``profilePath``.
  public var colorOrigin: FactOrigin { picture.file.info.colorOrigin }
  /// How many frames, raw pictures of one size and kind, the file stores.
  public var frameCount: Int { picture.file.info.frameCount }
  /// Where the crop of the sensor's picture comes from.
  public var cropOrigin: FactOrigin { picture.file.info.cropOrigin }
  /// Whether the colors of the camera are known, so that white balance has an effect.
  public var isWhiteBalanceSupported: Bool { profile != nil }
  /// Size of the picture that `outputImage()` makes.
  public var outputSize: PixelSize {
    let upright = effectiveOrientation.upright(scaledSize)
    // A crop that is refused when the picture is made has no size.
    return (try? frame)?.resultSize(of: upright) ?? upright
  }

  /// The part of the upright picture that is kept.
  var frame: PictureFrame {
    get throws(RAWError) {
      try PictureFrame(settings.frame, native: effectiveOrientation.upright(nativeSize))
    }
  }

  /// Whether the whole picture is kept, as it is.
  package var isFrameWhole: Bool { (try? frame)?.isNeutral ?? true }

  var effectiveOrientation: Orientation { settings.orientation ?? picture.file.info.orientation }

  var scaledSize: PixelSize {
    let scale = Double(Adjustment.clamped(settings.scaleFactor, at: \.scaleFactor) ?? 1)
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    return PixelSize(width: side(nativeSize.width), height: side(nativeSize.height))
  }
}
