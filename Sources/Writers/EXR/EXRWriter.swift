import Codecs
import EXRCodec
public import Formats
import Foundation
public import ImageCore

/// Writes OpenEXR files of one part: R, G and B, and A where there is alpha, in scan lines, or in
/// tiles of one level, half or single precision, in the picture's primaries, 1.0 = reference white.
/// Both windows start at (0, 0).
///
/// The header has the chromaticities and the adopted neutral of the primaries, 203 cd/m² for 1.0
/// and what is known of the capture, as standard attributes (`EXRAttributes`). NaN and infinities
/// are never written (`FloatSamples`). The picture is read band by band, compressed in parallel;
/// the complete picture is never in memory.
public struct EXRWriter: PictureWriter {
  /// OpenEXR.
  public static let containers = [EncoderSettings.Container.exr]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  private let workers: Int

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(
    _ settings: EncoderSettings = EncoderSettings(.exr), workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) {
    try Self.check(settings)
    (self.settings, self.workers) = (settings, max(workers, 1))
  }

  /// Writes `picture` to `destination`, completely or not at all, with premultiplied alpha.
  /// `isScene`: it is scene-referred, not display-referred. Throws `WriteError`: `.badSetting` for
  /// straight alpha, `.unsupportedSize`, `.exists`, `.isInput`, `.cannotWrite`, `.diskFull` or
  /// `.encoderFailed`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), isScene: Bool = false,
    to destination: OutputDestination
  ) throws -> WrittenFile {
    try alpha?.check(picture.size, isMultiplied: true, path: destination.name)
    return try write(
      picture, alpha, in: picture.info.primaries, metadata: metadata, isScene: isScene,
      of: picture.info.sources, to: destination)
  }

  /// Writes scene-linear values, before any rendering, likewise.
  public func write(
    _ scene: some PixelSource<SceneLinear>, metadata: CaptureMetadata = CaptureMetadata(),
    to destination: OutputDestination
  ) throws -> WrittenFile {
    try write(scene, nil, in: .bt2020, metadata: metadata, isScene: true, to: destination)
  }

  /// In the picture's own primaries.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    try write(
      picture.picture, alpha: picture.alpha, metadata: metadata, isScene: picture.isScene,
      to: destination)
  }

  private func write<State>(
    _ picture: some PixelSource<State>, _ alpha: AlphaPlane?, in primaries: Primaries,
    metadata: CaptureMetadata, isScene: Bool, of sources: Set<FileIdentity> = [],
    to destination: OutputDestination
  ) throws -> WrittenFile {
    let (size, path) = (picture.size, destination.name)
    try WriteError.checkArray(size, kind: "an OpenEXR", path: path)
    let (depth, tileSize) = (settings.floatDepth, settings.exrTileSize)
    let attributes = EXRAttributes(
      metadata, primaries, isScene: isScene,
      isPlain: depth == .half && settings.exrCompression == .none && tileSize == nil
    ).values
    return try destination.file(OutputContent(.exr, of: sources, metadata)) { descriptor in
      try WriteError.encoding(to: path) {
        let file = try EXREncoder(
          descriptor: descriptor, path: path, width: size.width, height: size.height,
          tileSize: tileSize, compression: coding, isHalf: depth == .half,
          hasAlpha: alpha != nil, attributes: attributes)
        let statistics = try MeasuredStage.codes.measure {
          try writeChunks(of: picture, alpha, to: file) { AtomicFile.startWriting(descriptor) }
        }
        try file.finish()
        return WrittenFile(
          at: destination, byteCount: Int(lseek(descriptor, 0, SEEK_END)), size: size,
          statistics: statistics)
      }
    }
  }

  private func writeChunks<State>(
    of picture: some PixelSource<State>, _ alpha: AlphaPlane?, to file: EXREncoder,
    startWriting: @Sendable () -> Void
  ) throws -> ContentLightStatistics {
    let lines = file.linesPerPart
    let bands = PictureBands(picture, unit: lines, workers: workers)
    let encoders = try (0..<bands.workers).map { _ in
      try EXRBandEncoder(
        file, FloatSamples(depth: settings.floatDepth), alpha, width: picture.size.width)
    }
    let memory = BandMemory(byteCount: file.bound(lines: bands.rows))
    return try unsafe bands.write(partRows: lines, memory: memory, startWriting: startWriting) {
      band, worker in
      try encoders[worker].encode(band, memory: memory)
    } _: { _, bytes throws(CodecError) in
      try unsafe file.write(UnsafeRawBufferPointer(bytes))
    }
  }

  private var coding: EXREncoder.Compression {
    switch settings.exrCompression {
    case .none: .none
    case .zips: .zips
    case .zip: .zip
    case .piz: .piz
    case .dwaa: .dwaa(settings.exrLevel)
    case .dwab: .dwab(settings.exrLevel)
    }
  }
}

