import Codecs
public import Formats
public import ImageCore
import TIFFCodec

/// Writes TIFF files: integers of 8 or 16 bits in a color space, or linear values as floats of 16
/// or 32 bits.
/// Both carry their ICC profile, the capture's Exif and GPS data and XMP.
///
/// Integers are full range. What their space cannot hold is clamped: to 0…1 (reference white), in
/// PQ to 10,000 cd/m². HLG rolls off (BT.2390) what exceeds its 1000 cd/m². NaN is written as 0.
/// 8-bit samples are rounded from 16, without dithering. Floats are in the picture's own primaries,
/// 1.0 = reference white; of 32 bits exact, including negative values and values above 1; of 16
/// bits rounded and clamped to 65504, and NaN 0.
///
/// The picture is read band by band in parallel; the complete picture is never in memory. Files
/// that could pass 4 GB are BigTIFF.
public struct TIFFWriter: PictureWriter {
  /// TIFF.
  public static let containers = [EncoderSettings.Container.tiff]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  private let workers: Int
  /// What integers mean.
  private let space: SampleSpace
  /// Whether one channel of integers is written, of pictures whose three are alike.
  private var isGray = false

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(_ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers)
    throws(WriteError)
  {
    try Self.check(settings)
    (self.settings, self.workers) = (settings, max(workers, 1))
    space = try SampleSpace(settings)
  }

  /// Writes `picture` to `destination`, with its alpha; colors may be multiplied by it in floats
  /// only. `xmp` is a packet in UTF-8; without one it is made of the metadata.
  ///
  /// Throws `.badSetting` when the picture's primaries do not match the encoding,
  /// `.unsupportedSize`, `.exists`, `.isInput`, `.cannotWrite`, `.diskFull` or `.encoderFailed`;
  /// the destination is then unchanged.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), xmp: [UInt8]? = nil,
    to destination: OutputDestination
  ) throws -> WrittenFile {
    if !settings.isFloat {
      try WriteError.check(
        picture.info, in: space.primaries, file: "a \(space.colorSpace.rawValue) file",
        path: destination.name)
    }
    try alpha?.check(
      picture.size, isMultiplied: settings.isFloat ? nil : false, path: destination.name)
    return try write(
      picture, alpha, in: picture.info.primaries, headroom: picture.info.headroom,
      metadata: metadata, xmp: xmp, of: picture.info.sources, to: destination)
  }

  /// Writes scene-linear values, before any tone mapping, to `destination`. Only
  /// floats hold them; integers throw `.badSetting`. Otherwise like the method for renderings.
  public func write(
    _ scene: some PixelSource<SceneLinear>, metadata: CaptureMetadata = CaptureMetadata(),
    xmp: [UInt8]? = nil, to destination: OutputDestination
  ) throws -> WrittenFile {
    guard settings.isFloat else {
      throw WriteError(
        .badSetting, "scene-referred values need linear floats; render them for other encodings",
        path: destination.name)
    }
    return try write(scene, nil, in: .bt2020, metadata: metadata, xmp: xmp, to: destination)
  }

  /// A gray picture of integers has one channel.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    var writer = self
    writer.isGray = picture.isGray
    return try writer.write(
      picture.picture, alpha: picture.alpha, metadata: metadata, to: destination)
  }

  private func write<State>(
    _ picture: some PixelSource<State>, _ alpha: AlphaPlane?, in primaries: Primaries,
    headroom: Float = 1, metadata: CaptureMetadata, xmp: [UInt8]?,
    of sources: Set<FileIdentity> = [],
    to destination: OutputDestination
  ) throws -> WrittenFile {
    let (size, path) = (picture.size, destination.name)
    let coding = TIFFCoding(
      settings, settings.isFloat ? SampleSpace(ColorSpace(linear: primaries)) : space,
      headroom: headroom, isGray: isGray)
    let largestSide = Int(Int32.max) / 16
    guard (1...largestSide).contains(size.width), (1...largestSide).contains(size.height) else {
      throw WriteError(
        .unsupportedSize, "a TIFF picture has 1…\(largestSide) columns and rows, not \(size)",
        path: path)
    }
    let layout = StripLayout(
      size: size, sampleBytes: coding.sampleBytes, colors: coding.isGray ? 1 : 3,
      hasAlpha: alpha != nil)
    let tags = TIFFTags(
      coding: coding, isMultiplied: alpha?.isMultiplied == true, metadata: metadata, xmp: xmp)
    return try destination.file(OutputContent(.tiff, of: sources, metadata)) { descriptor in
      let worst = Double(layout.rowBytes) * Double(size.height) * settings.compression.worstGrowth
      let isBig = worst + Double(tags.byteCount) > 4_200_000_000
      return try WriteError.encoding(to: path) {
        let file = try TIFFEncoder(descriptor: descriptor, path: path, isBig: isBig)
        try tags.set(on: file, layout: layout, isBig: isBig)
        if settings.compression == .none {
          AtomicFile.reserve(layout.rowBytes * size.height, for: descriptor)
        }
        let statistics = try MeasuredStage.codes.measure {
          try writeStrips(of: picture, alpha, layout: layout, coding: coding, to: file) {
            AtomicFile.startWriting(descriptor)
          }
        }
        return WrittenFile(
          at: destination, byteCount: try file.finish(), size: size, statistics: statistics,
          isToneMapped: coding.toneMapping != nil,
          notes: tags.notes(isBig: isBig) + coding.notes(for: statistics))
      }
    }
  }

  private func writeStrips<State>(
    of picture: some PixelSource<State>, _ alpha: AlphaPlane?, layout: StripLayout,
    coding: TIFFCoding,
    to file: TIFFEncoder, startWriting: @Sendable () -> Void
  ) throws -> ContentLightStatistics {
    let bands = PictureBands(picture, unit: layout.rowsPerStrip, workers: workers)
    let encoders = try (0..<bands.workers).map { _ in
      try BandEncoder(layout: layout, coding: coding, alpha: alpha)
    }
    let memory = BandMemory(byteCount: bands.rows / layout.rowsPerStrip * encoders[0].stripBound())
    return try unsafe bands.write(
      partRows: layout.rowsPerStrip, memory: memory, startWriting: startWriting
    ) { band, worker in
      try encoders[worker].encode(band, memory: memory)
    } _: { row, bytes throws(CodecError) in
      try unsafe file.writeStrip(row / layout.rowsPerStrip, bytes)
    }
  }
}
