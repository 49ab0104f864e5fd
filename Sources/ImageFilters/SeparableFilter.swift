import CVector
import ImageCore

/// A separable resampling filter: along rows, then along columns. The source is read in bands; the
/// intermediate has the width of the result.
///
/// Along columns first where the other order is many times as expensive: when a picture of one
/// column and many rows is resized to normal proportions, the intermediate would have many of both.
/// Intermediates have at most `maxSamples`, or `minColumns`.
struct SeparableFilter: Sendable {
  let columns: AxisTaps
  let rows: AxisTaps
  /// Number of planes that are filtered, from the first on.
  let planes: Int
  private let pool = BufferPool()
  private let startsWithColumns: Bool

  /// Samples of a plane of an intermediate.
  private static let maxSamples = 1 << 22
  /// As many as a vector has.
  private static let minColumns = 8
  /// Ratio of the two intermediates' sizes from which on the order changes. It is 1 where a picture
  /// keeps its proportions.
  private static let much = 16

  init(columns: AxisTaps, rows: AxisTaps, planes: Int = 3) {
    (self.columns, self.rows, self.planes) = (columns, rows, planes)
    let across = columns.samples(of: 0..<columns.count).count
    let down = rows.samples(of: 0..<rows.count).count
    startsWithColumns = columns.count * down > Self.much * across * rows.count
  }

  /// Columns and rows of the result.
  var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

