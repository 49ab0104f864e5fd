public import Formats
import Foundation
public import ImageCore
import Synchronization

/// Writes linear values as an array of numbers for programs that compute, 1.0 = reference white, in
/// the picture's primaries, little-endian, without metadata: as a file of NumPy, or as bare planes.
///
/// NPY (NEP 1, format version 1.0): rows × columns × 3 in C order, the header padded to a multiple
/// of 64 bytes so that the array can be mapped. Planes: all rows of red, then of green, then of
/// blue, and nothing else; the size is in the report. NaN and infinities are never written
/// (`FloatSamples`). The complete picture is never in memory.
public struct ArrayWriter: PictureWriter {
  /// NPY and planes.
  public static let containers = [EncoderSettings.Container.npy, .planes]

  /// How pictures are encoded.
  public let settings: EncoderSettings
  private let workers: Int
  private var isNPY: Bool { settings.container == .npy }

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  public init(_ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers)
    throws(WriteError)
  {
    try Self.check(settings)
    (self.settings, self.workers) = (settings, max(workers, 1))
  }

  /// In the picture's own primaries; the file holds no metadata.
  public func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile {
    try write(picture.picture, to: destination)
  }

  /// Writes `picture` to `destination`, completely or not at all. Throws `WriteError`:
  /// `.unsupportedSize`, `.exists`, `.isInput`, `.cannotWrite` or `.diskFull`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, to destination: OutputDestination
  ) throws -> WrittenFile {
    let (size, path) = (picture.size, destination.name)
    try WriteError.checkArray(size, kind: "an array", path: path)
    let depth = settings.floatDepth
    let header = isNPY ? Self.header(size, depth) : []
    let rowBytes = 3 * size.width * depth.rawValue / 8
    let byteCount = header.count + rowBytes * size.height
    let content = OutputContent(settings.container, of: picture.info.sources)
    return try destination.file(content) { descriptor in
      AtomicFile.reserve(byteCount, for: descriptor)
      try AtomicFile.append(header, to: descriptor, path: path)
      let statistics = try MeasuredStage.codes.measure {
        try writeRows(of: picture, rowBytes: rowBytes, to: descriptor, path)
      }
      return WrittenFile(
        at: destination, byteCount: byteCount, size: size, statistics: statistics)
    }
  }

  /// The header of an array of this size.
  static func header(_ size: PixelSize, _ depth: FloatDepth) -> [UInt8] {
    let type = depth == .half ? "<f2" : "<f4"
    var text =
      "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(size.height), \(size.width), 3), }"
    let prefix: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0]
    // With its own length, and the line break at the end.
    let taken = prefix.count + 2 + text.utf8.count + 1
    text += String(repeating: " ", count: (64 - taken % 64) % 64) + "\n"
    let count = text.utf8.count
    return prefix + [UInt8(count & 255), UInt8(count >> 8)] + Array(text.utf8)
  }

  private func writeRows(
    of picture: some PixelSource<DisplayReferred>, rowBytes: Int, to descriptor: Int32,
    _ path: String
  ) throws -> ContentLightStatistics {
    let (size, samples) = (picture.size, FloatSamples(depth: settings.floatDepth))
    let bands = PictureBands(picture, workers: workers)
    let memory = BandMemory(byteCount: bands.rows * rowBytes)
    let total = Mutex(ContentLightStatistics())
    let planeBytes = size.width * size.height * samples.bytes
    try bands.forEach { band, _ in
      let block = try memory.take()
      let statistics = band.rollOff(nil)
      store(band, samples, in: block, rowBytes: rowBytes)
      return (block, band.rect, statistics)
    } consume: { _, band in
      let (block, rect, statistics) = band
      let used = unsafe UnsafeRawBufferPointer(rebasing: block.bytes[..<(rect.height * rowBytes)])
      try MeasuredStage.write.measure {
        guard !isNPY else {
          return try unsafe AtomicFile.append(used, to: descriptor, path: path)
        }
        let part = used.count / 3
        for plane in 0..<3 {
          let start = plane * planeBytes + rect.y * rowBytes / 3
          guard lseek(descriptor, off_t(start), SEEK_SET) == off_t(start) else {
            throw AtomicFile.failure("cannot write the file", path: path)
          }
          try unsafe AtomicFile.append(
            UnsafeRawBufferPointer(rebasing: used[plane * part..<(plane + 1) * part]),
            to: descriptor, path: path)
        }
      }
      memory.giveBack(block)
      total.withLock { $0.add(statistics) }
    }
    return total.withLock { $0 }
  }

  /// Stores the pixels of `band` as in the file, as consecutive planes.
  private func store(
    _ band: PictureBand, _ samples: FloatSamples, in block: BandMemory.Block, rowBytes: Int
  ) {
    guard let start = unsafe block.bytes.baseAddress else { return }
    let (lineBytes, height) = (rowBytes / 3, band.rect.height)
    for piece in band.pieces {
      let column = piece.columns.lowerBound * samples.bytes
      for y in 0..<height {
        let rows = piece.rows(y)
        guard !isNPY else {
          unsafe samples.interleave(rows, into: start + y * rowBytes + 3 * column)
          continue
        }
        for plane in 0..<3 {
          let line = (plane * height + y) * lineBytes
          unsafe samples.store(rows[plane], into: start + line + column)
        }
      }
    }
  }
}

extension WriteError {
  /// Throws for a size that no array has.
  static func checkArray(_ size: PixelSize, kind: String, path: String) throws(WriteError) {
    let sides = 1...PixelSize.largestSide
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw WriteError(
        .unsupportedSize, "\(kind) has 1…\(sides.upperBound) columns and rows, not \(size)",
        path: path)
    }
  }
}
