import Containers
import ImageCore

/// Fujifilm's compressed RAFs, lossless and lossy, Bayer and X-Trans: strips of 768 columns,
/// decoded on all workers.
///
/// LibRaw stays the source of sizes, margins, pattern and levels; its decoder is never reached,
/// since that of 0.20 and 0.21 ends the process over a damaged strip. Measured 24 MP mosaic, one
/// thread: 1.6 times as fast as LibRaw 0.20 (`Docs/camera-containers.md`).
struct FujifilmRawDecoder: RawStorageDecoder {
  /// The start of the header of the samples; nil where it was not found.
  private let start: Int?

  /// Nil when the file is not compressed: LibRaw would not decode it as such, and no sound header
  /// stands where the samples begin.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ facts: LibRawFacts) {
    start = RAFMosaic(file)?.start
    let header = start.flatMap { FujifilmHeader(file, at: $0) }
    guard facts.decoder.hasPrefix("fuji_compressed") || header != nil else { return nil }
  }

  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData? {
    let (file, facts) = (request.file, request.facts)
    let area = facts.visibleArea
    guard let header = start.flatMap({ FujifilmHeader(file, at: $0) }),
      header.size == facts.storedArea.size, !area.isEmpty, facts.storedArea.contains(area),
      case .mosaic(let pattern) = request.layout,
      let mosaic = FujifilmMosaic(header, file, pattern: pattern, from: area)
    else { throw .contradictingHeader(file) }
    return try SensorData.decoded(request) { windows throws(PixelError) in
      try mosaic.decode(into: windows, workers: request.workers, clock: file.clock)
    }
  }
}

/// A compressed mosaic whose strips are known to lie within the file.
struct FujifilmMosaic: Sendable {
  private let header: FujifilmHeader
  private let strips: [FujifilmHeader.Strip]
  /// Where the samples of six rows are among the lines of a strip.
  private let places: [UInt16]

  /// The mosaic of `header` in `file`, whose filters are those of `pattern` from the first pixel of
  /// `area` on; nil when one contradicts the other or strips are missing.
  init?(_ header: FujifilmHeader, _ file: FileBytes, pattern: CFA, from area: PixelRect) {
    let side = header.isXTrans ? 6 : 2
    guard pattern.width == side, pattern.height == side, pattern.channelCount <= 3,
      let strips = header.contents(of: file)
    else { return nil }
    (self.header, self.strips) = (header, strips)
    let whole = pattern.shifted(x: side - area.x % side, y: side - area.y % side)
    places = FujifilmStrip.places(header, pattern: whole)
  }

  /// Decodes what lies in `windows`. False when a strip is damaged, or `clock` is over.
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

  /// Copies what `window` wants of the six rows in `lines`, the strip's first column being `left`.
  private func copy(_ lines: CodeRowView, _ group: Int, _ left: Int, to window: MosaicWindow) {
    let area = window.area
    let columns = (area.x..<area.endX).clamped(to: left..<left + FujifilmHeader.strip)
    guard !columns.isEmpty else { return }
    let top = group * FujifilmHeader.group
    let places = places.span
    for y in (area.y..<area.endY).clamped(to: top..<top + FujifilmHeader.group) {
      let target = window.target(columns.lowerBound, y)
      let first = (y - top) * FujifilmHeader.strip + columns.lowerBound - left
      for i in 0..<columns.count {
        target[i] = lines[unsafe Int(places[unchecked: first &+ i])]
      }
    }
  }
}
