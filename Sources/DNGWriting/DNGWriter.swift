import Codecs
import Containers
package import Formats
import Foundation
package import ImageCore
package import RawDecode

/// Writes a raw as DNG: the samples as stored, borders included, with all metadata of the raw (DNG
/// 1.4; `Docs/for-archives.md`).
///
/// The samples are decoded once and encoded tile by tile on all threads; the file is written
/// sequentially, and is never completely in memory. The same raw and settings give the same bytes
/// for any number of threads.
package struct DNGWriter: Sendable {
  /// The result of writing.
  package struct Written: Sendable {
    /// Columns and rows of the raw picture, borders included.
    package let size: PixelSize
    package let byteCount: Int
    /// The complete file, if it was written to memory.
    package let contents: [UInt8]?
    package let compression: DNGSettings.Compression
    /// Whether the samples were read again and compared.
    package let isVerified: Bool
    /// Warnings about lost data, one sentence each.
    package let notes: [String]
  }

  package let raw: RawFile
  package let settings: DNGSettings

  /// Replaces the raw's own samples.
  private let linear: LinearPicture?

  /// Throws if the samples of the raw cannot be stored with the requested compression. `linear`
  /// replaces the raw's own samples.
  package init(
    _ raw: RawFile, _ settings: DNGSettings, linear: LinearPicture? = nil
  ) throws(WriteError) {
    (self.raw, self.settings, self.linear) = (raw, settings, linear)
    let isFloat =
      linear.map { $0.data.samples.format == .float32 }
      ?? (raw.tags?.storage.format == .float32)
    func refuse(_ what: String) -> WriteError {
      WriteError(.badSetting, what, path: raw.bytes.path)
    }
    if settings.compression == .deflate, !isFloat {
      throw refuse(
        "Deflate is for floating point in DNGs (DNG 1.7.1, chapter 3), and these samples are "
          + "integers; use lossless JPEG")
    }
    if settings.distance > 0, settings.compression != .jpegXL || isFloat {
      throw refuse(
        "a distance requires integers in JPEG XL; use JPEG XL, and integers")
    }
    if settings.distance > 0, linear == nil, !raw.linearizationTable.isEmpty {
      throw refuse(
        "a distance is meaningless for this raw, whose samples are codes of a LinearizationTable; "
          + "omit it, or use linear integers")
    }
    guard (0...DNGSettings.maxDistance).contains(settings.distance),
      (1...9).contains(settings.effort)
    else { throw refuse("distance must be 0…\(DNGSettings.maxDistance) and effort 1…9") }
  }

  /// The MD5 of the source file of `dng`, from its XMP, else from its RawDataUniqueID: XMP that
  /// cannot be edited lacks it. Nil if neither has it.
  package static func sourceDigest(of dng: RawFile) -> [UInt8]? {
    if let named = dng.metadata.xmp.flatMap({ XMPSourceReference.md5(in: $0) }) { return named }
    let unique = dng.tiff?.first[DNGTag.rawDataUniqueID]?.bytes
    return unique?.count == 16 ? unique : nil
  }

  /// The rendition of that source in `dng`; empty if all samples are unchanged.
  package static func rendition(of dng: RawFile) -> String {
    dng.metadata.xmp.map { XMPSourceReference.rendition(in: $0) } ?? ""
  }

  /// Whether `dng` was written by rawdev.
  package static func isOwn(_ dng: RawFile) -> Bool {
    dng.tags != nil
      && dng.tiff?.first[TIFFTag.software]?.text?.begins(with: RawdevVersion.name) == true
  }

  /// Writes the DNG to `destination`, completely or not at all. `name`: file name of the source,
  /// which is stored; `digest`: MD5 of the source, if known; `rendition`: description of the
  /// rendition, empty if all samples are unchanged; `metadata`: replaces the raw's metadata;
  /// `baselineExposure`: stops for a raw without such a statement; `noise`: NoiseProfile for a raw
  /// without one; `progress` gets the completed fraction, 0…1.
  package func write(
    to destination: OutputDestination, name: String, previews: DNGPreviews, digest: [UInt8]? = nil,
    rendition: String = "", metadata: CaptureMetadata? = nil, baselineExposure: Double? = nil,
    noise: [(scale: Double, offset: Double)] = [], progress: @Sendable (Double) -> Void = { _ in }
  ) throws -> Written {
    let file = OutputContent(
      .dng, of: raw.sources,
      source: digest.map {
        SourcePicture(
          document: XMPSourceReference.document(md5: $0), capture: raw.metadata.capture)
      })
    try destination.check(file)
    let path = destination.name
    var data = try linear?.data ?? raw.decodeStored(workers: settings.workers)
    let shift = settings.isLossy ? LossyScale.shift(data, raw, isLinear: linear != nil) : 0
    data = try LossyScale.scaled(data, by: shift)
    // The half floats that libjxl decodes need not be exact half floats.
    let storage = raw.tags.flatMap {
      $0.storage.compression == TIFFTag.Compression.jpegXL ? nil : $0.storage
    }
    let chunks = RawChunks(
      data,
      isHalf: linear?.isHalf ?? (storage?.isFloat == true && storage?.bitsPerSample == 16),
      shift: shift, settings: settings, bigEndian: raw.tiff?.bigEndian ?? false)
    let content = try DNGContent(
      raw, chunks,
      DNGContent.SourceInfo(
        name: name, digest: digest ?? raw.bytes.md5, rendition: rendition, previews: previews,
        metadata: metadata ?? raw.metadata, baselineExposure: baselineExposure, noise: noise),
      linear: linear, workers: settings.workers)
    // All data copied from the source have been read.
    try raw.bytes.checkReading()
    let document = content.document
    let (byteCount, contents) = try destination.write(file) { descriptor in
      let count = try write(document, to: descriptor, path: path, progress)
      if settings.verifies {
        try DNGVerification(
          info: linear?.info ?? raw.info, data: data,
          table: linear == nil ? raw.linearizationTable : [],
          distance: settings.isLossy ? settings.distance : 0, limits: raw.limits,
          // Interleaved fields are decoded together.
          band: chunks.isInterleaved ? data.size.height : chunks.tile.height,
          workers: settings.workers
        ).check(descriptor, path: path, source: raw.bytes.path)
      }
      return count
    }
    return Written(
      size: data.size, byteCount: byteCount, contents: contents, compression: chunks.compression,
      isVerified: settings.verifies, notes: content.notes)
  }

  /// Number of chunks encoded at a time, for each thread.
  private static let chunksOfThread = 8

  private func write(
    _ document: DNGDocument, to descriptor: Int32, path: String,
    _ progress: (Double) -> Void
  ) throws -> Int {
    var ranges = document.emptyRanges
    let head = document.bytes(ranges)
    try AtomicFile.append(head, to: descriptor, path: path)
    var position = head.count
    func append(_ bytes: [UInt8]) throws -> DNGDocument.ChunkRange {
      let range = DNGDocument.ChunkRange(offset: position, bytes: bytes.count)
      let padded = bytes.count % 2 == 0 ? bytes : bytes + [0]
      position += padded.count
      // Offsets of a TIFF have 32 bits.
      guard position < 1 << 32 else {
        throw WriteError(
          .unsupportedSize, "the DNG would be larger than the 4 GB that its offsets reach",
          path: path)
      }
      try AtomicFile.append(padded, to: descriptor, path: path)
      return range
    }
    for (index, directory) in document.directories.enumerated() {
      switch directory.chunks {
      case .none, .raw: break
      case .bytes(let parts):
        for (part, bytes) in parts.enumerated() { ranges[index][part] = try append(bytes) }
      case .source(let parts):
        for (part, range) in parts.enumerated() {
          ranges[index][part] = try append(raw.bytes.bytes(range.offset, range.bytes) ?? [])
        }
      }
    }
    for (index, directory) in document.directories.enumerated() {
      guard case .raw(let chunks) = directory.chunks else { continue }
      let together = max(settings.workers * Self.chunksOfThread, 1)
      for first in stride(from: 0, to: chunks.count, by: together) {
        let count = min(together, chunks.count - first)
        let coded = try Parallel.map(count: count, workers: settings.workers) { part in
          Result { () throws(CodecError) in try chunks.bytes(first + part) }
        }
        for (part, result) in coded.enumerated() {
          switch result {
          case .success(let bytes): ranges[index][first + part] = try append(bytes)
          case .failure(let error):
            throw WriteError(.encoderFailed, error.message, path: path)
          }
        }
        progress(Double(first + count) / Double(chunks.count))
      }
    }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw AtomicFile.failure("cannot go back to the start of the file", path: path)
    }
    try AtomicFile.append(document.bytes(ranges), to: descriptor, path: path)
    return position
  }
}