  /// The source pixels that `rect` of the result depends on.
  func sourceRect(of rect: PixelRect) -> PixelRect {
    guard !rect.isEmpty else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    let across = columns.samples(of: rect.x..<rect.endX)
    let down = rows.samples(of: rect.y..<rect.endY)
    return PixelRect(
      x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
  }

  func read(
    _ rect: PixelRect, from source: any PixelSource<DisplayReferred>, into buffer: PlanarBuffer
  ) throws(PixelError) {
    try buffer.reshape(rect.size)
    guard !rect.isEmpty else { return }
    let needed = sourceRect(of: rect)
    if startsWithColumns { return try readTall(rect, needed, from: source, into: buffer) }
    for part in Self.segments(of: rect.x..<rect.endX, height: needed.height) {
      let part = PixelRect(x: part.lowerBound, y: rect.y, width: part.count, height: rect.height)
      let needed = sourceRect(of: part)
      try pool.withBuffer(PixelSize(width: part.width, height: needed.height)) {
        narrow throws(PixelError) in
        try readRows(needed, from: source, results: part.x..<part.endX, into: narrow)
        for plane in 0..<planes {
          for y in 0..<part.height {
            filterColumns(
              narrow, plane, from: needed.y, result: part.y + y,
              into: buffer.row(plane, y).from(part.x - rect.x), count: part.width)
          }
        }
      }
    }
  }

  /// Filters `needed` of the source along rows, in bands.
  private func readRows(
    _ needed: PixelRect, from source: any PixelSource<DisplayReferred>, results: Range<Int>,
    into narrow: PlanarBuffer
  ) throws(PixelError) {
    let step = min(max(source.bandHeight, 64), 256)
    try pool.withBuffer(PixelSize(width: needed.width, height: min(step, needed.height))) {
      band throws(PixelError) in
      for top in stride(from: 0, to: needed.height, by: step) {
        let count = min(step, needed.height - top)
        try source.read(
          PixelRect(x: needed.x, y: needed.y + top, width: needed.width, height: count),
          into: band)
        filterRows(
          band, PixelSize(width: needed.width, height: count), from: needed.x, into: narrow,
          at: top, results: results)
      }
    }
  }

  /// The pixels of `rect`, made along columns first.
  private func readTall(
    _ rect: PixelRect, _ needed: PixelRect, from source: any PixelSource<DisplayReferred>,
    into buffer: PlanarBuffer
  ) throws(PixelError) {
    try pool.withBuffer(PixelSize(width: needed.width, height: rect.height)) {
      short throws(PixelError) in
      for part in Self.segments(of: needed.x..<needed.endX, height: needed.height) {
        let part = PixelRect(
          x: part.lowerBound, y: needed.y, width: part.count, height: needed.height)
        try pool.withBuffer(part.size) { tall throws(PixelError) in
          try source.read(part, into: tall)
          for plane in 0..<planes {
            for y in 0..<rect.height {
              filterColumns(
                tall, plane, from: needed.y, result: rect.y + y,
                into: short.row(plane, y).from(part.x - needed.x), count: part.width)
            }
          }
        }
      }
      filterRows(
        short, PixelSize(width: needed.width, height: rect.height), from: needed.x, into: buffer,
        at: 0, results: rect.x..<rect.endX)
    }
  }

  /// `columns` in segments of full vectors, each as wide as an intermediate of `height` rows may
  /// be.
  private static func segments(of columns: Range<Int>, height: Int) -> [Range<Int>] {
    let width = max(maxSamples / max(height, 1) / minColumns, 1) * minColumns
    return stride(from: columns.lowerBound, to: columns.upperBound, by: width).map {
      $0..<min($0 + width, columns.upperBound)
    }
  }

  /// Filters the first rows of `buffer`, which hold the samples from `origin` on, eight at a time:
  /// each sum is made in the order of its taps, and waits for itself alone.
  private func filterRows(
    _ buffer: PlanarBuffer, _ size: PixelSize, from origin: Int, into out: PlanarBuffer,
    at top: Int, results: Range<Int>
  ) {
    var samples = [SIMD8<Float>](repeating: .zero, count: size.width)
    for plane in 0..<planes {
      for y in stride(from: 0, to: size.height, by: 8) {
        let count = min(8, size.height - y)
        for lane in 0..<count {
          let row = buffer.row(plane, y + lane)
          for x in 0..<size.width { samples[x][lane] = row[x] }
        }
        for index in results {
          let value = filtered(samples, from: origin, result: index)
          for lane in 0..<count {
            out.row(plane, top + y + lane)[index - results.lowerBound] = value[lane]
          }
        }
      }
    }
  }

  /// Result number `index` of eight rows, whose samples from `origin` on stand side by side.
  private func filtered(
    _ samples: [SIMD8<Float>], from origin: Int, result index: Int
  ) -> SIMD8<Float> {
    let (weights, samples) = (columns.weights.span, samples.span)
    let first = columns.first[index] - origin
    let from = columns.start[index]
    let middle = samples[columns.center[index] - origin]
    var sum = SIMD8<Float>.zero
    for k in 0..<columns.start[index + 1] - from {
      // Of the result's own taps; a check costs as much as the sum.
      sum += unsafe weights[unchecked: from + k] * (samples[unchecked: first + k] - middle)
    }
    let value = middle + sum
    guard columns.isBounded else { return value }
    var (low, high) = (middle, middle)
    for sample in columns.bound[index] {
      low = cv_min8(samples[sample - origin], low)
      high = cv_max8(samples[sample - origin], high)
    }
    return cv_clamp8(value, low, high)
  }

  /// `samples` holds the rows from `origin` on.
  private func filterColumns(
    _ samples: PlanarBuffer, _ plane: Int, from origin: Int, result: Int,
    into out: MutableRowView, count: Int
  ) {
    let middle = samples.row(plane, rows.center[result] - origin)
    let top = samples.plane(plane).from((rows.first[result] - origin) * samples.stride)
    let (from, stride) = (rows.start[result], samples.stride)
    let taps = rows.start[result + 1] - from
    let bound = rows.isBounded ? rows.bound[result] : 0..<0
    let weights = rows.weights.span
    for x in vectors(count) {
      let center = middle.lanes(x)
      var sum = SIMD8<Float>.zero
      for k in 0..<taps {
        sum += unsafe weights[unchecked: from &+ k] * (top.lanes(k &* stride &+ x) - center)
      }
      var value = center + sum
      if !bound.isEmpty {
        var (low, high) = (center, center)
        for sample in bound {
          let near = samples.row(plane, sample - origin).lanes(x)
          low = cv_min8(near, low)
          high = cv_max8(near, high)
        }
        value = cv_clamp8(value, low, high)
      }
      out.setLanes(x, value)
    }
  }
}

/// A picture through a ``SeparableFilter``; the headroom is unchanged.
struct SeparableStage: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let filter: SeparableFilter

  /// Larger where each row of the result needs many rows: they are read again for each band.
  let bandHeight: Int

  init(
    source: any PixelSource<DisplayReferred>, filter: SeparableFilter, bandHeight rows: Int? = nil
  ) {
    (self.source, self.filter) = (source, filter)
    let starts = filter.rows.start
    let reach = zip(starts, starts.dropFirst()).lazy.map { $1 - $0 }.max() ?? 0
    bandHeight = min(max(256, rows ?? 2 * reach), 1024)
  }

  var size: PixelSize { filter.size }
  var info: DisplayReferred.Info { source.info }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try filter.read(rect, from: source, into: buffer)
  }
}
