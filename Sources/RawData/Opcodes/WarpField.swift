package import ImageCore

/// A ``LensWarp`` on a picture: the displacement of each pixel's source, in pixels of the given
/// picture, which may be reduced.
///
/// Positions are computed at every ``spacing``-th column of a row, counted from the picture's left
/// edge, and interpolated linearly. The spacing is the largest of 16, 8, 4, 2 and 1 whose error in
/// the middle between two such columns is below 0.004 pixels at 33 × 33 points, so that errors stay
/// below 0.01.
package struct WarpField: Sendable {
  package let warp: LensWarp
  /// Columns and rows of the given picture.
  package let size: PixelSize
  /// Columns between computed positions.
  package let spacing: Int
  private let frame: OpcodeFrame
  private let center: SIMD2<Double>
  private let unit: Double
  /// Distance from the center of the frame to its corner, for lateral color.
  private let halfDiagonal: Double
  /// Sampled factors, concatenated; empty for formulas.
  private let factors: [Double]

  /// Displacements are clamped to this; NaN, too.
  static let farthest = 1e6
  private static let tolerance = 0.004

  package init(_ warp: LensWarp, _ frame: OpcodeFrame, size: PixelSize) {
    let factors = warp.sampledFactors
    let field = { (spacing: Int) in
      Self(warp, frame, size: size, spacing: spacing, factors: factors)
    }
    self = field([16, 8, 4, 2].first { field($0).isExact } ?? 1)
  }

  private init(
    _ warp: LensWarp, _ frame: OpcodeFrame, size: PixelSize, spacing: Int, factors: [Double]
  ) {
    self.factors = factors
    self.warp = warp
    self.size = size
    self.spacing = spacing
    self.frame = frame
    unit = frame.farthestCorner(from: warp.center)
    halfDiagonal = frame.farthestCorner(from: (x: 0.5, y: 0.5))
    center = SIMD2(
      warp.center.x * Double(frame.size.width), warp.center.y * Double(frame.size.height))
  }

  /// Displacement of the source of pixel (`x`, `y`) by coefficient set `set`.
  func displacement(x: Int, y: Int, set: Int) -> SIMD2<Double> {
    let (x, y) = (deltaX(x), deltaY(y))
    guard factors.isEmpty else {
      return withLateral(warp.planes[set], x, y, sampled(factors.span, set, x, y))
    }
    return displacement(warp.planes[set], x, y)
  }

  /// Writes the displacements of every ``spacing``-th column of row `y`, starting at column
  /// `first`.
  package func displacements(
    _ first: Int, count: Int, y: Int, set: Int, right: MutableRowView,
    down: MutableRowView
  ) {
    let y = deltaY(y)
    let plane = warp.planes[set]
    guard factors.isEmpty else {
      let factors = factors.span
      for node in 0..<count {
        let x = deltaX((first &+ node) &* spacing)
        let offset = withLateral(plane, x, y, sampled(factors, set, x, y))
        (right[node], down[node]) = (Float(offset.x), Float(offset.y))
      }
      return
    }
    for node in 0..<count {
      let offset = displacement(plane, deltaX((first &+ node) &* spacing), y)
      (right[node], down[node]) = (Float(offset.x), Float(offset.y))
    }
  }

  // The vector from the center as a fraction of the distance to the farthest corner. Positions
  // count from the center of the first pixel.
  @inline(__always)
  private func deltaX(_ x: Int) -> Double { (frame.centerX(x) - 0.5 - center.x) / unit }
  @inline(__always)
  private func deltaY(_ y: Int) -> Double { (frame.centerY(y) - 0.5 - center.y) / unit }

  @inline(__always)
  private func sampled(
    _ factors: Span<Double>, _ set: Int, _ x: Double, _ y: Double
  ) -> SIMD2<Double> {
    let row = y / frame.pixelAspect
    let position = min(x * x + row * row, 1) * Double(LensWarp.Radial.samples)
    // The last entry of a set is stored twice.
    let index = Int(position)
    let entry = set &* (LensWarp.Radial.samples + 2) &+ index
    let (low, high) = unsafe (factors[unchecked: entry], factors[unchecked: entry &+ 1])
    let factor = low + (high - low) * (position - Double(index))
    return SIMD2(x, y) * ((factor - 1) * (unit / Double(frame.reduction)))
  }

  @inline(__always)
  private func displacement(_ plane: LensWarp.Plane, _ x: Double, _ y: Double) -> SIMD2<Double> {
    let from = plane.source(x, y / frame.pixelAspect)
    let scale = unit / Double(frame.reduction)
    return withLateral(
      plane, x, y, SIMD2(from.x - x, from.y * frame.pixelAspect - y) * scale)
  }

  /// `offset` from (`x`, `y`) plus the lateral color of `plane` at that position, limited to
  /// ``farthest``.
  @inline(__always)
  private func withLateral(
    _ plane: LensWarp.Plane, _ x: Double, _ y: Double, _ offset: SIMD2<Double>
  ) -> SIMD2<Double> {
    guard let lateral = plane.lateral else { return bounded(offset) }
    let reduction = Double(frame.reduction)
    let middle = SIMD2(Double(frame.size.width - 1), Double(frame.size.height - 1)) * 0.5
    let source = SIMD2(x, y) * unit + center + offset * reduction - middle
    let shift = lateral.displacement(
      source.x / halfDiagonal, source.y / (halfDiagonal * frame.pixelAspect))
    return bounded(offset + shift / reduction)
  }

  @inline(__always)
  private func bounded(_ offset: SIMD2<Double>) -> SIMD2<Double> {
    func bounded(_ v: Double) -> Double {
      v.isFinite ? min(max(v, -Self.farthest), Self.farthest) : Self.farthest
    }
    return SIMD2(bounded(offset.x), bounded(offset.y))
  }

  private var isExact: Bool {
    for set in warp.planes.indices {
      for j in 0...32 {
        let y = (size.height - 1) * j / 32
        for i in 0...32 {
          let x = (size.width - 1) * i / 32 / spacing * spacing
          let ends =
            displacement(x: x, y: y, set: set) + displacement(x: x + spacing, y: y, set: set)
          let error = displacement(x: x + spacing / 2, y: y, set: set) - ends * 0.5
          if max(abs(error.x), abs(error.y)) > Self.tolerance { return false }
        }
      }
    }
    return true
  }

  /// Whether neighboring pixels have neighboring sources. A warp that scatters them would read the
  /// picture many times: the sources of 64 × 64 cells must not cover more than eight times the
  /// picture.
  var isPlausible: Bool {
    var covered = 0.0
    for row in 0..<64 {
      for column in 0..<64 {
        var (low, high) = (
          SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity)
        )
        for set in warp.planes.indices {
          for corner in 0..<9 {
            let x = size.width * (2 * column + corner % 3) / 128
            let y = size.height * (2 * row + corner / 3) / 128
            let offset = displacement(x: x, y: y, set: set)
            let source = SIMD2(
              min(max(Double(x) + offset.x, 0), Double(size.width)),
              min(max(Double(y) + offset.y, 0), Double(size.height)))
            low = pointwiseMin(low, source)
            high = pointwiseMax(high, source)
          }
        }
        covered += (high.x - low.x) * (high.y - low.y)
      }
    }
    return covered <= 8 * Double(size.area)
  }
}

