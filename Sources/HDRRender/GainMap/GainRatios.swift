import CKernels
import ImageCore

/// The gains in stops between two renditions, for a map of full or half size, with their histograms
/// and the content light levels of both renditions. Computed in bands on several threads; the same
/// bits for any number of them.
struct GainRatios: Sendable {
  private static let bandRows = 64

  /// Columns and rows of the map.
  let size: PixelSize
  /// Gains in stops, row by row, channels interleaved.
  let values: [Float]
  /// One per channel.
  let histograms: [GainHistogram]
  let standardLight: ContentLightStatistics
  let highLight: ContentLightStatistics

  private struct Band: Sendable {
    var values: [Float] = []
    var standardLight = ContentLightStatistics()
    var highLight = ContentLightStatistics()
  }

  /// Both renditions must have the same size, with a pixel or more.
  init(
    _ settings: GainMapCreation, standard: any PixelSource<DisplayReferred>,
    high: any PixelSource<DisplayReferred>, workers: Int
  ) {
    let full = standard.size
    let isHalf = settings.scale == .half
    let map =
      isHalf ? PixelSize(width: Self.half(full.width), height: Self.half(full.height)) : full
    let channels = settings.kind == .luminance ? 1 : 3
    let rows = LogRatioKernel(
      kind: settings.kind, offset: Float(settings.offset), standard: standard.info, high: high.info)
    let columns = Columns(map.width, in: full.width)
    let pool = BufferPool()
    let bands = Parallel.map(
      count: (map.height + Self.bandRows - 1) / Self.bandRows, workers: workers
    ) { index in
      let first = index * Self.bandRows
      let lines = (first..<min(first + Self.bandRows, map.height)).map {
        AreaTaps($0, of: map.height, in: full.height)
      }
      let (top, end) = (lines[0].first, lines[lines.count - 1].end)
      let rect = PixelRect(x: 0, y: top, width: full.width, height: end - top)
      // A row that two bands read is counted in the first.
      let before = first == 0 ? 0 : AreaTaps(first - 1, of: map.height, in: full.height).end
      let counted = PixelRect(
        x: 0, y: max(before - top, 0), width: full.width, height: end - max(before, top))
      var band = Band()
      pool.withBuffer(rect.size) { a in
        standard.read(rect, into: a)
        band.standardLight.add(a, in: counted)
        pool.withBuffer(rect.size) { b in
          high.read(rect, into: b)
          band.highLight.add(b, in: counted)
          for y in 0..<rect.height { rows.replace(b, by: a, y: y) }
          band.values = [Float](repeating: 0, count: lines.count * map.width * channels)
          for (y, line) in lines.enumerated() {
            for channel in 0..<channels {
              let start = y * map.width * channels + channel
              columns.means(
                of: b, channel, line, top: top, into: &band.values, from: start, channels)
            }
          }
        }
      }
      return band
    }
    size = map
    var values = bands.flatMap(\.values)
    histograms = (0..<channels).map { channel in
      var histogram = GainHistogram()
      for index in stride(from: channel, to: values.count, by: channels) {
        histogram.add(values[index])
      }
      return histogram
    }
    if isHalf {
      GainMapPrefilter.apply(
        &values, width: map.width, height: map.height, channels: channels)
    }
    self.values = values
    standardLight = bands.reduce(into: ContentLightStatistics()) { $0.add($1.standardLight) }
    highLight = bands.reduce(into: ContentLightStatistics()) { $0.add($1.highLight) }
  }

  private static func half(_ count: Int) -> Int { max((count + 1) / 2, 1) }

  /// The pixels that each column of the map covers.
  private struct Columns: Sendable {
    private let areas: [ck_area]
    private let isPairs: Bool

    init(_ count: Int, in pixels: Int) {
      let taps = (0..<count).map { AreaTaps($0, of: count, in: pixels) }
      areas = taps.map(\.kernel)
      isPairs = taps.indices.allSatisfy { taps[$0].isPair($0) }
    }

    /// The means of `channel` over the areas of one line of the map, stored `step` apart from
    /// index `start` on. The buffer's first row is the picture's row `top`.
    func means(
      of buffer: PlanarBuffer, _ channel: Int, _ line: AreaTaps, top: Int,
      into values: inout [Float], from start: Int, _ step: Int
    ) {
      var line = line.kernel
      let row = buffer.row(channel, Int(line.first) - top).start
      values.withUnsafeMutableBufferPointer { values in
        guard let out = values.baseAddress else { return }
        ck_areaMeans(
          &line, areas, isPairs, row, Int64(buffer.stride), out + start, Int64(step),
          Int64(areas.count))
      }
    }
  }
}
