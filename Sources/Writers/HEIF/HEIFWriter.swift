import Codecs
import Containers
public import Formats
import HDRRender
public import ImageCore

/// Writes HEIF and AVIF stills: HLG, PQ or SDR in any space, full range. A picture is coded as one
/// by libaom, with all its code values and 18 more bytes per pixel in memory, or as tiles of one
/// AV1 picture or of a grid, which are rendered and coded in parallel; only the tiles at work and
/// the coded ones are in memory.
///
/// Pictures of a HEIF are coded in HEVC (in the module `X265Writers` also by libx265); AVIF is HEIF
/// with pictures coded in AV1. A step of 1/48 in the quality of a HEIF changes the quantizer by
/// one, the file by 10–15 %. Below 1, an AVIF has the luma error of a HEIF of the same quality, in
/// 10–20 % fewer bytes; below 0.7, where files should be small, and with `EncoderSettings.av1Speed`
/// libaom codes it. A grid of odd size in an AVIF is coded in 4:4:4, since readers refuse it
/// otherwise.
///
/// With a gain map the picture, which every reader shows, is followed by a hidden map of one or
/// three channels to its other rendition: in the format of ISO 21496-1; in a HEIF also as Apple's
/// auxiliary picture, or both with one map, in the layout of phones that write both. The picture is
/// usually SDR, or else HLG or PQ with a map to SDR.
public struct HEIFWriter: PictureWriter {
  /// HEIF and AVIF.
  public static let containers = [EncoderSettings.Container.heif, .avif]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  /// What code values mean.
  let space: SampleSpace
  let codec: any StillCodec
  let workers: Int
  /// Whether the picture's three channels are alike.
  private(set) var isGray = false

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(_ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers)
    throws(WriteError)
  {
    try self.init(settings, codec: Self.codec(settings), workers: workers)
  }

  /// The same with a codec of the caller.
  package init(
    _ settings: EncoderSettings, codec: any StillCodec, workers: Int
  ) throws(WriteError) {
    try Self.check(settings)
    (self.settings, self.codec, self.workers) = (settings, codec, max(workers, 1))
    space = try SampleSpace(settings)
  }

  private static func codec(_ settings: EncoderSettings) -> any StillCodec {
    guard settings.container == .avif else { return HEVCStillCodec() }
    let isSmall = Double(settings.codedQuality) < AV1StillCodec.minQuality
    guard let speed = settings.av1Speed ?? (isSmall ? AOMStillCodec.usualSpeed : nil) else {
      return AV1StillCodec()
    }
    return AOMStillCodec(speed: speed)
  }

  /// Writes `picture` to `destination`, with its alpha, completely or not at all.
  ///
  /// HLG and PQ take BT.2020, SDR the primaries of its space. A picture brighter than the format's
  /// peak (HLG 1000 cd/m², SDR reference white) is rolled off by BT.2390; PQ is clipped at 10,000
  /// cd/m². Fields of `hdrMetadata` are written unchanged. Missing ones of an HDR picture are
  /// measured content light levels, and the mastering display of HLG, or for PQ one that reaches
  /// the headroom of the picture. `progress` is called with 0…1 from any thread, one call at a
  /// time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), hdrMetadata: HDRMetadata = HDRMetadata(),
    to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try write(picture, metadata, to: destination) {
      try alpha?.check(picture.size, isMultiplied: false, path: destination.name)
      return try HEIFFile(
        picture, alpha: alpha, writer: self, hdrMetadata: hdrMetadata, metadata: metadata,
        progress: progress)
    }
  }

  /// Writes `picture` with `map` to `destination`, completely or not at all.
  ///
  /// SDR takes the primaries of its space and a headroom of 1, HLG and PQ take BT.2020; nothing is
  /// rolled off, since the map belongs to the picture as it is. `progress` is called with 0…1 from
  /// any thread, one call at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try write(picture, metadata, to: destination) {
      try file(picture, metadata, HDRMetadata(), progress) { map }
    }
  }

  /// Of an AVIF in SDR, and not for the device of a profile, a gray picture has one channel. HEVC
  /// has three, since only HEVC's 4:2:0 profiles are decoded by every device. `hdrMetadata` of
  /// `picture` is what a file without a gain map declares.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    guard let gainMap else {
      var writer = self
      writer.isGray = picture.isGray
      return try writer.write(
        picture.picture, alpha: picture.alpha, metadata: metadata, hdrMetadata: picture.hdrMetadata,
        to: destination)
    }
    return try write(picture.picture, metadata, to: destination) {
      try file(picture.picture, metadata, picture.hdrMetadata, nil, gainMap)
    }
  }

  /// The bytes that ``write(_:alpha:metadata:hdrMetadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    hdrMetadata: HDRMetadata = HDRMetadata()
  ) throws -> [UInt8] {
    try HEIFFile(
      picture, alpha: nil, writer: self, hdrMetadata: hdrMetadata, metadata: metadata, progress: nil
    ).parts.flatMap { $0 }
  }

  /// The bytes that ``write(_:gainMap:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture, metadata, HDRMetadata(), nil) { map }.parts.flatMap { $0 }
  }

  private func write(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    to destination: OutputDestination, _ file: () throws -> HEIFFile
  ) throws -> WrittenFile {
    let content = OutputContent(settings.container, of: picture.info.sources, metadata)
    try destination.check(content)
    return try WriteError.about(destination.name, file).write(content, to: destination)
  }

  /// `picture` with the map that `gainMap` gives once it has been read.
  private func file(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    _ hdrMetadata: HDRMetadata, _ progress: (@Sendable (Double) -> Void)?,
    _ gainMap: () throws -> StoredGainMap?
  ) throws -> HEIFFile {
    let info = picture.info
    try check(info)
    guard space.colorSpace.toneMapping(headroom: info.headroom) == nil else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than this \(codec.name) can hold, and its gain map would "
          + "not match the clipped base; render it to \(Int(space.colorSpace.peakNits)) cd/m²")
    }
    let pictures = try CodedPicture(picture, writer: self, progress: progress)
    guard let map = try gainMap() else {
      return try HEIFFile(
        pictures, headroom: info.headroom, writer: self, hdrMetadata: hdrMetadata,
        metadata: metadata)
    }
    return try GainMapHEIFFile(map, writer: self, metadata: metadata)
      .file(pictures, headroom: info.headroom)
  }
}
