import Containers
import ImageCore

/// Fujifilm's compressed RAFs, lossless and lossy, Bayer and X-Trans: strips of 768 columns,
/// decoded on all workers.
///
/// Sizes, margins, pattern and levels come from LibRaw; its decoder is never used, since in 0.20
/// and 0.21 a damaged strip terminates the process. Measured on a 24 MP mosaic, one thread: 1.6
/// times as fast as LibRaw 0.20 (`Docs/camera-containers.md`).
struct FujifilmRawDecoder: RawStorageDecoder {
  /// Offset of the header of the samples; nil if not found.
  private let start: Int?

  /// Nil if the file is not compressed: LibRaw would not decode it as such, and the samples do not
  /// start with a valid header.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata) {
    start = RAFMosaic(file)?.start
    let header = start.flatMap { FujifilmHeader(file, at: $0) }
    guard metadata.decoder.hasPrefix("fuji_compressed") || header != nil else { return nil }
  }

  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData? {
    let (file, metadata) = (request.file, request.metadata)
    let area = metadata.visibleArea
    guard let header = start.flatMap({ FujifilmHeader(file, at: $0) }),
      header.size == metadata.storedArea.size, !area.isEmpty, metadata.storedArea.contains(area),
      case .mosaic(let pattern) = request.layout,
      let mosaic = FujifilmMosaic(header, file, pattern: pattern, from: area)
    else { throw .contradictingHeader(file) }
    return try SensorData.decoded(request) { windows throws(PixelError) in
      try mosaic.decode(into: windows, workers: request.workers, clock: file.clock)
    }
  }
}

/// A compressed mosaic whose strips lie within the file.
struct FujifilmMosaic: Sendable {
  private let header: FujifilmHeader
  private let strips: [FujifilmHeader.Strip]
  /// Index of each sample of six rows in the line memory of a strip.
  private let positions: [UInt16]

  /// The mosaic of `header` in `file`, with the filters of `pattern` starting at the first pixel of
  /// `area`; nil if they are inconsistent or strips are missing.
  init?(_ header: FujifilmHeader, _ file: FileBytes, pattern: CFA, from area: PixelRect) {
    let side = header.isXTrans ? 6 : 2
    guard pattern.width == side, pattern.height == side, pattern.channelCount <= 3,
      let strips = header.contents(of: file)
    else { return nil }
    (self.header, self.strips) = (header, strips)
    let full = pattern.shifted(x: side - area.x % side, y: side - area.y % side)
    positions = FujifilmStrip.positions(header, pattern: full)
  }

  /// Decodes the area of `windows`. False if a strip is damaged, or `clock` has expired.
  func decode(into windows: [MosaicWindow], workers: Int, clock: DecodeClock) throws(PixelError)
    -> Bool
  {
    let sound = try Parallel.map(count: strips.count, workers: workers) { index in
      guard !clock.isOver, var strip = FujifilmStrip(strips[index], header) else { return false }
      let left = index * FujifilmHeader.strip
      return strip.decode { group, lines in
        for window in windows { copy(lines, group, left, to: window) }
      }
    }
    return sound.allSatisfy { $0 }
  }

  /// Copies the part in `window` of the six rows in `lines`; `left` is the first column of the
  /// strip.
  private func copy(_ lines: CodeRowView, _ group: Int, _ left: Int, to window: MosaicWindow) {
    let area = window.area
    let columns = (area.x..<area.endX).clamped(to: left..<left + FujifilmHeader.strip)
    guard !columns.isEmpty else { return }
    let top = group * FujifilmHeader.group
    let positions = positions.span
    for y in (area.y..<area.endY).clamped(to: top..<top + FujifilmHeader.group) {
      let target = window.target(columns.lowerBound, y)
      let first = (y - top) * FujifilmHeader.strip + columns.lowerBound - left
      for i in 0..<columns.count {
        target[i] = lines[unsafe Int(positions[unchecked: first &+ i])]
      }
    }
  }
}
