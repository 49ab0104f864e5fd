import Codecs
import Containers
public import Formats
import HDRRender
public import ImageCore

/// Writes SDR JPEGs: baseline, 8 bits, with ICC profile, Exif and XMP. Rendered and
/// coded band by band in parallel; only the bands at work and the coded ones are in memory. The
/// quality is libjpeg's / 100.
///
/// With a gain map the picture, which every reader shows, is followed by a second JPEG, the map
/// that leads to the HDR rendition. All three formats by default, with one map: ISO 21496-1, hdrgm
/// ("Ultra HDR") and Apple's.
public struct JPEGWriter: PictureWriter {
  /// JPEG.
  public static let containers = [EncoderSettings.Container.jpeg]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  /// What code values mean.
  let space: SampleSpace
  let workers: Int
  /// Whether the picture's three channels are alike.
  private var isGray = false
  /// Whether the file has one channel. The device of a profile is never gray.
  private var hasOneChannel: Bool { isGray && space.profile == nil }

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(
    _ settings: EncoderSettings = EncoderSettings(.jpeg), workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) {
    try Self.check(settings)
    (self.settings, self.workers) = (settings, max(workers, 1))
    space = try SampleSpace(settings)
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
    let isToneMapped = coding(picture.info).encoding.toneMapping != nil
    let notes =
      isToneMapped
      ? [BT2390.note(peakNits: ReferenceWhite.nits)]
      : jpeg.statistics.clippingNotes(in: space.colorSpace)
    let (byteCount, contents) = try destination.write(content, chunks: parts)
    return WrittenFile(
      at: destination, contents: contents, byteCount: byteCount, size: picture.size,
      statistics: jpeg.statistics, isToneMapped: isToneMapped,
      notes: notes + left)
  }

  /// Writes `picture` with `map` to `destination`, completely or not at all.
  ///
  /// The picture must be in the primaries of the settings and of a headroom of 1: nothing is rolled
  /// off, since the map belongs to the picture as it is. `progress` is called with 0…1 from any
  /// thread, one call at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try write(picture, metadata, to: destination, progress) { map }
  }

  /// A gray picture without a gain map has one channel.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    guard let gainMap else {
      var writer = self
      writer.isGray = picture.isGray
      return try writer.write(picture.picture, metadata: metadata, to: destination)
    }
    return try write(picture.picture, metadata, to: destination, nil, gainMap)
  }

  /// The bytes that ``write(_:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture, metadata, nil).parts.flatMap { $0 }
  }

  /// The bytes that ``write(_:gainMap:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture, metadata, nil) { map }.parts.flatMap { $0 }
  }

  /// With the map that `gainMap` gives once the picture has been read.
  private func write(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    to destination: OutputDestination, _ progress: (@Sendable (Double) -> Void)?,
    _ gainMap: () throws -> StoredGainMap?
  ) throws -> WrittenFile {
    let content = OutputContent(.jpeg, of: picture.info.sources, metadata)
    try destination.check(content)
    let file = try WriteError.about(destination.name) {
      try self.file(picture, metadata, progress, gainMap)
    }
    let (byteCount, contents) = try destination.write(content, chunks: file.parts)
    var written = WrittenFile(
      at: destination, contents: contents, byteCount: byteCount, size: picture.size,
      statistics: file.statistics, notes: file.notes)
    written.hasGainMap = file.hasGainMap
    return written
  }

  private func file(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    _ progress: (@Sendable (Double) -> Void)?
  ) throws -> (jpeg: CodedJPEG, parts: [[UInt8]], notes: [String]) {
    try WriteError.check(picture.info, in: space.primaries, of: "JPEG")
    let jpeg = try CodedJPEG(
      picture, coding: coding(picture.info), workers: workers, progress: progress)
    let (parts, notes) = try file(jpeg, size: picture.size, metadata)
    return (jpeg, parts, notes)
  }

  private func file(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    _ progress: (@Sendable (Double) -> Void)?, _ gainMap: () throws -> StoredGainMap?
  ) throws -> GainMapJPEGFile {
    try WriteError.check(picture.info, in: space.primaries, of: "JPEG")
    let coding = coding(picture.info)
    guard coding.encoding.toneMapping == nil else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than reference white, and its gain map would not match the "
          + "clipped base; render it to a headroom of 1")
    }
    let jpeg = try CodedJPEG(picture, coding: coding, workers: workers, progress: progress)
    guard let map = try gainMap() else {
      return try GainMapJPEGFile(jpeg, size: picture.size, self, metadata)
    }
    guard !map.metadata.isBaseHDR else {
      throw WriteError(
        .badSetting,
        "the gain map has an HDR base, which a JPEG cannot hold; write a HEIF")
    }
    return try GainMapJPEGFile(
      jpeg, size: picture.size, map: map, writer: self, metadata: metadata)
  }

  /// libjpeg's quality, 1…100.
  static func number(quality: Double) -> Int { max(Int((quality * 100).rounded()), 1) }

  /// The file of `jpeg`, a picture of `size`, and what it could not hold.
  func file(
    _ jpeg: CodedJPEG, size: PixelSize, _ metadata: CaptureMetadata
  ) throws(WriteError) -> (parts: [[UInt8]], notes: [String]) {
    var segments = JPEGHeader()
    try segments.jfif(dotsPerInch: metadata.dotsPerInch)
    let notes = try segments.describe(metadata, size: size, in: space.exif)
    try segments.profile(space.iccProfile(isGray: hasOneChannel))
    return (jpeg.file(segments.bytes), notes)
  }

  /// From linear values to the coded data of a picture of this headroom.
  func coding(_ info: DisplayReferred.Info) -> JPEGCoding {
    let chroma = hasOneChannel ? ChromaFormat.monochrome : settings.chroma.format
    let encoding = PictureEncoding(
      signal: space.signal,
      toneMapping: space.colorSpace.toneMapping(headroom: info.headroom),
      conversion: YCbCrConversion(matrix: .bt601, bits: 8),
      siting: chroma == .yuv420 ? .center : nil)
    return JPEGCoding(
      encoding: encoding, chroma: chroma,
      quality: Self.number(quality: Double(settings.codedQuality)))
  }
}