// Source areas of tiles, and how often the picture is read for all tiles.
extension WarpField {
  /// Size of the tiles that are warped at a time.
  package static let tile = PixelSize(width: 2048, height: 128)
  /// Extra columns read on both sides of a tile for the tiles below, whose positions differ, and
  /// rows by which these may be higher.
  package static let margin = 32

  /// The part of the picture needed for `tile`, whose sources lie from `low` to `high`: with the
  /// interpolation taps, and with the tile itself where a plane is unchanged. Where sources overlap
  /// the tile along an axis, as for lens warps, the tile is included, so that tiles below each
  /// other share columns. Otherwise (a flipped picture) it is not: everything in between would be
  /// read for each tile.
  package func part(
    of tile: PixelRect, from low: SIMD2<Float>, to high: SIMD2<Float>
  ) -> PixelRect {
    let needsTile = warp.planes.contains(where: \.isIdentity)
    func bounds(_ low: Float, _ high: Float, _ own: Range<Int>, _ side: Int) -> Range<Int> {
      let (start, end) = (Float(own.lowerBound), Float(own.upperBound))
      let isJoined = needsTile || (low <= end && high >= start)
      let (lower, upper) = isJoined ? (min(low, start), max(high, end)) : (low, high)
      let first = min(max(Int(lower.rounded(.down)) - 2, 0), side - 1)
      let last = min(max(Int(upper.rounded(.up)) + 3, 0), side - 1)
      return first..<last + 1
    }
    let columns = bounds(low.x, high.x, tile.x..<tile.endX, size.width)
    let rows = bounds(low.y, high.y, tile.y..<tile.endY, size.height)
    return PixelRect(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The columns read for `part`: the `held` ones if they suffice, however many.
  package func columns(for part: PixelRect, keeping held: PixelRect) -> Range<Int> {
    held.x <= part.x && held.endX >= part.endX
      ? held.x..<held.endX
      : max(part.x - Self.margin, 0)..<min(part.endX + Self.margin, size.width)
  }

  /// `reading`: source pixels read for each pixel of the picture, if tiles are warped from the top
  /// and rows of the tile above are reused: little more than 1 for lenses, more for warps that bend
  /// or rotate, and somewhat more if rows are requested in bands lower than tiles. Stages before
  /// this warp repeat as often. `largest`: maximum number of source pixels for one tile.
  package var demand: (reading: Double, largest: Int) {
    var (pixels, largest) = (0, 0)
    for column in PixelRect(size).evenTiles(width: Self.tile.width, height: .max) {
      var (held, capacity) = (PixelRect(x: 0, y: 0, width: 0, height: 0), 0)
      for tile in column.evenTiles(width: .max, height: Self.tile.height) {
        let part = sampledPart(of: tile)
        largest = max(largest, part.size.area)
        let (columns, end) = (columns(for: part, keeping: held), max(held.endY, part.endY))
        if columns == held.x..<held.endX, (held.y...held.endY).contains(part.y),
          end - part.y <= capacity
        {
          pixels += (end - held.endY) * held.width
          held = PixelRect(x: held.x, y: part.y, width: held.width, height: end - part.y)
        } else {
          held = PixelRect(
            x: columns.lowerBound, y: part.y, width: columns.count, height: part.height)
          pixels += held.size.area
          capacity = part.height + Self.margin
        }
      }
    }
    return (Double(pixels) / Double(max(size.area, 1)), largest)
  }

  /// ``part(of:from:to:)`` by the sources of 33 × 5 pixels of `tile`.
  private func sampledPart(of tile: PixelRect) -> PixelRect {
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)
    for set in warp.planes.indices where !warp.planes[set].isIdentity {
      for j in 0...4 {
        let y = tile.y + (tile.height - 1) * j / 4
        for i in 0...32 {
          let x = tile.x + (tile.width - 1) * i / 32
          let source = SIMD2(Double(x), Double(y)) + displacement(x: x, y: y, set: set)
          low = pointwiseMin(low, source)
          high = pointwiseMax(high, source)
        }
      }
    }
    guard low.x <= high.x else { return tile }
    return part(of: tile, from: SIMD2<Float>(low), to: SIMD2<Float>(high))
  }
}
