import Foundation
import ImageCore
import RawDecode
import RawSensor

/// Reduction of a picture by a windowed sinc without ringing.
///
/// Source: Lanczos (1956), as used for pictures by Turkowski (1990): w(t) = sinc(t)·sinc(t/3) for
/// |t| < 3, t in pixels of the result, separable, sum 1. Linear values in and out. A windowed sinc
/// is sharper than ``Resampling``, but overshoots beside strong edges, in linear values most beside
/// highlights. So each result is clamped, in each channel, to the range of the source pixels that
/// its square covers. At scale 1 and integer offsets, source pixels are returned bit for bit. Known
/// failure: where values are clamped the mean is not preserved; this occurs only beside edges.
struct LanczosReduction: Sendable, Hashable {
  private static let lobes = 3.0
  /// Weights below this are left out.
  private static let trace = 1e-6
  /// Source rows that are read at a time, because a small result may need the whole picture.
  private static let strip = 512

  /// Size of the reduced picture.
  let size: PixelSize
  private let columns: [Taps]
  private let rows: [Taps]

  /// The source samples of one output sample.
  private struct Taps: Hashable {
    var start: Int
    var weights: [Float]
    /// Source samples that its square covers.
    var covered: Range<Int>
    /// The union of both.
    var needed: Range<Int> {
      min(start, covered.lowerBound)..<max(start + weights.count, covered.upperBound)
    }
  }

  /// Reduces the part of a source of size `source` that starts at (`originX`, `originY`) and is
  /// `spanX` × `spanY` source pixels large, all of which may be fractional.
  init(
    size: PixelSize, source: PixelSize, originX: Double, originY: Double, spanX: Double,
    spanY: Double
  ) {
    self.size = size
    columns = Self.taps(size.width, source: source.width, origin: originX, span: spanX)
    rows = Self.taps(size.height, source: source.height, origin: originY, span: spanY)
  }

  private static func taps(_ count: Int, source: Int, origin: Double, span: Double) -> [Taps] {
    let step = max(span / Double(max(count, 1)), 1)
    func inside(_ i: Int) -> Int { min(max(i, 0), source - 1) }
    return (0..<count).map { i in
      let low = origin + span * Double(i) / Double(count)
      let high = origin + span * Double(i + 1) / Double(count)
      let center = (low + high) / 2 - 0.5
      let first = inside(Int((center - lobes * step).rounded(.up)))
      let last = inside(Int((center + lobes * step).rounded(.down)))
      var weights = (first...max(first, last)).map { weight((Double($0) - center) / step) }
      let sum = weights.reduce(0, +)
      weights = weights.map { $0 / sum }
      let leading = weights.prefix { abs($0) < trace }.count
      let trailing = weights.reversed().prefix { abs($0) < trace }.count
      let start = inside(Int(low.rounded(.down)))
      let end = inside(Int((high - 1e-9).rounded(.down)))
      return Taps(
        start: first + leading,
        weights: weights[leading..<max(weights.count - trailing, leading + 1)].map {
          abs($0) < trace ? 0 : Float($0)
        },
        covered: start..<max(end, start) + 1)
    }
  }

  private static func weight(_ t: Double) -> Double {
    if abs(t) < 1e-9 { return 1 }
    if abs(t) >= lobes { return 0 }
    let x = Double.pi * t
    return lobes * sin(x) * sin(x / lobes) / (x * x)
  }

  /// Renders `rect` of the reduced picture into `buffer`, with scratch memory from `pool`.
  func read<State>(
    _ rect: PixelRect, from source: any PixelSource<State>, into buffer: PlanarBuffer,
    pool: BufferPool
  ) throws(PixelError) {
    guard !rect.isEmpty else { return try buffer.reshape(rect.size) }
    let (across, down) = (Array(columns[rect.x..<rect.endX]), Array(rows[rect.y..<rect.endY]))
    let area = Self.area(across, down)
    try buffer.reshape(rect.size)
    // An output row may begin before the ones above it, because small weights are left out.
    var begins = down.map(\.needed.lowerBound)
    for y in begins.indices.dropLast().reversed() { begins[y] = min(begins[y], begins[y + 1]) }
    var open: [(y: Int, lines: PlanarBuffer)] = []
    var idle: [PlanarBuffer] = []
    var next = 0
    try pool.withBuffer(PixelSize(width: area.width, height: min(area.height, Self.strip))) {
      part throws(PixelError) in
      for top in stride(from: area.y, to: area.endY, by: Self.strip) {
        let strip = PixelRect(
          x: area.x, y: top, width: area.width, height: min(area.endY - top, Self.strip))
        try source.read(strip, into: part)
        for y in strip.y..<strip.endY {
          while next < down.count, begins[next] <= y {
            let lines = idle.popLast() ?? PlanarBuffer()
            try lines.reshape(PixelSize(width: area.width, height: 3))
            open.append((next, lines))
            next += 1
          }
          for row in open { Self.gather(part.rows(y - top), y, down[row.y], into: row.lines) }
          while let first = open.first, down[first.y].needed.upperBound <= y + 1 {
            Self.finish(first.lines, across, left: area.x, into: buffer.rows(first.y))
            idle.append(open.removeFirst().lines)
          }
        }
      }
    }
  }

  private static func area(_ across: [Taps], _ down: [Taps]) -> PixelRect {
    func span(_ taps: [Taps]) -> Range<Int> {
      let start = taps.map(\.needed.lowerBound).min() ?? 0
      let end = taps.map(\.needed.upperBound).max() ?? start
      return start..<end
    }
    let (x, y) = (span(across), span(down))
    return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }

  /// Adds row `y` of the source to `lines` of an output row, which are the weighted sum of the rows
  /// of `taps`, and the minimum and maximum of the covered ones, a row for each channel.
  private static func gather(_ row: RGBRows, _ y: Int, _ taps: Taps, into lines: PlanarBuffer) {
    let width = lines.size.width
    for channel in 0..<3 {
      let from = row[channel]
      if taps.weights.indices.contains(y - taps.start) {
        let (sum, weight) = (lines.row(0, channel), taps.weights[y - taps.start])
        if y == taps.start {
          for x in 0..<width { sum[x] = from[x] * weight }
        } else {
          for x in 0..<width { sum[x] += from[x] * weight }
        }
      }
      guard taps.covered.contains(y) else { continue }
      let (minima, maxima) = (lines.row(1, channel), lines.row(2, channel))
      if y == taps.covered.lowerBound {
        for x in 0..<width { (minima[x], maxima[x]) = (from[x], from[x]) }
      } else {
        for x in 0..<width {
          minima[x] = min(minima[x], from[x])
          maxima[x] = max(maxima[x], from[x])
        }
      }
    }
  }

  /// Writes the output row from `lines`, whose first column is column `left` of the source.
  private static func finish(
    _ lines: PlanarBuffer, _ across: [Taps], left: Int, into out: RGBRows
  ) {
    for channel in 0..<3 {
      let (sum, minima, maxima) = (
        lines.row(0, channel), lines.row(1, channel), lines.row(2, channel)
      )
      let out = out[channel]
      for (x, taps) in across.enumerated() {
        let base = taps.start - left
        var value: Float = 0
        for k in 0..<taps.weights.count { value += sum[base &+ k] * taps.weights[k] }
        let first = taps.covered.lowerBound - left
        var (low, high) = (minima[first], maxima[first])
        for k in 1..<max(taps.covered.count, 1) {
          low = min(low, minima[first &+ k])
          high = max(high, maxima[first &+ k])
        }
        out[x] = min(max(value, low), high)
      }
    }
  }
}
