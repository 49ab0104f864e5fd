import ImageCore
import RawDecode

/// A digest of the picture after one stage: equal digests mean bit-identical pixels, independent of
/// rectangles and threads.
package struct StageDigest: Sendable, Hashable {
  /// The stage, as `rawdev bench` names it; the second occurrence, in blended renditions, has a
  /// number.
  package let stage: String
  /// 16 hexadecimal digits of ``XXH64``.
  package let xxh64: String

  /// The picture `image` after `stage`.
  init<State: ImageState>(_ stage: String, _ image: Image<State>, workers: Int) throws(PixelError) {
    try self.init(stage, size: image.size, rows: image.size.height, workers: workers) { y in
      (0..<3).reduce(0) { hash, plane in
        image.withRow(plane, y) { row in row.withUnsafeBytes { XXH64.hash($0, seed: hash) } }
      }
    }
  }

  /// The stored samples `data` after `stage`, with their levels.
  init(_ stage: String, _ data: SensorData, workers: Int) throws(PixelError) {
    let (samples, levels) = (data.samples, data.levels)
    let columns = data.size.width * data.samplesPerPixel
    // The row after the last holds the levels.
    try self.init(stage, size: data.size, rows: data.size.height + 1, workers: workers) { y in
      if y == data.size.height { return levels.hash }
      switch samples.format {
      case .uint16:
        return XXH64.hash(UnsafeRawBufferPointer(start: samples.counts(row: y), count: columns * 2))
      case .float32:
        return XXH64.hash(UnsafeRawBufferPointer(start: samples.floats(row: y), count: columns * 4))
      }
    }
  }

  /// The hash of the shape and of the hashes of `rows` rows, which are computed on any thread.
  private init(
    _ stage: String, size: PixelSize, rows: Int, workers: Int, _ hash: @Sendable (Int) -> UInt64
  ) throws(PixelError) {
    let shape = [size.width, size.height].map { UInt64($0) }
    let hashes = try Parallel.map(count: rows, workers: workers, hash)
    self.stage = stage
    xxh64 = (shape + hashes).withUnsafeBytes { XXH64.hash($0) }.hexadecimal
  }
}

extension SensorLevels {
  /// A hash of everything that affects pixels.
  fileprivate var hash: UInt64 {
    let counts = [
      patternWidth, patternHeight, black.count, deltaColumn.count, deltaRow.count, curves.count,
      endsAtWhite ? 1 : 0,
    ]
    let numbers = [black, deltaColumn, deltaRow, (0..<4).map { scale[$0] }] + curves
    return numbers.reduce(counts.withUnsafeBytes { XXH64.hash($0) }) { hash, row in
      row.withUnsafeBytes { XXH64.hash($0, seed: hash) }
    }
  }
}
