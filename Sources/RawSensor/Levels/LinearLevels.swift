import CKernels
package import ImageCore
package import RawData

/// Stored samples to balanced linear values.
///
/// Source: DNG 1.7.1, chapter 5, "Mapping raw values to linear reference values". Formula: `(v −
/// black(x, y) − deltaColumn[x] − deltaRow[y]) · scale[c] · balance[c]`. Units: stored samples in;
/// out 0 = black, 1.0 = where the first channel of a neutral saturates. Values below black stay
/// negative: clipping them would raise the mean of dark areas. Floating point files may hold
/// anything: NaN becomes black, and magnitudes are limited to `largest`, far above any exposure but
/// small enough that no later square overflows. Where the levels have curves these give the linear
/// value, and black and scale are not used.
package final class LinearLevels: @unchecked Sendable {
  static let largest: Float = 65536

  package let size: PixelSize
  let samples: RawSamples
  let samplesPerPixel: Int
  let levels: SensorLevels
  private let gain: SIMD4<Float>
  private let columns: BorderContinuation
  private let rows: BorderContinuation
  /// Black of each column for each row of the black pattern and each sample of a pixel.
  private let black: PixelStorage<Float>
  /// Rows of the pattern, 1 if they are equal: for a low and wide picture they would take many
  /// times its memory.
  let blackRows: Int
  /// Scale × balance of each photosite; nil without a filter.
  private let gainRows: ChannelRows?

  package init(_ data: SensorData, balance: SIMD4<Float>) throws(PixelError) {
    size = data.size
    samples = data.samples
    samplesPerPixel = data.samplesPerPixel
    levels = data.levels
    // Curves include the scale.
    gain = data.levels.curves.isEmpty ? data.levels.scale * balance : balance
    var period = (1, 1)
    if case .mosaic(let cfa) = data.layout {
      period = (cfa.width, cfa.height)
      gainRows = try ChannelRows(cfa, width: size.width, values: gain)
    } else {
      gainRows = nil
    }
    columns = BorderContinuation(count: size.width, period: period.0)
    rows = BorderContinuation(count: size.height, period: period.1)
    let perPixel = samplesPerPixel
    let width = size.width
    let levels = data.levels
    let patternRow = levels.patternWidth * perPixel
    let isSame = levels.black.indices.allSatisfy {
      levels.black[$0] == levels.black[$0 % patternRow]
    }
    blackRows = isSame ? 1 : levels.patternHeight
    let lines = min(blackRows, size.height) * perPixel
    black = try PixelStorage(zeros: lines * width)
    for index in 0..<lines {
      let (y, sample) = (index / perPixel, index % perPixel)
      for x in 0..<width {
        let position = (y * levels.patternWidth + x % levels.patternWidth) * perPixel + sample
        black.start[index * width + x] =
          levels.black[position] + (levels.deltaColumn.isEmpty ? 0 : levels.deltaColumn[x])
      }
    }
  }

  /// Whether the samples are floating point numbers that do not saturate.
  var isFloat: Bool { samples.format == .float32 && !levels.endsAtWhite }

  /// The stored samples, three per pixel, where one formula holds for all pixels; else nil.
  var uniformCounts: RawSamples? {
    samples.format == .uint16 && samplesPerPixel == 3 && levels.curves.isEmpty
      && levels.patternWidth == 1 && levels.patternHeight == 1 && levels.deltaColumn.isEmpty
      && levels.deltaRow.isEmpty ? samples : nil
  }

  /// The balanced value of a stored `count` in such files.
  func value(_ count: UInt16, _ sample: Int) -> Float {
    (Float(count) - levels.black[sample]) * gain[sample]
  }

  /// Fills `tile` with sample `sample` of its pixels, extended beyond the borders.
  package func load(_ tile: TilePlane, sample: Int = 0) {
    load(tile.rect, of: tile, sample: sample)
  }

  /// Fills the rows of `rect`, which is as wide as `tile`, in the same way.
  func load(_ rect: PixelRect, of tile: TilePlane, sample: Int = 0) {
    let inside = rect.intersection(PixelRect(size))
    for y in rect.y..<rect.endY {
      let sourceY = rows.source(y)
      let row = tile.row(y)
      loadRow(
        sourceY, from: inside.x, count: inside.width, sample: sample,
        into: row.from(inside.x - rect.x)
      )
      func continueBorder(_ x: Int) {
        loadRow(
          sourceY, from: columns.source(x), count: 1, sample: sample, into: row.from(x - rect.x))
      }
      for x in rect.x..<min(max(inside.x, rect.x), rect.endX) { continueBorder(x) }
      for x in max(inside.endX, rect.x)..<max(rect.endX, inside.endX) { continueBorder(x) }
    }
  }

  /// Row `y` of the sensor, samples of a pixel side by side.
  package func fill(row y: Int, into out: UnsafeMutablePointer<Float>) {
    let (width, perPixel) = (size.width, samplesPerPixel)
    guard perPixel > 1 else {
      loadRow(
        y, from: 0, count: width, sample: 0,
        into: MutableRowView(out, count: width, before: 0, behind: 0))
      return
    }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { line in
      guard let values = line.baseAddress else { return }
      for sample in 0..<perPixel {
        loadRow(
          y, from: 0, count: width, sample: sample,
          into: MutableRowView(values, count: width, before: 0, behind: 0))
        for x in 0..<width { out[x &* perPixel &+ sample] = values[x] }
      }
    }
  }

  /// Fills `out` with pixels of three samples of row `y` from column `x`, all of them in the
  /// picture.
  func load(row y: Int, from x: Int, into out: RGBRows) {
    let count = out.count
    guard samples.format == .uint16, samplesPerPixel == 3, levels.curves.isEmpty else {
      for c in 0..<3 { loadRow(y, from: x, count: count, sample: c, into: out[c]) }
      return
    }
    let rows = (0..<3).map { levelRow(y, x, $0) }
    ck_balancePixels(
      rows, samples.counts(row: y) + 3 * x, out.kernel, Int64(count))
  }

  /// The levels of sample `sample` of row `y` from column `x` on.
  func levelRow(_ y: Int, _ x: Int, _ sample: Int) -> ck_levelRow {
    let index = y % blackRows * samplesPerPixel + sample
    return ck_levelRow(
      black: black.start + index * size.width + x,
      delta: levels.deltaRow.isEmpty ? 0 : levels.deltaRow[y],
      gains: gainRows?.row(x: x, y: y).start, gain: gain[sample], step: Int64(samplesPerPixel))
  }

  /// `count` pixels of row `y` of the sensor from column `x`.
  private func loadRow(
    _ y: Int, from x: Int, count: Int, sample: Int, into out: MutableRowView
  ) {
    var row = levelRow(y, x, sample)
    let first = x * samplesPerPixel + sample
    switch samples.format {
    case .uint16 where levels.curves.isEmpty:
      ck_balanceCounts(&row, samples.counts(row: y) + first, out.start, Int64(count))
    case .uint16:
      ck_balanceByCurve(
        &row, levels.curves[sample], samples.counts(row: y) + first, out.start, Int64(count))
    case .float32:
      ck_balanceFloats(
        &row, Self.largest, samples.floats(row: y) + first, out.start, Int64(count))
    }
  }
}
