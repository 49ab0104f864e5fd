import CKernels
import Foundation
import ImageCore

/// Changes luminance by lines that were found at low resolution (``ChangeLines``).
///
/// Per pixel, with L = log2(max(Y, 2⁻¹²)), slope and offset interpolated linearly between the
/// samples of the map:
///
///     rgb' = rgb · 2^(amount · w · clamp(slope · L + offset, lowest, highest))
///
/// w fades to 0 over some stops below the picture's largest channel value, which stays as it is; no
/// channel is raised above it. Scene-linear in and out, 1.0 = reference white, unbounded. Pixels
/// are independent of each other, so no halo is read and it does not matter how the picture is cut.
/// Known failure: the map has at most 1024 samples along the longer side, so details that are
/// smaller change with what is around them.
struct MappedChange: PixelSource {
  typealias State = SceneLinear

  var size: PixelSize { source.size }
  var info: SceneLinear.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  private let source: any PixelSource<SceneLinear>
  private let lines: ChangeLines
  private let kernel: ck_localTone
  private let amount: Float
  private let columns: LinearInterpolation
  private let rows: LinearInterpolation
  private let pool = WorkspacePool { DetailWorkspace() }

  /// `lines`: of the same picture, at any size; `kernel`: the bounds of the change.
  init(
    _ source: any PixelSource<SceneLinear>, _ lines: ChangeLines, kernel: ck_localTone,
    amount: Float
  ) {
    self.source = source
    self.lines = lines
    self.kernel = kernel
    self.amount = amount
    let (map, cell, of) = (lines.proxy.size, Float(lines.proxy.cell), lines.proxy.pictureSize)
    columns = LinearInterpolation(source.size.width, of: of.width, cell: cell, samples: map.width)
    rows = LinearInterpolation(source.size.height, of: of.height, cell: cell, samples: map.height)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    let map = lines.planes.buffer
    guard !rect.isEmpty, map.size.area > 0 else { return }
    let first = columns.index(rect.x)
    let count = min(columns.index(rect.endX - 1) + 2, map.size.width) - first
    try pool.with { work throws(PixelError) in
      let (narrow, wide) = (work.scratch[0], work.scratch[1])
      try narrow.reshape(PixelRect(x: 0, y: 0, width: count + 1, height: 2))
      try wide.reshape(PixelRect(x: 0, y: 0, width: rect.width, height: 2))
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
        apply(wide, buffer, y)
      }
    }
  }

  private func apply(_ lines: TilePlane, _ buffer: PlanarBuffer, _ y: Int) {
    let rows = buffer.rows(y)
    let (slope, offset) = (lines.row(0), lines.row(1))
    var kernel = kernel
    let fadeStart = kernel.peak * exp2(-kernel.fade)
    ck_localToneRow(
      &kernel, LuminanceGain.channels, fadeStart, amount, info.peak, slope.start, offset.start,
      rows.kernel, Int64(rows.count))
  }
}

/// Linear interpolation along one axis of a map: for each pixel the index of the sample before it,
/// and the weight of the one behind.
private struct LinearInterpolation: Sendable {
  private let indices: [Int32]
  private let fractions: [Float]

  /// For `count` pixels of a picture that had `full` when its squares of `cell` pixels became the
  /// `samples` of the map.
  init(_ count: Int, of full: Int, cell: Float, samples: Int) {
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
