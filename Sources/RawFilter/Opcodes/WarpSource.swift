import ImageCore

/// A picture resampled along a ``WarpField``.
///
/// Source: R. Keys, "Cubic convolution interpolation for digital image processing" (1981), a = −½: as
/// sharp as four taps allow, exact for gradients. The reference renderer's kernel has a = −¾, which
/// is not. Beyond the edges the picture goes on as at them.
/// Units: any; overshoot beside edges stays. Pixels whose source is a pixel come through bit for bit,
/// as do planes whose coefficients change nothing.
/// Reads as much of its source as the positions of the tile in hand say, so every tap is there.
struct WarpSource: PixelSource {
  typealias State = CameraRGB

  private static let tileWidth = 768
  private static let tileHeight = 256

  let source: any PixelSource<CameraRGB>
  let field: WarpField
  /// Whether the file has one plane, which all three channels then are.
  let isGrey: Bool
  private let sources = BufferPool()
  private let positions = BufferPool()

  init(source: any PixelSource<CameraRGB>, field: WarpField, isGrey: Bool) {
    self.source = source
    self.field = field
    self.isGrey = isGrey
  }

  var size: PixelSize { source.size }
  var info: CameraRGB.Info { source.info }
  var bandHeight: Int { max(source.bandHeight, 256) }

  /// Number of the coefficients for channel `channel`.
  private func set(_ channel: Int) -> Int {
    isGrey ? 0 : min(channel, field.warp.planes.count - 1)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    buffer.reshape(rect.size)
    let isIdentity = field.warp.planes.map(\.isIdentity)
    for tile in rect.tiles(width: Self.tileWidth, height: Self.tileHeight) {
      let first = tile.x / field.spacing
      let nodes = (tile.endX - 1) / field.spacing + 2 - first
      // For each row of the tile one of ways right and one of ways down, a plane for each set.
      positions.withBuffer(PixelSize(width: nodes, height: 2 * tile.height)) { ways in
        let box = place(tile, first, nodes, ways)
        sources.withBuffer(box.size) { pixels in
          source.read(box, into: pixels)
          let taps = WarpTaps(pixels, box)
          for y in 0..<tile.height {
            let out = { (channel: Int) in
              buffer.row(channel, tile.y - rect.y + y) + (tile.x - rect.x)
            }
            // Channels of one set of coefficients share their taps.
            for channels in set(2) == 0 ? [0..<3] : [0..<1, 1..<2, 2..<3] {
              let set = set(channels.lowerBound)
              guard !isIdentity[set] else {
                for channel in channels {
                  out(channel).update(
                    from: pixels.row(channel, tile.y + y - box.y) + (tile.x - box.x),
                    count: tile.width)
                }
                continue
              }
              taps.resample(
                channels, PixelPoint(x: tile.x, y: tile.y + y), count: tile.width,
                right: ways.row(set, 2 * y), down: ways.row(set, 2 * y + 1),
                spacing: field.spacing, into: out)
            }
          }
        }
      }
    }
  }

