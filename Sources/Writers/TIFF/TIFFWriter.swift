import Codecs
public import Formats
public import ImageCore
import TIFFCodec

/// Writes TIFF files: integers of 8 or 16 bits in a color space, or linear values as floats of 16
/// or 32 bits.
/// Both carry their ICC profile, the capture's Exif and GPS data and XMP.
///
/// The picture is read band by band in parallel and is never in memory as a whole; the file has the
/// same bytes for any number of workers. Files that could pass 4 GB are BigTIFF.
public struct TIFFWriter: Sendable, Hashable {
  /// Type and color space of a sample.
  public enum Encoding: Sendable, Hashable {
    /// An unsigned 16-bit code value, full range. What the space cannot hold is clamped: to 0…1
    /// (reference white), in PQ to 10,000 cd/m². HLG rolls off (BT.2390) what exceeds its
    /// 1000 cd/m². NaN is written as 0.
    case integer16(SampleSpace)
    /// The same in 8 bits, rounded from 16, without dithering; SDR only.
    case integer8(SampleSpace)
    /// The linear value as 32-bit float in the picture's own primaries, 1.0 = reference white;
    /// negative values and those above 1 are kept bit for bit.
    case linearFloat
    /// The same as 16-bit float, rounded; what it cannot hold becomes the largest that it can,
    /// 65504, and NaN 0.
    case linearHalf
  }

  /// Type and color space of a sample.
  public let encoding: Encoding
  /// Compression of the strips.
  public let compression: TIFFCompression
  /// Whether one channel of integers is written, of pictures whose three are alike.
  public let isGray: Bool
  /// Threads that read and compress.
  public let workers: Int

  /// A writer of such files. Throws `.badSetting` for a level outside its compression's range.
  public init(
    encoding: Encoding, compression: TIFFCompression = .deflate(level: 1), isGray: Bool = false,
    workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) {
    switch compression {
    case .deflate(let level) where !(1...12).contains(level):
      throw WriteError(.badSetting, "deflate level \(level) is outside 1…12")
    case .zstd(let level) where !(1...19).contains(level):
      throw WriteError(.badSetting, "Zstandard level \(level) is outside 1…19")
    default: break
    }
    guard workers >= 1 else {
      throw WriteError(.badSetting, "\(workers) workers cannot write a file; use 1 or more")
    }
    if case .integer8(let space) = encoding, space.colorSpace.isHDR {
      throw WriteError(
        .badSetting, "\(space.colorSpace.name) in 8 bits causes banding; use integer16")
    }
    (self.encoding, self.isGray) = (encoding, isGray)
    self.compression = compression
    self.workers = workers
  }

  /// Writes `picture` to `destination`, with its alpha; colors may be multiplied by it in floats
  /// only. `xmp` is a packet in UTF-8; without one it is made of the metadata.
  ///
  /// Throws `.badSetting` when the picture's primaries are not those of the encoding,
  /// `.unsupportedSize`, `.exists`, `.isInput`, `.cannotWrite`, `.diskFull` or
  /// `.encoderFailed`; the destination is then unchanged.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), xmp: [UInt8]? = nil,
    to destination: OutputDestination
  ) throws -> WrittenFile {
    var isMultiplied: Bool?
    switch encoding {
    case .integer16(let space), .integer8(let space):
      isMultiplied = false
      try WriteError.check(
        picture.info, in: space.primaries, file: "a \(space.colorSpace.rawValue) file",
        path: destination.name)
    case .linearFloat, .linearHalf: break
    }
    try alpha?.check(picture.size, isMultiplied: isMultiplied, path: destination.name)
    return try write(
      picture, alpha, in: picture.info.primaries, headroom: picture.info.headroom,
      metadata: metadata, xmp: xmp, of: picture.info.sources, to: destination)
  }

  /// Writes scene-linear values, before any tone mapping, to `destination`. Only
  /// ``Encoding/linearFloat`` and ``Encoding/linearHalf`` hold them; any other encoding throws
  /// `.badSetting`. Otherwise like the method for renderings.
  public func write(
    _ scene: some PixelSource<SceneLinear>, metadata: CaptureMetadata = CaptureMetadata(),
    xmp: [UInt8]? = nil, to destination: OutputDestination
  ) throws -> WrittenFile {
    guard [.linearFloat, .linearHalf].contains(encoding) else {
      throw WriteError(
        .badSetting, "scene-referred light needs linear floats; render it for other encodings",
        path: destination.name)
    }
    return try write(scene, nil, in: .bt2020, metadata: metadata, xmp: xmp, to: destination)
  }

  private func write<State>(
    _ picture: some PixelSource<State>, _ alpha: AlphaPlane?, in space: Primaries,
    headroom: Float = 1, metadata: CaptureMetadata, xmp: [UInt8]?,
    of sources: Set<FileIdentity> = [],
    to destination: OutputDestination
  ) throws -> WrittenFile {
    let (size, path) = (picture.size, destination.name)
    let coding = TIFFCoding(encoding, compression, space, headroom: headroom, isGray: isGray)
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
      let worst = Double(layout.rowBytes) * Double(size.height) * compression.worstGrowth
      let isBig = worst + Double(tags.byteCount) > 4_200_000_000
      return try WriteError.encoding(to: path) {
        let file = try TIFFEncoder(descriptor: descriptor, path: path, isBig: isBig)
        try tags.set(on: file, layout: layout, isBig: isBig)
        if compression == .none {
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
