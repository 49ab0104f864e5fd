package import ImageCore
import Synchronization

/// Decoder output for the sensor stages: the stored samples of the active area, unchanged, and the
/// levels that linearize them.
package struct SensorData: Sendable {
  /// Arrangement of the samples.
  package enum Layout: Sendable, Hashable {
    /// One sample a pixel under a color filter.
    case mosaic(CFA)
    /// One sample a pixel, no filter.
    case monochrome
    /// Three samples a pixel, already demosaiced (linear DNG, ProRAW).
    case linear
  }

  /// Columns and rows of the active area.
  package let size: PixelSize
  package let layout: Layout
  package let samples: RawSamples
  package let levels: SensorLevels
  /// Gains that are applied after the treatment of saturated samples.
  package var gains: SensorGains?

  package init(size: PixelSize, layout: Layout, samples: RawSamples, levels: SensorLevels) {
    self.size = size
    self.layout = layout
    self.samples = samples
    self.levels = levels
  }

  /// Samples per pixel.
  package var samplesPerPixel: Int { layout == .linear ? 3 : 1 }
}

/// The stored samples, row by row, samples of a pixel interleaved. Immutable after initialization,
/// except that rows can be released.
@safe package final class RawSamples: @unchecked Sendable {
  package enum Format: Sendable {
    case uint16, float32

    /// Bytes per sample.
    package var bytes: Int { self == .uint16 ? 2 : 4 }
  }

  package let format: Format
  /// Distance between rows, in samples.
  package let stride: Int
  package let rows: Int
  private let storage: UnsafeMutableRawPointer
  private let passed = Atomic<Int>(0)  // released rows
  private var byteCount: Int { stride * rows * format.bytes }

  private init(_ format: Format, _ stride: Int, _ rows: Int) throws(PixelError) {
    self.format = format
    self.stride = stride
    self.rows = rows
    unsafe storage = try PixelMemory.allocate(bytes: stride * rows * format.bytes)
  }

  /// `rows` rows of `stride` samples, written by `fill`, without padding.
  package convenience init<Sample: RawSample>(
    of kind: Sample.Type, stride: Int, rows: Int,
    fill: (SampleRow<Sample>) throws(PixelError) -> Void
  ) throws(PixelError) {
    try self.init(Sample.format, stride, rows)
    try fill(
      unsafe SampleRow(
        storage.assumingMemoryBound(to: Sample.self), count: stride * rows, before: 0, behind: 0))
  }

  /// A copy modified by `change`, which gets all samples in one buffer; `kind` is their type.
  package func changed<Sample: RawSample>(
    of kind: Sample.Type, _ change: (SampleRow<Sample>) throws(PixelError) -> Void
  ) throws(PixelError) -> RawSamples {
    precondition(Sample.format == format)
    return try RawSamples(of: kind, stride: stride, rows: rows) { target throws(PixelError) in
      unsafe UnsafeMutableRawPointer(target.start).copyMemory(from: storage, byteCount: byteCount)
      try change(target)
    }
  }

  /// Number of rows whose memory was released.
  package var forgotten: Int { passed.load(ordering: .relaxed) }

  /// Releases the memory of the rows above `row`, which must not be read afterwards.
  package func forget(above row: Int) {
    let (first, end) = (forgotten, min(row, rows))
    // Few, large ranges.
    guard end >= first + Self.forgottenTogether || (end == rows && end > first) else { return }
    passed.max(end, ordering: .relaxed)
    let rowBytes = stride * format.bytes
    unsafe PixelMemory.forget(storage + first * rowBytes, bytes: (end - first) * rowBytes)
  }

  private static let forgottenTogether = 64

  deinit { unsafe PixelMemory.deallocate(storage, bytes: byteCount) }

  /// First sample of row `y`; only for `.uint16`.
  package func counts(row y: Int) -> UnsafePointer<UInt16> {
    precondition(format == .uint16 && y >= forgotten && y < rows)
    return unsafe UnsafePointer(storage.assumingMemoryBound(to: UInt16.self) + y * stride)
  }

  /// First sample of row `y`; only for `.float32`.
  package func floats(row y: Int) -> UnsafePointer<Float> {
    precondition(format == .float32 && y >= forgotten && y < rows)
    return unsafe UnsafePointer(storage.assumingMemoryBound(to: Float.self) + y * stride)
  }

  /// A copy of the samples in `columns` of `rows`.
  func part(columns: Range<Int>, rows: Range<Int>) throws(PixelError) -> RawSamples {
    let part = try RawSamples(format, columns.count, rows.count)
    let rowBytes = part.stride * format.bytes
    for y in 0..<rows.count {
      let first = ((rows.lowerBound + y) * stride + columns.lowerBound) * format.bytes
      unsafe (part.storage + y * rowBytes).copyMemory(from: storage + first, byteCount: rowBytes)
    }
    return part
  }
}

/// A type of stored samples.
package protocol RawSample: BitwiseCopyable, Sendable {
  static var format: RawSamples.Format { get }
}

extension UInt16: RawSample {
  package static var format: RawSamples.Format { .uint16 }
}

extension Float: RawSample {
  package static var format: RawSamples.Format { .float32 }
}

/// Black and white of a sensor, in the units of its stored samples.
///
/// A stored value v in channel c at column x, row y of the active area has the linear value `(v −
/// black(x, y, sample) − deltaColumn[x] − deltaRow[y]) · scale[c]`: 0 black, 1.0 saturated. Values
/// below black stay negative. DNG 1.7.1 chapter 5; LibRaw gives the same for other raws.
package struct SensorLevels: Sendable, Hashable {
  /// Columns after which `black` repeats.
  package var patternWidth: Int
  /// Rows after which `black` repeats.
  package var patternHeight: Int
  /// In row, column, sample order.
  package var black: [Float]
  /// Added to black for each column; empty for none.
  package var deltaColumn: [Float]
  /// Added to black for each row; empty for none.
  package var deltaRow: [Float]
  /// 1 / (white − highest black) for each channel, four entries.
  package var scale: SIMD4<Float>
  /// Linear value of each of the 65536 codes, for each sample of a pixel, instead of the formula;
  /// empty for none. All channels of a mosaic use the same one.
  package var curves: [[Float]] = []
  /// Whether floats were converted from integers: values above 1.0 then come from gains, and
  /// samples saturate at the white of the integers.
  package var endsAtWhite = false
  /// Origin of black.
  package var blackOrigin = FactOrigin.file
  /// Origin of white.
  package var whiteOrigin = FactOrigin.file

  package init(
    patternWidth: Int, patternHeight: Int, black: [Float], deltaColumn: [Float] = [],
    deltaRow: [Float] = [], scale: SIMD4<Float>
  ) {
    self.patternWidth = patternWidth
    self.patternHeight = patternHeight
    self.black = black
    self.deltaColumn = deltaColumn
    self.deltaRow = deltaRow
    self.scale = scale
  }
}