  /// Writes the ways from every `spacing`-th column of `tile`, from column number `first`, and says what
  /// they and the taps around their ends cover of the picture.
  private func place(
    _ tile: PixelRect, _ first: Int, _ nodes: Int, _ ways: PlanarBuffer
  ) -> PixelRect {
    var (low, high) = (
      SIMD2(Float(tile.x), Float(tile.y)), SIMD2(Float(tile.endX), Float(tile.endY))
    )
    for set in field.warp.planes.indices where set < 3 && !field.warp.planes[set].isIdentity {
      for y in 0..<tile.height {
        let (right, down) = (ways.row(set, 2 * y), ways.row(set, 2 * y + 1))
        for node in 0..<nodes {
          let x = (first + node) * field.spacing
          let way = SIMD2<Float>(field.displacement(x: x, y: tile.y + y, set: set))
          (right[node], down[node]) = (way.x, way.y)
          let end = SIMD2(Float(x), Float(tile.y + y)) + way
          low = pointwiseMin(low, end)
          high = pointwiseMax(high, end)
        }
      }
    }
    func bounds(_ low: Float, _ high: Float, _ side: Int) -> (Int, Int) {
      let first = min(max(Int(low.rounded(.down)) - 2, 0), side - 1)
      let last = min(max(Int(high.rounded(.up)) + 3, 0), side - 1)
      return (first, last - first + 1)
    }
    let (x, width) = bounds(low.x, high.x, size.width)
    let (y, height) = bounds(low.y, high.y, size.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}

/// The pixels of a rectangle and the kernel that is laid over them.
struct WarpTaps {
  private let rows: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>)
  private let stride: Int
  private let box: PixelRect

  /// `pixels` are those of `box`, which holds all taps within the picture.
  init(_ pixels: PlanarBuffer, _ box: PixelRect) {
    rows = (
      UnsafePointer(pixels.row(0, 0)), UnsafePointer(pixels.row(1, 0)),
      UnsafePointer(pixels.row(2, 0))
    )
    stride = pixels.stride
    self.box = box
  }

  /// Writes `count` pixels of `channels` from `start` on. `right` and `down` are the ways to their
  /// sources at the columns that are multiples of `spacing`, from the last one not behind `start`.
  func resample(
    _ channels: Range<Int>, _ start: PixelPoint, count: Int, right: UnsafePointer<Float>,
    down: UnsafePointer<Float>, spacing: Int, into rows: (Int) -> UnsafeMutablePointer<Float>
  ) {
    let step = 1 / Float(spacing)
    var node = 0
    var x = start.x
    let end = start.x + count
    let column = start.x / spacing
    let isSingle = channels.count == 1
    let first = channels.lowerBound
    let plane = first == 0 ? self.rows.0 : first == 1 ? self.rows.1 : self.rows.2
    let out = rows(first)
    let others = isSingle ? (out, out) : (rows(1), rows(2))
    while x < end {
      let left = (column &+ node) &* spacing
      let stop = min(left &+ spacing, end)
      let (x0, dx) = (right[node], right[node &+ 1] - right[node])
      let (y0, dy) = (down[node], down[node &+ 1] - down[node])
      while x < stop {
        let t = Float(x &- left) * step
        let place = Place(x, start.y, wayX: x0 + dx * t, wayY: y0 + dy * t, box)
        let i = x &- start.x
        out[i] = value(plane, place)
        if !isSingle {
          others.0[i] = value(self.rows.1, place)
          others.1[i] = value(self.rows.2, place)
        }
        x &+= 1
      }
      node &+= 1
    }
  }

  /// Sixteen taps: the first of them in the box, and their weights.
  private struct Place {
    let column: Int
    let row: Int
    let weightsX: SIMD4<Float>
    let weightsY: SIMD4<Float>
    let isInside: Bool

    @inline(__always)
    init(_ x: Int, _ y: Int, wayX: Float, wayY: Float, _ box: PixelRect) {
      let (right, down) = (WarpTaps.split(wayX), WarpTaps.split(wayY))
      (weightsX, weightsY) = (WarpTaps.weights(right.rest), WarpTaps.weights(down.rest))
      column = x &+ right.whole &- 1 &- box.x
      row = y &+ down.whole &- 1 &- box.y
      isInside = column >= 0 && row >= 0 && column &+ 4 <= box.width && row &+ 4 <= box.height
    }
  }

  @inline(__always)
  private func value(_ plane: UnsafePointer<Float>, _ place: Place) -> Float {
    guard place.isInside else {
      return valueAtEdge(plane, place.column, place.row, place.weightsX, place.weightsY)
    }
    let first = UnsafeRawPointer(plane + (place.row &* stride &+ place.column))
    let pitch = stride &* 4
    let weights = place.weightsY
    var sum = first.loadUnaligned(as: SIMD4<Float>.self) * weights.x
    sum += first.loadUnaligned(fromByteOffset: pitch, as: SIMD4<Float>.self) * weights.y
    sum += first.loadUnaligned(fromByteOffset: 2 &* pitch, as: SIMD4<Float>.self) * weights.z
    sum += first.loadUnaligned(fromByteOffset: 3 &* pitch, as: SIMD4<Float>.self) * weights.w
    let parts = sum * place.weightsX
    return (parts.x + parts.z) + (parts.y + parts.w)
  }

  /// The same at the edges of the picture: elsewhere the box holds all taps. Apart, so that the vectors
  /// of the other need not stand in memory to be indexed.
  @inline(never)
  private func valueAtEdge(
    _ plane: UnsafePointer<Float>, _ column: Int, _ row: Int, _ weightsX: SIMD4<Float>,
    _ weightsY: SIMD4<Float>
  ) -> Float {
    var sum = SIMD4<Float>()
    for j in 0..<4 {
      let line = plane + min(max(row + j, 0), box.height - 1) * stride
      for i in 0..<4 { sum[i] += line[min(max(column + i, 0), box.width - 1)] * weightsY[j] }
    }
    let parts = sum * weightsX
    return (parts.x + parts.z) + (parts.y + parts.w)
  }

  /// The whole pixels in `way`, which is less than 2²², rounded down, and what is left, 0…1. Adding
  /// 1.5·2²³ rounds to the nearest; without that trick it is a call of the C library for each.
  @inline(__always)
  fileprivate static func split(_ way: Float) -> (whole: Int, rest: Float) {
    let shift: Float = 12_582_912
    let shifted = way + shift
    let rest = way - (shifted - shift)
    let nearest = Int(Int32(bitPattern: shifted.bitPattern &- shift.bitPattern))
    return rest < 0 ? (nearest &- 1, rest + 1) : (nearest, rest)
  }

  /// Weights of the pixels −1, 0, 1 and 2 for a place `t` behind pixel 0.
  @inline(__always)
  fileprivate static func weights(_ t: Float) -> SIMD4<Float> {
    let cubic = SIMD4<Float>(-0.5, 1.5, -1.5, 0.5) * t + SIMD4<Float>(1, -2.5, 2, -0.5)
    return (cubic * t + SIMD4<Float>(-0.5, 0, 0.5, 0)) * t + SIMD4<Float>(0, 1, 0, 0)
  }
}
