import Containers
import Formats
import ImageCore
import Synchronization

/// A picture coded as baseline JPEG (ITU-T T.81), without application segments.
///
/// TurboJPEG codes complete pictures only. So bands of 64 rows are coded as separate pictures, in
/// parallel, and their scans joined with restart markers: a restart interval of one band is how
/// T.81 codes scans in independent segments. Only the bands in progress and the coded ones are in
/// memory: for each thread 3 (4:4:4: 6) bytes a pixel of up to 256 rows, 6 MB at 8192 columns.
/// Readers may decode the bands in parallel, too.
struct CodedJPEG: Sendable {
  /// Quantization tables, frame header, Huffman tables, restart interval, scan header.
  let tables: [UInt8]
  /// The scan, in segments.
  let scan: [[UInt8]]
  /// Luminance statistics of the encoded values.
  let statistics: ContentLightStatistics

  /// libjpeg's own limit.
  private static let longestSide = 65_500

  /// Renders and codes `picture`. `workers`: maximum threads; they do not change the bytes.
  init(
    _ picture: some PixelSource, coding: JPEGCoding, workers: Int,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws {
    let (size, band) = (picture.size, JPEGCoding.bandHeight)
    guard (1...Self.longestSide).contains(size.width), (1...Self.longestSide).contains(size.height)
    else {
      throw WriteError(
        .unsupportedSize,
        "a JPEG has sides of 1 to \(Self.longestSide), not \(size); write a TIFF or reduce it")
    }
    let runs = PictureBands(
      picture, unit: band, hasRowAbove: coding.encoding.overlap.y > 0, workers: workers)
    let coders = try (0..<runs.workers).map { _ in
      try JPEGBandCoder(coding, width: size.width, rows: min(runs.rows, size.height))
    }
    let state = Mutex((bands: [[UInt8]](), statistics: ContentLightStatistics()))
    try runs.forEach { rows, worker in
      try coders[worker].encode(rows)
    } consume: { index, run in
      state.withLock {
        $0.bands += run.bands
        $0.statistics.add(run.statistics)
      }
      progress?(Double(index + 1) / Double(runs.count))
    }
    let (bands, measured) = state.withLock { $0 }
    statistics = measured
    let parts = try bands.map { (bytes) throws(WriteError) in try JPEGParts(bytes) }
    guard let first = parts.first else { throw JPEGParts.failure }
    tables = first.tables(
      height: size.height, interval: bands.count > 1 ? coding.interval(width: size.width) : nil)
    scan = parts.enumerated().map { index, part in
      let marker = 0xD0 | UInt8(truncatingIfNeeded: index & 7)
      return index + 1 < parts.count ? part.scan + [0xFF, marker] : Array(part.scan)
    }
  }

  /// The file with these segments after SOI.
  func file(_ segments: [UInt8]) -> [[UInt8]] {
    [[0xFF, 0xD8] + segments + tables] + scan + [[0xFF, 0xD9]]
  }

  /// Bytes of the file without segments.
  var byteCount: Int { scan.reduce(tables.count + 4) { $0 + $1.count } }
}

/// The parts of a JPEG that TurboJPEG made.
private struct JPEGParts {
  private var segments: [(marker: UInt8, bytes: ArraySlice<UInt8>)] = []
  /// The entropy-coded data.
  let scan: ArraySlice<UInt8>

  static let failure = WriteError(
    .encoderFailed, "libturbojpeg made no baseline JPEG; check its installation")

  init(_ jpeg: [UInt8]) throws(WriteError) {
    let found = unsafe jpeg.withUnsafeBytes { unsafe Array(JPEGMarkers($0)) }
    guard let last = found.firstIndex(where: { $0.marker == 0xDA }) else { throw Self.failure }
    for part in found[...last] {
      guard part.end >= part.start, part.end + 2 <= jpeg.count else { throw Self.failure }
      // Application segments are written by this module.
      if part.marker & 0xF0 != 0xE0 {
        segments.append((part.marker, jpeg[part.start - 4..<part.end]))
      }
    }
    let at = found[last].end
    guard jpeg[jpeg.count - 2] == 0xFF, jpeg[jpeg.count - 1] == 0xD9 else { throw Self.failure }
    scan = jpeg[at..<(jpeg.count - 2)]
  }

  /// The tables and headers of a picture of `height` rows that starts like this one.
  func tables(height: Int, interval: Int?) -> [UInt8] {
    var out: [UInt8] = []
    for (marker, bytes) in segments {
      if marker == 0xDA, let interval {
        out += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8 & 0xFF), UInt8(interval & 0xFF)]
      }
      var bytes = Array(bytes)
      // The frame header: length, precision, rows.
      if marker == 0xC0, bytes.count > 6 {
        bytes[5] = UInt8(height >> 8 & 0xFF)
        bytes[6] = UInt8(height & 0xFF)
      }
      out += bytes
    }
    return out
  }
}
