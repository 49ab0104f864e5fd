import CKernels
import ImageCore
package import RawData

/// Corrects lateral color of a Bayer mosaic before the demosaic: moves red and blue to the position
/// of green. A demosaic takes the detail of each color from the others, so misaligned colors cause
/// errors.
///
/// Source: own, on the assumption of every demosaic since Hamilton and Adams (1997), that
/// differences of colors are smooth. All on the scale of ``DemosaicScale``. Green between its
/// photosites is (−1, 9, 9, −1)/16 along rows and along columns, weighted by one over the squared
/// steps along each, in which the four diagonal neighbors count half. With d the ``LateralShift``
/// of a color, its photosite at q images position q − d: K(q) = value(q) − green(q − d) is the
/// color difference at one position. The new value at x is green(x) + K(x + d), both read by cubic
/// convolution (``CubicResampling``), green at every column and K at every second. So only smooth
/// quantities are interpolated over long distances. d is evaluated at the center of each block of
/// 16 × 16 photosites: within 0.02 pixels. Measured on leaves behind a lens with 1 pixel of lateral
/// color at the corner: red is 4.5 dB closer to an ideal lens than with the same correction after
/// the demosaic, green 1.2 dB. Known failures: detail that only red and blue have is interpolated
/// over four photosites; noise of red and blue becomes slightly smoother.
struct LateralMosaic: Sendable {
  /// Rows and columns that are read around a rectangle.
  let reach: Int
  /// The largest shift along an axis, rounded up; larger ones are limited to it.
  private let farthest: Int
  private static let limit = 8
  private static let block = 16

  private let planes: [(shift: LateralShift, x: Int, y: Int)]
  private let greenParity: Int
  private let offset: Float
  private let middle: SIMD2<Double>
  private let half: SIMD2<Double>

  fileprivate static func recognizes(_ cfa: CFA) -> Bool { cfa.kind == .bayer }

  /// For a sensor of `size`; nil for other patterns than Bayer's, and without color.
  init?(_ color: LateralColor, _ cfa: CFA, _ size: PixelSize, scale: DemosaicScale) {
    guard Self.recognizes(cfa), !color.isEmpty else { return nil }
    var planes: [(shift: LateralShift, x: Int, y: Int)] = []
    for y in 0..<2 {
      for x in 0..<2 {
        let shift = [color.red, nil, color.blue, nil][cfa.channel(at: x, y)]
        if let shift { planes.append((shift, x, y)) }
      }
    }
    self.planes = planes
    greenParity = cfa.channel(at: 0, 0) == 1 ? 0 : 1
    offset = scale.offset
    let sides = SIMD2(Double(size.width), Double(size.height))
    let aspect = color.pixelAspect
    let diagonal = (sides.x * sides.x + sides.y * sides.y / (aspect * aspect)).squareRoot() / 2
    middle = (sides - 1) / 2
    half = SIMD2(diagonal, diagonal * aspect)
    var largest = 0.0
    for plane in planes {
      for i in 0...64 {
        let (u, v) = (Double(i % 8) / 3.5 - 1, Double(i / 8) / 4 - 1)
        let d = plane.shift.displacement(u * middle.x / half.x, v * middle.y / half.y)
        largest = max(largest, abs(d.x), abs(d.y))
      }
    }
    farthest = min(Int(min(largest, 100).rounded(.up)) + 1, Self.limit)
    reach = 2 * farthest + 12
  }

  /// Working memory of one worker, including the rows that the next rectangle below needs.
  final class Workspace {
    /// Roots of green, and of the others, each at every second column; steps at the others.
    let greens = TilePlane()
    let others = TilePlane()
    let across = TilePlane()
    let down = TilePlane()
    /// Green at every photosite.
    let green = TilePlane()
    /// K of both colors, at every second row and column.
    let differences = [TilePlane(), TilePlane()]
    /// Resampling positions of K and of the new values of both colors, for one row of blocks.
    fileprivate let differenceTaps = [Taps(), Taps()]
    fileprivate let valueTaps = [Taps(), Taps()]
  }

