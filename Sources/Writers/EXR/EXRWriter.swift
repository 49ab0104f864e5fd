import Codecs
import EXRCodec
public import Formats
import Foundation
public import ImageCore

/// Writes OpenEXR files of one part: scan lines of R, G and B, half or single precision, in the
/// picture's primaries, 1.0 = reference white. Both windows start at (0, 0).
///
/// The header has the chromaticities and the adopted neutral of the primaries, 203 cd/m² for 1.0
/// and what is known of the capture, as standard attributes (`EXRAttributes`). NaN and infinities
/// are never written (`FloatSamples`). The picture is read band by band, compressed in parallel and
/// never in memory as a whole; the file has the same bytes for any number of workers.
public struct EXRWriter: Sendable, Hashable {
  /// Bits of a sample.
  public let depth: FloatDepth
  /// Compression of the chunks.
  public let compression: EXRCompression
  /// Threads that read and compress.
  public let workers: Int

  /// A writer of such files.
  public init(
    depth: FloatDepth = .half, compression: EXRCompression = .zip,
    workers: Int = Parallel.defaultWorkers
  ) {
    (self.depth, self.compression, self.workers) = (depth, compression, max(workers, 1))
  }

  /// Writes `picture` to `path`, completely or not at all. Throws `WriteError`: `.unsupportedSize`,
  /// `.cannotWrite`, `.diskFull` or `.encoderFailed`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    to path: String
  ) throws -> WrittenFile {
    try write(picture, in: picture.info.primaries, metadata: metadata, to: path)
  }

  /// Writes scene-linear values, before any rendering, likewise.
  public func write(
    _ scene: some PixelSource<SceneLinear>, metadata: CaptureMetadata = CaptureMetadata(),
    to path: String
  ) throws -> WrittenFile {
    try write(scene, in: .bt2020, metadata: metadata, to: path)
  }

  private func write<State>(
    _ picture: some PixelSource<State>, in primaries: Primaries, metadata: CaptureMetadata,
    to path: String
  ) throws -> WrittenFile {
    let size = picture.size
    try WriteError.checkArray(size, kind: "an OpenEXR", path: path)
    let attributes = EXRAttributes(metadata, primaries).values
    return try AtomicFile.write(to: path) { descriptor in
      try WriteError.encoding(to: path) {
        let file = try EXREncoder(
          descriptor: descriptor, path: path, width: size.width, height: size.height,
          compression: compression.coding, isHalf: depth == .half, attributes: attributes)
        let statistics = try MeasuredStage.codes.measure {
          try writeChunks(of: picture, to: file) { AtomicFile.startWriting(descriptor) }
        }
        try file.finish()
        return WrittenFile(
          path: path, byteCount: Int(lseek(descriptor, 0, SEEK_END)), size: size,
          statistics: statistics)
      }
    }
  }

  private func writeChunks<State>(
    of picture: some PixelSource<State>, to file: EXREncoder, startWriting: @Sendable () -> Void
  ) throws -> ContentLightStatistics {
    let lines = file.linesPerChunk
    let bands = PictureBands(picture, unit: lines, workers: workers)
    let lineBytes = 3 * picture.size.width * FloatSamples(depth: depth).bytes
    let encoders = try (0..<bands.workers).map { _ in
      try EXRBandEncoder(file, FloatSamples(depth: depth), width: picture.size.width)
    }
    let memory = BandMemory(byteCount: bands.rows * lineBytes)
    return try unsafe bands.write(partRows: lines, memory: memory, startWriting: startWriting) {
      band, worker in
      try encoders[worker].encode(band, memory: memory)
    } _: { row, bytes throws(CodecError) in
      try unsafe file.writeChunk(row, UnsafeRawBufferPointer(bytes))
    }
  }
}

/// Encodes bands of linear values as chunks. One instance per thread, with its own memory.
final class EXRBandEncoder: @unchecked Sendable {
  private let lines: Int
  private let samples: FloatSamples
  private let width: Int
  private let compressor: EXRCompressor
  private let chunk: BandMemory.Block

  init(_ file: EXREncoder, _ samples: FloatSamples, width: Int) throws(CodecError) {
    (lines, self.samples, self.width) = (file.linesPerChunk, samples, width)
    compressor = try EXRCompressor(file)
    chunk = BandMemory.Block(byteCount: lines * 3 * width * samples.bytes)
  }

  /// Encodes the chunks of `band` in a block of `memory`.
  func encode(_ band: PictureBand, memory: BandMemory) throws -> EncodedBand {
    let statistics = band.rollOff(nil)
    let block = memory.take()
    let planeBytes = width * samples.bytes
    var chunkBytes: [Int] = []
    var used = 0
    for first in stride(from: 0, to: band.rect.height, by: lines) {
      let rows = first..<min(first + lines, band.rect.height)
      for y in rows { pack(band, y, at: (y - first) * 3 * planeBytes) }
      let packed = unsafe UnsafeRawBufferPointer(
        rebasing: chunk.bytes[..<(rows.count * 3 * planeBytes)])
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: block.bytes[used...])
      let made = try MeasuredStage.encode.measure { () throws(CodecError) in
        try unsafe compressor.compress(packed, y: band.rect.y + first, into: rest)
      }
      chunkBytes.append(made)
      used += made
    }
    return EncodedBand(block: block, partBytes: chunkBytes, statistics: statistics)
  }

  /// Stores line `y` of `band` at a byte of the chunk: channels in the order of their names.
  private func pack(_ band: PictureBand, _ y: Int, at start: Int) {
    guard let base = unsafe chunk.bytes.baseAddress else { return }
    for piece in band.pieces {
      let rows = piece.rows(y)
      for (index, row) in [rows.blue, rows.green, rows.red].enumerated() {
        let column = index * width + piece.columns.lowerBound
        unsafe samples.store(row, into: base + start + column * samples.bytes)
      }
    }
  }
}

extension EXRCompression {
  fileprivate var coding: EXREncoder.Compression {
    switch self {
    case .none: .none
    case .zips: .zips
    case .zip: .zip
    case .piz: .piz
    }
  }
}
