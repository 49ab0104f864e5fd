import ImageCore

/// ``ChangeLines`` at the pixels of a picture: slope and offset interpolated linearly between the
/// samples of the map. Pixels are independent of each other, so any rectangle gives the same bits.
struct InterpolatedLines: Sendable {
  private let map: PlanarBuffer
  private let columns: LinearInterpolation
  private let rows: LinearInterpolation
  private let pool = WorkspacePool { DetailWorkspace() }

  /// `lines`: of the same picture at any size; `size`: of the pixels.
  init(_ lines: ChangeLines, for size: PixelSize) {
    map = lines.planes
    let (samples, cell, of) = (lines.proxy.size, Float(lines.proxy.cell), lines.proxy.pictureSize)
    columns = LinearInterpolation(size.width, of: of.width, cell: cell, samples: samples.width)
    rows = LinearInterpolation(size.height, of: of.height, cell: cell, samples: samples.height)
  }

  /// Calls `body` with the number of each row of `rect`, from its first, and its lines.
  func forEachRow(
    of rect: PixelRect,
    _ body: (_ y: Int, _ slope: MutableRowView, _ offset: MutableRowView) -> Void
  ) throws(PixelError) {
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
        body(y, wide.row(0), wide.row(1))
      }
    }
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