  /// Resampling positions of the blocks of a row.
  fileprivate final class Taps {
    var row: Int?
    var blocks: [ck_lateralTaps] = []
  }

  /// Moves the colors in `rect` of `mosaic`, which must include ``reach`` around it. If `rect`
  /// `continues` the last rectangle, only the rows since that one are read.
  func move(_ rect: PixelRect, of mosaic: TilePlane, _ work: Workspace, continues: Bool)
    throws(PixelError)
  {
    let known = rect.expanded(by: farthest + 5)
    let wide = known.expanded(by: farthest + 3)
    // Rows above the last ones around `rect` are no longer needed.
    try fillRoots(
      mosaic, wide.expanded(by: 4), keeping: continues ? known.endY - rect.height : nil, work)
    try fillGreen(wide, keeping: continues ? rect.y : nil, work)
    for index in planes.indices {
      if !continues {
        work.differenceTaps[index].row = nil
        work.valueTaps[index].row = nil
      }
      try fillDifferences(index, known, continues: continues, work)
      write(index, rect, mosaic, work)
    }
  }

  private func isGreenFirst(_ y: Int) -> Int64 { (y + greenParity) & 1 == 0 ? 1 : 0 }

  /// Pairs of columns that hold `rect`.
  private func pairs(_ rect: PixelRect) -> PixelRect {
    let x = rect.x >> 1
    return PixelRect(x: x, y: rect.y, width: (rect.endX + 1) >> 1 - x, height: rect.height)
  }

  private func fillRoots(
    _ mosaic: TilePlane, _ rect: PixelRect, keeping first: Int?, _ work: Workspace
  ) throws(PixelError) {
    let area = pairs(first.map { rect.below($0) } ?? rect)
    let pairs = try work.greens.scroll(to: area, continues: first != nil)
    _ = try work.others.scroll(to: area, continues: first != nil)
    for y in pairs.y..<pairs.endY {
      let from = mosaic.row(y).from(2 * pairs.x - mosaic.rect.x)
      ck_lateralRoots(
        from.kernel(2 * pairs.width, behind: ck_lateralRoots_behind), offset, isGreenFirst(y),
        work.greens.row(y).start, work.others.row(y).start, Int64(pairs.width))
    }
  }

  /// Fills green at every photosite of `rect`, reusing the rows from `first` on that are available.
  private func fillGreen(_ rect: PixelRect, keeping first: Int?, _ work: Workspace)
    throws(PixelError)
  {
    let (greens, across, down, green) = (work.greens, work.across, work.down, work.green)
    // Blocks begin up to one before `rect` and end up to two after it.
    let left = Self.block
    let area = PixelRect(
      x: rect.x - left, y: rect.y, width: rect.width + 3 * left, height: rect.height)
    let fresh = try green.scroll(
      to: first.map { area.below($0) } ?? area, continues: first != nil)
    let around = pairs(rect.below(fresh.y).expanded(by: 1))
    let steps = try across.scroll(to: around, continues: first != nil)
    _ = try down.scroll(to: around, continues: first != nil)
    func sites(_ y: Int, _ area: PixelRect) -> UnsafeMutablePointer<Float> {
      greens.row(y).from(area.x - greens.rect.x)
        .kernel(area.width, before: ck_lateralSteps_before, behind: ck_lateralSteps_behind)
    }
    for y in steps.y..<steps.endY {
      ck_lateralSteps(
        sites(y, around), Int64(greens.stride), isGreenFirst(y), across.row(y).start,
        down.row(y).start, Int64(around.width))
    }
    let made = pairs(rect)
    for y in fresh.y..<fresh.endY {
      ck_lateralGreen(
        sites(y, made), Int64(greens.stride), across.row(y).from(made.x - around.x).start,
        down.row(y).from(made.x - around.x).start, Int64(across.stride), isGreenFirst(y),
        green.row(y).from(2 * made.x - green.rect.x)
          .kernel(2 * made.width, behind: ck_lateralGreen_behind), Int64(made.width))
    }
  }

