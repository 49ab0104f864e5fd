import Containers
import ImageCore

extension TIFFFile {
  /// Whether this is the structure of a Canon CR2 `file`.
  func isCR2(_ file: FileBytes) -> Bool { magic == 42 && file.matches("CR", at: 8) }
}

/// Canon CR2 pictures of full size: one lossless JPEG of 2 or 4 components (ITU-T T.81 annex H,
/// predictor 1), whose samples fill consecutive vertical slices.
///
/// Sizes, margins, pattern, white and masked areas come from LibRaw. Black is the mean of the
/// masked areas for each filter, rounded down, or, if LibRaw names none, of the columns left and
/// right of the visible area, except for 2 next to it and at the left edge: what LibRaw 0.20
/// computes for these files after decoding.
struct CanonRawDecoder: RawStorageDecoder {
  private let chunk: (offset: Int, bytes: Int)
  /// Width of each slice.
  private let slices: [Int]

  /// Canon's tag: number of slices of the first width, that width, the width of the last.
  private static let slicesTag: UInt16 = 50752

  /// Nil for other files and for unusual CR2s such as reduced sizes (sRAW), which LibRaw decodes.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata) {
    guard let tiff, tiff.isCR2(file), metadata.dngVersion == 0,
      metadata.colors == 3, metadata.filters > 1000,
      let raw = tiff.directory(.main(3)), let offset = raw[TIFFTag.stripOffsets]?.integers,
      offset.count == 1,
      let bytes = raw[TIFFTag.stripByteCounts]?.integers, bytes.count == 1, bytes[0] > 0,
      let stream = file.view(offset[0], bytes[0]),
      let widths = raw[Self.slicesTag]?.integers, widths.count == 3,
      (1...64).contains(widths[0]), widths[1] > 0, widths[2] > 0,
      widths[0] * widths[1] + widths[2] == metadata.rawWidth,
      // LibRaw shifts this width by two columns.
      metadata.rawWidth != 3984, metadata.left > 4,
      metadata.left + metadata.width <= metadata.rawWidth,
      metadata.top + metadata.height <= metadata.rawHeight
    else { return nil }
    chunk = (offset[0], bytes[0])
    slices = [Int](repeating: widths[1], count: widths[0]) + [widths[2]]
    guard let header = try? LosslessJPEGHeader(stream, extended: false),
      header.components == 2 || header.components == 4, header.predictor == 1,
      header.samplesPerRow == metadata.rawWidth, header.rows == metadata.rawHeight
    else { return nil }
  }

  /// Throws if a directory of `tiff`, the structure of `file`, has invalid slice widths or widths
  /// of 0: LibRaw 0.20 reads three numbers regardless of type and count, and divides by the second
  /// and the third.
  static func requireSliceWidths(_ tiff: TIFFFile, _ file: FileBytes) throws(RAWError) {
    for directory in tiff.directories {
      let widths = directory[Self.slicesTag].map { $0.integers ?? [] } ?? [0, 0, 0]
      guard
        directory.malformed.contains(Self.slicesTag) || directory[Self.slicesTag]?.type ?? 3 != 3
          || widths.count != 3 || widths[0] != 0 && widths.contains(0)
      else { continue }
      throw RAWError(
        .damaged, .open, "its slice widths are invalid; copy the file again",
        path: file.path)
    }
  }

  /// The samples; nil if the masked columns show no black.
  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData? {
    let (file, metadata) = (request.file, request.metadata)
    let area = metadata.visibleArea
    let output = request.includesBorders ? metadata.storedArea : area
    var black = MaskedBlack(metadata)
    guard let stream = file.view(chunk.offset, chunk.bytes),
      let scan = try? LosslessJPEGScan(stream, extended: false),
      scan.header.samplesPerRow * scan.header.rows == metadata.rawWidth * metadata.rawHeight
    else { throw RAWError.damagedPixels(file) }
    var isSound = false
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(of: UInt16.self, stride: output.width, rows: output.height) { target in
        // Position of the next sample: slice, its first column, column within it, row.
        var (slice, left, x, y) = (0, 0, 0, 0)
        isSound = scan.forEachRow { _, row in
          var taken = 0
          while taken < scan.header.samplesPerRow {
            let count = min(scan.header.samplesPerRow - taken, slices[slice] - x)
            let columns = left + x..<left + x + count
            if y >= output.y, y < output.endY {
              let wanted = columns.clamped(to: output.x..<output.endX)
              if !wanted.isEmpty {
                target.from((y - output.y) * output.width + wanted.lowerBound - output.x).update(
                  from: row.from(taken + wanted.lowerBound - columns.lowerBound),
                  count: wanted.count)
              }
            }
            black.add(row.from(taken), columns, y: y)
            taken += count
            x += count
            if x == slices[slice] { (x, y) = (0, y + 1) }
            if y == metadata.rawHeight {
              left += slices[slice]
              (slice, y) = (slice + 1, 0)
            }
          }
          return slice < slices.count && !file.clock.isOver
        }
      }
    }
    try RAWError.translating(.decode) { () throws(FormatError) in try file.checkReading() }
    guard isSound else { throw RAWError.damagedPixels(file) }
    guard let measured = black.means else { return nil }
    let levels = try CameraLevels.read(
      metadata, layout: request.layout, area: area, measured: measured, path: file.path)
    return SensorData(size: output.size, layout: request.layout, samples: samples, levels: levels)
  }

  /// Sums over the masked areas.
  private struct MaskedBlack {
    private let areas: [PixelRect]
    private let origin: (x: Int, y: Int)
    /// LibRaw's filter index over 8 rows of 2 columns.
    private let filters: [Int]
    private var sums = [0, 0, 0, 0]
    private var counts = [0, 0, 0, 0]
    private var zeros = 0

    init(_ metadata: LibRawMetadata) {
      areas = metadata.maskedAreas
      origin = (metadata.left, metadata.top)
      filters = (0..<16).map { metadata.filter(row: $0 / 2, column: $0 % 2) & 3 }
    }

    mutating func add(_ row: CodeRowView, _ span: Range<Int>, y: Int) {
      for area in areas where area.y <= y && y < area.endY {
        for x in (area.x..<area.endX).clamped(to: span) {
          let value = Int(row[x - span.lowerBound])
          let filter = filters[((y - origin.y) & 7) * 2 + ((x - origin.x) & 1)]
          sums[filter] += value
          counts[filter] += 1
          if value == 0 { zeros += 1 }
        }
      }
    }

    var means: [Double]? {
      guard zeros < counts[0], counts.allSatisfy({ $0 > 0 }) else { return nil }
      return (0..<4).map { Double(sums[$0] / counts[$0]) }
    }
  }
}
