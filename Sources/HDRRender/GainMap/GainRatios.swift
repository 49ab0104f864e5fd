import CKernels
import ImageCore
import Synchronization

/// The mean gains in stops over the areas of a map's samples, with their histograms, gathered from
/// the rectangles of a picture in any order, on any thread: the same bits whatever their rows.
///
/// Samples whose area lies in one rectangle are computed at once. For the others, which only odd
/// sizes have, the sums of each row are stored and added in order at the end.
final class GainRatios: @unchecked Sendable {
  /// Columns and rows of the map.
  let size: PixelSize
  /// Samples of a pixel of the map.
  let channels: Int
  private let columns: [AreaTaps]
  private let lines: [AreaTaps]
  /// Whether column n of the map is columns 2n and 2n + 1 of the picture.
  private let isPairs: Bool
  /// Row by row, channels interleaved. No two rectangles write the same sample; pages are allocated
  /// as they are written.
  private let values: PixelStorage<Float>
  private let gathered: Mutex<(histograms: [GainHistogram], parts: [Part])>

  /// The weighted sum of one row of an area, as far as a rectangle holds it.
  private struct Part {
    let sample: Int
    let origin: PixelPoint
    let sum: Float
    let total: Float
  }

  /// For a map of `size` of a picture of `full`.
  init(_ size: PixelSize, of full: PixelSize, channels: Int) throws(PixelError) {
    (self.size, self.channels) = (size, channels)
    columns = (0..<size.width).map { AreaTaps($0, of: size.width, in: full.width) }
    lines = (0..<size.height).map { AreaTaps($0, of: size.height, in: full.height) }
    isPairs = full.width == 2 * size.width
    values = try PixelStorage(undefined: size.area * channels)
    gathered = Mutex((Array(repeating: GainHistogram(), count: channels), []))
  }

  /// Adds the gains of `rect`, which are in the first planes of `gains`.
  func add(_ gains: PlanarBuffer, at rect: PixelRect) {
    let (across, down) = (rect.x..<rect.endX, rect.y..<rect.endY)
    let touched = AreaTaps.touching(across, of: columns)
    let complete = touched.filter { columns[$0].isWithin(across) }
    let start = complete.first ?? touched.lowerBound
    let areas = complete.map { columns[$0].kernel(from: columns[start].first) }
    var histograms = Array(repeating: GainHistogram(), count: channels)
    var parts: [Part] = []
    for y in AreaTaps.touching(down, of: lines) {
      let isRowComplete = lines[y].isWithin(down)
      for channel in 0..<channels {
        let first = y * size.width * channels + channel
        if isRowComplete, !complete.isEmpty {
          var line = lines[y].kernel(from: lines[y].first)
          let row = gains.row(channel, lines[y].first - rect.y).from(columns[start].first - rect.x)
          let out = values.start + first + start * channels
          ck_areaMeans(
            &line, areas, isPairs, row.start, Int64(gains.stride), out, Int64(channels),
            Int64(areas.count))
          histograms[channel].add(out, step: channels, count: areas.count)
        }
        for x in touched where !(isRowComplete && columns[x].isWithin(across)) {
          for pixel in lines[y].pixels.clamped(to: down) {
            let row = gains.row(channel, pixel - rect.y)
            let sum = columns[x].pixels.clamped(to: across).reduce(into: Float(0)) {
              $0 += row[$1 - rect.x] * columns[x].weight($1)
            }
            parts.append(
              Part(
                sample: first + x * channels, origin: PixelPoint(x: rect.x, y: pixel),
                sum: sum * lines[y].weight(pixel), total: lines[y].total * columns[x].total))
          }
        }
      }
    }
    gathered.withLock { gathered in
      for channel in 0..<channels { gathered.histograms[channel].add(histograms[channel]) }
      gathered.parts += parts
    }
  }

  /// The histogram of each channel; all rectangles must have been added.
  func finish() -> [GainHistogram] {
    gathered.withLock { gathered in
      gathered.parts.sort {
        ($0.sample, $0.origin.y, $0.origin.x) < ($1.sample, $1.origin.y, $1.origin.x)
      }
      for (index, part) in gathered.parts.enumerated() {
        let isFirst = index == 0 || gathered.parts[index - 1].sample != part.sample
        values.start[part.sample] = (isFirst ? 0 : values.start[part.sample]) + part.sum
        guard index + 1 == gathered.parts.count || gathered.parts[index + 1].sample != part.sample
        else { continue }
        values.start[part.sample] /= part.total
        gathered.histograms[part.sample % channels].add(values.start[part.sample])
      }
      gathered.parts = []
      return gathered.histograms
    }
  }

  /// The gains, to be modified in place.
  var samples: UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(start: values.start, count: values.count)
  }
}