/// Encodes bands of linear values as parts of a file. One instance per thread, with its own memory.
final class EXRBandEncoder: @unchecked Sendable {
  private let lines: Int
  private let samples: FloatSamples
  private let alpha: AlphaPlane?
  private let channels: Int
  private let width: Int
  private let tileSize: Int
  private let compressor: EXRCompressor
  /// The lines of a part, or of a row of tiles.
  private let packed: BandMemory.Block
  /// A tile of them.
  private let tile: BandMemory.Block?

  init(
    _ file: EXREncoder, _ samples: FloatSamples, _ alpha: AlphaPlane?, width: Int
  ) throws {
    (lines, self.samples, self.width) = (file.linesPerPart, samples, width)
    (self.alpha, channels) = (alpha, file.channels)
    compressor = try EXRCompressor(file)
    packed = try BandMemory.Block(byteCount: lines * channels * width * samples.bytes)
    let tileBytes = channels * samples.bytes
    tile = try file.tileSize.map { side throws(PixelError) in
      try BandMemory.Block(byteCount: side * side * tileBytes)
    }
    tileSize = file.tileSize ?? width
  }

  /// Encodes the parts of `band` in a block of `memory`.
  func encode(_ band: PictureBand, memory: BandMemory) throws -> EncodedBand {
    let statistics = band.rollOff(nil)
    let block = try memory.take()
    let planeBytes = width * samples.bytes
    var partBytes: [Int] = []
    var used = 0
    for first in stride(from: 0, to: band.rect.height, by: lines) {
      let rows = first..<min(first + lines, band.rect.height)
      for y in rows { pack(band, y, at: (y - first) * channels * planeBytes) }
      for left in stride(from: 0, to: width, by: tileSize) {
        let columns = min(tileSize, width - left)
        let part = unsafe pixels(left, columns, rows.count)
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: block.bytes[used...])
        let made = try MeasuredStage.encode.measure { () throws(CodecError) in
          try unsafe compressor.compress(
            part, x: left, y: band.rect.y + first, width: columns, into: rest)
        }
        partBytes.append(made)
        used += made
      }
    }
    return EncodedBand(block: block, partBytes: partBytes, statistics: statistics)
  }

  /// The packed lines, or of a tile its columns of them.
  private func pixels(_ left: Int, _ columns: Int, _ rows: Int) -> UnsafeRawBufferPointer {
    let count = rows * channels * columns * samples.bytes
    guard let tile, let source = unsafe packed.bytes.baseAddress,
      let target = unsafe tile.bytes.baseAddress
    else { return unsafe UnsafeRawBufferPointer(rebasing: packed.bytes[..<count]) }
    for row in 0..<(channels * rows) {
      unsafe (target + row * columns * samples.bytes).copyMemory(
        from: source + (row * width + left) * samples.bytes, byteCount: columns * samples.bytes)
    }
    return unsafe UnsafeRawBufferPointer(rebasing: tile.bytes[..<count])
  }

  /// Packs line `y` of `band` at a byte: channels in the order of their names.
  private func pack(_ band: PictureBand, _ y: Int, at start: Int) {
    guard let base = unsafe packed.bytes.baseAddress else { return }
    unsafe alpha?.withRow(x: 0, y: band.rect.y + y, count: width) { row in
      unsafe samples.store(row, count: width, into: base + start)
    }
    for piece in band.pieces {
      let rows = piece.rows(y)
      for (index, row) in [rows.blue, rows.green, rows.red].enumerated() {
        let column = (channels - 3 + index) * width + piece.columns.lowerBound
        unsafe samples.store(row, into: base + start + column * samples.bytes)
      }
    }
  }
}