  /// Sets the resampling positions of the blocks of row `y` of `plane`: `scale` times their shift.
  private func set(
    _ taps: Taps, _ plane: LateralShift, _ blocks: ClosedRange<Int>, _ y: Int, scale: Double
  ) {
    let row = y >> 4
    guard taps.row != row else { return }
    taps.row = row
    taps.blocks.removeAll(keepingCapacity: true)
    for block in blocks { taps.blocks.append(ck_lateralTaps(shift(plane, block, row) * scale)) }
  }

  /// The shift of `plane` in block `block` of the row of blocks `row`, limited.
  private func shift(_ plane: LateralShift, _ block: Int, _ row: Int) -> SIMD2<Double> {
    let center = SIMD2(Double(block), Double(row)) * Double(Self.block) + Double(Self.block - 1) / 2
    let at = (center - middle) / half
    let d = plane.displacement(at.x, at.y)
    let bound = SIMD2<Double>(repeating: Double(farthest))
    return pointwiseMin(pointwiseMax(d, -bound), bound)
  }

  /// Fills K of a plane at its photosites in `rect`; rows above are reused if it `continues`.
  private func fillDifferences(
    _ index: Int, _ rect: PixelRect, continues: Bool, _ work: Workspace
  ) throws(PixelError) {
    let (plane, taps) = (planes[index], work.differenceTaps[index])
    let (others, green, differences) = (work.others, work.green, work.differences[index])
    let blocks = (rect.x >> 4)...((rect.endX - 1) >> 4)
    let rows = ((rect.y - plane.y + 1) >> 1)...((rect.endY - 1 - plane.y) >> 1)
    let area = PixelRect(
      x: 8 * blocks.lowerBound, y: rows.lowerBound, width: 8 * blocks.count, height: rows.count)
    let fresh = try differences.scroll(to: area, continues: continues)
    let x = blocks.lowerBound * Self.block + plane.x
    for row in fresh.y..<fresh.endY {
      let y = 2 * row + plane.y
      set(taps, plane.shift, blocks, y, scale: -1)
      ck_lateralDifferences(
        taps.blocks, green.row(y).from(x - green.rect.x).start, Int64(green.stride),
        others.row(y).from(x >> 1 - others.rect.x).start, differences.row(row).start,
        Int64(blocks.count))
    }
  }

  /// Writes the photosites of a plane in `rect`, rounded out to complete blocks.
  private func write(_ index: Int, _ rect: PixelRect, _ out: TilePlane, _ work: Workspace) {
    let (plane, taps) = (planes[index], work.valueTaps[index])
    let (differences, green) = (work.differences[index], work.green)
    let blocks = (rect.x >> 4)...((rect.endX - 1) >> 4)
    let x = blocks.lowerBound * Self.block + plane.x
    for y in rect.y..<rect.endY where (y - plane.y) & 1 == 0 {
      set(taps, plane.shift, blocks, y, scale: 0.5)
      ck_lateralValues(
        taps.blocks,
        differences.row((y - plane.y) >> 1).from(8 * blocks.lowerBound - differences.rect.x).start,
        Int64(differences.stride), green.row(y).from(x - green.rect.x).start, offset,
        out.row(y).from(x - out.rect.x).start, Int64(blocks.count))
    }
  }
}

extension SensorSettings {
  /// Whether ``lateral`` is corrected before the demosaic in pictures of `layout`.
  package static func takesLateral(of layout: SensorData.Layout) -> Bool {
    if case .mosaic(let cfa) = layout { LateralMosaic.recognizes(cfa) } else { false }
  }
}

extension ck_lateralTaps {
  /// Taps of cubic convolution in the four rows and columns around a displacement of `position`.
  init(_ position: SIMD2<Double>) {
    let integer = position.rounded(.down)
    let t = SIMD2<Float>(position - integer)
    let weights = CubicResampling.Weights(SIMD4(t.x, t.y, 0, 0))
    let (w, v) = (weights[0], weights[1])
    self.init(
      across: Int64(integer.x) - 1, down: Int64(integer.y) - 1,
      acrossWeights: (w[0], w[1], w[2], w[3]), downWeights: (v[0], v[1], v[2], v[3]))
  }
}
