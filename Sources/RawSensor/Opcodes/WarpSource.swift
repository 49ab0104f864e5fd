import ImageCore
import RawData

/// A picture resampled along a ``WarpField``.
///
/// Source: R. Keys, "Cubic convolution interpolation for digital image processing" (1981), a = −½:
/// as sharp as four taps allow, exact for gradients. The reference renderer's kernel has a = −¾,
/// which is not. Beyond the picture its edge pixels are repeated. Units: any; overshoot beside
/// edges remains. Pixels at integer source positions are unchanged, as are planes whose
/// coefficients are the identity. Reads the part of its source that the positions of the tile
/// cover, with all taps (``WarpField/part(of:from:to:)``).
struct WarpSource: PixelSource {
  typealias State = CameraRGB

  let source: any PixelSource<CameraRGB>
  let field: WarpField
  /// Whether the file has one plane, which is used for all three channels.
  let isGray: Bool
  private let pool = WorkspacePool { Workspace() }

  /// Memory of one reader.
  private final class Workspace {
    /// The rows of the source around a tile, and the part that the tile depends on.
    let window = RowWindow()
    let pixels = PlanarBuffer()
    /// For each row of the tile a row of displacements right and one of displacements down; a plane
    /// for each set.
    let shifts = PlanarBuffer()
  }

  var size: PixelSize { source.size }
  var info: CameraRGB.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  /// Index of the coefficients for channel `channel`.
  private func set(_ channel: Int) -> Int {
    isGray ? 0 : min(channel, field.warp.planes.count - 1)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    let columns = rect.evenTiles(width: WarpField.tile.width, height: .max)
    for (part, column) in columns.enumerated() {
      try pool.keeping(part: part) { work throws(PixelError) in
        for tile in column.evenTiles(width: .max, height: WarpField.tile.height) {
          try warp(tile, into: buffer, of: rect, work)
        }
      }
    }
  }

  private func warp(
    _ tile: PixelRect, into buffer: PlanarBuffer, of rect: PixelRect, _ work: Workspace
  ) throws(PixelError) {
    let isIdentity = field.warp.planes.map(\.isIdentity)
    let parts = set(2) == 0 ? [0..<3] : [0..<1, 1..<2, 2..<3]
    let first = tile.x / field.spacing
    let nodes = (tile.endX - 1) / field.spacing + 2 - first
    try work.shifts.reshape(PixelSize(width: nodes, height: 2 * tile.height))
    let box = displace(tile, first, nodes, work.shifts)
    try read(box, tile.height, work)
    for y in 0..<tile.height {
      // Channels of one set of coefficients share their positions.
      for channels in parts {
        let set = set(channels.lowerBound)
        guard isIdentity[set] else {
          resample(channels, tile, y, work.shifts, set, work.pixels, box, into: buffer, of: rect)
          continue
        }
        for channel in channels {
          let row = buffer.row(channel, tile.y - rect.y + y).from(tile.x - rect.x)
          row.update(
            from: work.pixels.row(channel, tile.y + y - box.y).from(tile.x - box.x),
            count: tile.width)
        }
      }
    }
  }

  /// Fills `work.pixels` with `box` of the source; only rows not read for the tile above are read.
  private func read(_ box: PixelRect, _ step: Int, _ work: Workspace) throws(PixelError) {
    let held = work.window.rect
    let columns = field.columns(for: box, keeping: held)
    var wide = PixelRect(x: columns.lowerBound, y: box.y, width: columns.count, height: box.height)
    if held.x == wide.x, held.width == wide.width, (held.y...held.endY).contains(box.y) {
      wide.height = max(box.endY, held.endY) - box.y
    }
    try work.window.slide(to: wide, of: source, step: step, most: box.height + WarpField.margin)
    try work.pixels.reshape(box.size)
    for y in box.y..<box.endY {
      let rows = work.window.rows(y).from(box.x - wide.x)
      for plane in 0..<3 {
        work.pixels.row(plane, y - box.y).update(from: rows[plane], count: box.width)
      }
    }
  }

  /// Writes row `y` of `tile` from `pixels`, which hold `box`, to `buffer`, which holds `rect`.
  /// Displacements are linear between two nodes.
  private func resample(
    _ channels: Range<Int>, _ tile: PixelRect, _ y: Int, _ shifts: PlanarBuffer, _ set: Int,
    _ pixels: PlanarBuffer, _ box: PixelRect, into buffer: PlanarBuffer, of rect: PixelRect
  ) {
    let (right, below) = (shifts.row(set, 2 * y), shifts.row(set, 2 * y + 1))
    let (planes, stride) = (
      RGBRows(pixels.plane(0), pixels.plane(1), pixels.plane(2)), pixels.stride
    )
    let out = buffer.rows(tile.y - rect.y + y).from(tile.x - rect.x)
    let spacing = field.spacing
    let step = 1 / Float(spacing)
    let lane = SIMD4<Int32>(0, 1, 2, 3)
    var (x, node) = (tile.x, 0)
    while x < tile.endX {
      let start = (x / spacing) * spacing
      let stop = min(start + spacing, tile.endX)
      let (x0, dx) = (right[node], right[node &+ 1] - right[node])
      let (y0, dy) = (below[node], below[node &+ 1] - below[node])
      node &+= 1
      while x < stop {
        // With fewer than four pixels left, the last is repeated.
        let count = min(stop &- x, 4)
        let last = SIMD4(repeating: Int32(truncatingIfNeeded: count &- 1))
        let pixel = lane.replacing(with: last, where: lane .> last)
        let t = SIMD4<Float>(pixel &+ Int32(truncatingIfNeeded: x &- start)) * step
        let taps = CubicResampling(
          column: pixel &+ Int32(truncatingIfNeeded: x &- box.x),
          row: Int32(truncatingIfNeeded: tile.y &+ y &- box.y), right: x0 + dx * t,
          below: y0 + dy * t)
        let isRun = count == 4 && taps.isRun(in: box.size)
        for channel in channels {
          let (plane, target) = (planes[channel], out[channel].from(x &- tile.x))
          if isRun {
            target.setLanes4(0, taps.run(plane, stride: stride))
          } else {
            for k in 0..<count {
              target[k] = taps.pixel(k, plane, stride: stride, size: box.size)
            }
          }
        }
        x &+= count
      }
    }
  }

  /// Writes the displacements at every `spacing`-th column of `tile`, from column number `first`,
  /// and returns the part of the picture that they and the taps around their ends cover.
  private func displace(
    _ tile: PixelRect, _ first: Int, _ nodes: Int, _ shifts: PlanarBuffer
  ) -> PixelRect {
    var (lowX, lowY) = (Float.infinity, Float.infinity)
    var (highX, highY) = (-Float.infinity, -Float.infinity)
    for set in field.warp.planes.indices where set < 3 && !field.warp.planes[set].isIdentity {
      for y in 0..<tile.height {
        let (right, down) = (shifts.row(set, 2 * y), shifts.row(set, 2 * y + 1))
        field.displacements(
          first, count: nodes, y: tile.y + y, set: set, right: right, down: down)
        let (x, row) = (Float(first * field.spacing), Float(tile.y + y))
        for node in 0..<nodes {
          let endX = x + Float(node &* field.spacing) + right[node]
          let endY = row + down[node]
          (lowX, highX) = (min(lowX, endX), max(highX, endX))
          (lowY, highY) = (min(lowY, endY), max(highY, endY))
        }
      }
    }
    // Nothing was displaced.
    guard lowX <= highX else { return tile }
    return field.part(of: tile, from: SIMD2(lowX, lowY), to: SIMD2(highX, highY))
  }
}
