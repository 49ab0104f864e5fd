import Codecs
import Containers
public import Formats
import HDRRender
public import ImageCore

/// Writes SDR JPEGs: baseline, 8 bits, with ICC profile, Exif and XMP. Rendered and
/// coded band by band in parallel; only the bands at work and the coded ones are in memory.
///
/// The same picture and settings give the same bytes on any number of workers.
public struct JPEGWriter: Sendable {
  /// How a picture is encoded.
  public struct Settings: Sendable, Hashable {
    /// What the code values mean.
    public let space: SampleSpace
    /// Chroma subsampling.
    public let chroma: ChromaSubsampling
    /// 0…1; libjpeg's quality / 100.
    public let quality: Double
    /// Whether the file has one channel: of a picture whose three are alike.
    public let isGray: Bool

    /// The quality when none is given.
    public static let defaultQuality = 0.9

    /// Settings for a picture. The device of a profile is never gray. Throws when quality is
    /// outside 0…1, or for an HDR space.
    public init(
      in space: SampleSpace = .displayP3, chroma: ChromaSubsampling = .yuv420,
      quality: Double = defaultQuality, isGray: Bool = false
    ) throws(WriteError) {
      try JPEGWriter.check(quality: quality)
      guard !space.colorSpace.isHDR else {
        throw WriteError(
          .badSetting, "a JPEG is written in SDR, not \(space.colorSpace.rawValue)")
      }
      (self.space, self.chroma, self.quality) = (space, chroma, quality)
      self.isGray = isGray && space.profile == nil
    }
  }

  /// How pictures are written.
  public let settings: Settings
  private let workers: Int

  /// A writer with these settings that uses up to `workers` threads.
  public init(_ settings: Settings, workers: Int = Parallel.defaultWorkers) {
    self.settings = settings
    self.workers = max(workers, 1)
  }

  /// Writes `picture`, which must be in the primaries of the settings, to `destination`, completely
  /// or not at all. Highlights above reference white are rolled off by BT.2390.
  ///
  /// `progress` is called with 0…1 from any thread, one call at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    to destination: OutputDestination, progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    let content = OutputContent(.jpeg, of: picture.info.sources, metadata)
    try destination.check(content)
    let (jpeg, parts, left) = try WriteError.about(destination.name) {
      try file(picture, metadata, progress)
    }
    let isToneMapped = settings.coding(picture.info).encoding.toneMapping != nil
    let notes =
      isToneMapped
      ? [BT2390.note(peakNits: ReferenceWhite.nits)]
      : jpeg.statistics.clippingNotes(in: settings.space.colorSpace)
    let (byteCount, contents) = try destination.write(content, pieces: parts)
    return WrittenFile(
      at: destination, contents: contents, byteCount: byteCount, size: picture.size,
      statistics: jpeg.statistics, isToneMapped: isToneMapped,
      notes: notes + left)
  }

  /// The bytes that ``write(_:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture, metadata, nil).parts.flatMap { $0 }
  }

  private func file(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    _ progress: (@Sendable (Double) -> Void)?
  ) throws -> (jpeg: CodedJPEG, parts: [[UInt8]], notes: [String]) {
    try settings.check(picture.info)
    let jpeg = try CodedJPEG(
      picture, coding: settings.coding(picture.info), workers: workers, progress: progress)
    let (parts, notes) = try settings.file(jpeg, size: picture.size, metadata)
    return (jpeg, parts, notes)
  }

  static func check(quality: Double) throws(WriteError) {
    try WriteError.check(quality: quality, of: "JPEG", usual: Settings.defaultQuality)
  }

  /// libjpeg's quality, 1…100.
  static func number(quality: Double) -> Int { max(Int((quality * 100).rounded()), 1) }
}

extension JPEGWriter.Settings {
  /// Throws when a picture is not in the primaries that the file holds.
  func check(_ info: DisplayReferred.Info) throws(WriteError) {
    try WriteError.check(info, in: space.primaries, of: "JPEG")
  }

  /// The file of `jpeg`, a picture of `size`, and what it could not hold.
  func file(
    _ jpeg: CodedJPEG, size: PixelSize, _ metadata: CaptureMetadata
  ) throws(WriteError) -> (parts: [[UInt8]], notes: [String]) {
    var segments = JPEGHeader()
    try segments.jfif(dotsPerInch: metadata.dotsPerInch)
    let notes = try segments.describe(metadata, size: size, in: space.exif)
    try segments.profile(space.iccProfile(isGray: isGray))
    return (jpeg.file(segments.bytes), notes)
  }

  /// From linear values to the coded data of a picture of this headroom.
  func coding(_ info: DisplayReferred.Info) -> JPEGCoding {
    let chroma = isGray ? ChromaFormat.monochrome : chroma.format
    let encoding = PictureEncoding(
      signal: space.signal,
      toneMapping: space.colorSpace.toneMapping(headroom: info.headroom),
      conversion: YCbCrConversion(matrix: .bt601, bits: 8),
      siting: chroma == .yuv420 ? .center : nil)
    return JPEGCoding(
      encoding: encoding, chroma: chroma, quality: JPEGWriter.number(quality: quality))
  }
}
