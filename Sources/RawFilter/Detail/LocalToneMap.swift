import CKernels
package import ImageCore
package import RawDecode
import RawSensor

/// Local tone mapping, which raises shadows and lowers highlights, for files without a map of their
/// own.
///
/// Source: ``LocalToneGains`` (bilateral grid on a proxy, guided upsampling). Per pixel, with
/// L = log2(max(Y, 2⁻¹²)), slope and offset interpolated linearly between the map's samples:
///
///     rgb' = rgb · 2^(amount · w · clamp(slope · L + offset, −1, 1.5))
///
/// w fades to 0 over the three stops below the picture's largest channel value, which stays as it
/// is. Scene-linear in and out, 1.0 = reference white, unbounded. Pixels are independent: no halo.
/// Amount 0 returns the source bit for bit.
/// Known failures: the map has at most 1024 samples along the longer side, so smaller details are
/// raised with their surroundings; noise is raised with the shadows it is in.
package struct LocalToneMap: PixelSource {
  package typealias State = SceneLinear

  package struct Settings: Sendable, Hashable {
    /// Valid amounts.
    static let amounts: ClosedRange<Float> = 0...1
    /// Fraction of the map, in stops, that is applied.
    package let amount: Float

    /// Throws `.badSetting` for an amount outside its range.
    package init(amount: Float = 0) throws(RAWError) {
      try DetailRange.check("localToneMapAmount", amount, Self.amounts)
      self.amount = amount
    }

    /// Whether the source comes back bit for bit.
    package var isNeutral: Bool { amount == 0 }
  }

  package var size: PixelSize { source.size }
  package var info: SceneLinear.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  private let source: any PixelSource<SceneLinear>
  private let settings: Settings
  private let gains: LocalToneGains?
  private let columns: LinearInterpolation
  private let rows: LinearInterpolation
  private let pool = WorkspacePool { DetailWorkspace() }

  /// Reads the whole of `source` once unless the settings are neutral.
  package init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings,
    workers: Int = Parallel.defaultWorkers
  ) {
    self.init(
      source, settings,
      settings.isNeutral ? nil : LocalToneGains(LuminanceProxy(source, workers: workers)))
  }

  /// `gains`: of the same picture, at any size.
  package init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, gains: LocalToneGains
  ) {
    self.init(source, settings, settings.isNeutral ? nil : gains)
  }

  private init(
    _ source: any PixelSource<SceneLinear>, _ settings: Settings, _ gains: LocalToneGains?
  ) {
    self.source = source
    self.settings = settings
    self.gains = gains
    let (map, cell) = (gains?.proxy.size, Float(gains?.proxy.cell ?? 1))
    let of = gains?.proxy.pictureSize
    columns = LinearInterpolation(
      source.size.width, of: of?.width, cell: cell, samples: map?.width)
    rows = LinearInterpolation(
      source.size.height, of: of?.height, cell: cell, samples: map?.height)
  }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    source.read(rect, into: buffer)
    guard let gains, !rect.isEmpty else { return }
    let map = gains.lines.buffer
    let first = columns.index(rect.x)
    let count = min(columns.index(rect.endX - 1) + 2, map.size.width) - first
    pool.with { work in
      let (narrow, wide) = (work.scratch[0], work.scratch[1])
      narrow.reshape(PixelRect(x: 0, y: 0, width: count + 1, height: 2))
      wide.reshape(PixelRect(x: 0, y: 0, width: rect.width, height: 2))
      for y in 0..<rect.height {
        let row = rows.index(rect.y + y)
        let fraction = rows.fraction(rect.y + y)
        for plane in 0..<2 {
          let here = map.row(plane, row).from(first)
          let below = map.row(plane, min(row + 1, map.size.height - 1)).from(first)
          let (line, out) = (narrow.row(plane), wide.row(plane))
          for i in 0..<count { line[i] = here[i] + (below[i] - here[i]) * fraction }
          line[count] = line[count - 1]
          columns.interpolate(line, first, from: rect.x, count: rect.width, into: out)
        }
        apply(gains, wide, buffer, y)
      }
    }
  }

  private func apply(
    _ gains: LocalToneGains, _ lines: TilePlane, _ buffer: PlanarBuffer, _ y: Int
  ) {
    let rows = buffer.rows(y)
    let (slope, offset) = (lines.row(0), lines.row(1))
    var kernel = gains.kernel
    let fadeStart = gains.proxy.peak / 8  // `LocalToneGains.fade` stops below
    ck_localToneRow(
      &kernel, LuminanceGain.channels, fadeStart, settings.amount, info.peak, slope.start,
      offset.start, rows.kernel, Int64(rows.count))
  }
}

/// Linear interpolation along one axis of a map: for each pixel the index of the sample before it,
/// and the weight of the one behind.
private struct LinearInterpolation: Sendable {
  private let indices: [Int32]
  private let fractions: [Float]

  /// For `count` pixels of a picture that had `full` when its squares of `cell` pixels became the
  /// `samples` of the map.
  init(_ count: Int, of full: Int?, cell: Float, samples: Int?) {
    guard let full, let samples else {
      (indices, fractions) = ([], [])
      return
    }
    let scale = Float(full) / Float(max(count, 1)) / cell
    let positions = (0..<count).map {
      min(max((Float($0) + 0.5) * scale - 0.5, 0), Float(samples - 1))
    }
    indices = positions.map { Int32($0) }
    fractions = positions.map { $0 - $0.rounded(.down) }
  }

  func index(_ i: Int) -> Int { Int(indices[i]) }
  func fraction(_ i: Int) -> Float { fractions[i] }

  /// Values at `count` pixels from `start` on; `line` starts with sample `first`.
  func interpolate(
    _ line: MutableRowView, _ first: Int, from start: Int, count: Int, into out: MutableRowView
  ) {
    let (indices, fractions) = (indices.span, fractions.span)
    for i in 0..<count {
      let left = Int(indices[start &+ i]) &- first
      let value = line[left]
      out[i] = value + (line[left &+ 1] - value) * fractions[start &+ i]
    }
  }
}
