import Containers
import ImageCore

/// The decoded components of a tile of Sony's ARW 6, and the mosaic computed from them
/// (``SonyARW6Decoder`` has the formulas).
struct SonyARW6Planes: Sendable {
  /// Number of components, including the differences of the greens.
  static let count = 4
  /// Half of the code range, the offset of the stored codes.
  private static let middle: Int32 = 2048

  private let green, red, blue, differences: SubbandPlane<Int16>

  /// `planes` in the order of ``plane(_:_:_:)``, all of one size.
  init(_ planes: [SubbandPlane<Int16>]) {
    (green, red, blue, differences) = (planes[0], planes[1], planes[2], planes[3])
  }

  /// Columns and rows of a component.
  var size: PixelSize { green.size }

  /// Component `index` of `tile`: green, red, blue, differences of the greens; nil if it is
  /// damaged.
  static func plane(
    _ index: Int, _ tile: SonyARW6Header.Tile, _ file: FileBytes
  ) throws(PixelError) -> SubbandPlane<Int16>? {
    func bands(_ region: Int, _ component: Int) throws(PixelError) -> [SubbandPlane<Int16>]? {
      try SonyARW6Coefficients(
        region: tile.geometry.region(region), component: tile.regions[region][component]
      ).bands(file)
    }
    if index == 3 { return try bands(4, 0)?.first }
    guard var plane = try bands(0, index)?.first else { return nil }
    for y in 0..<plane.size.height {
      let row = plane.row(y)
      for x in 1..<max(row.count, 1) { row[x] &+= row[x - 1] }
    }
    for region in 1...3 {
      guard let high = try bands(region, index),
        let finer = try SonyARW6Wavelet(
          low: plane, high: high, beginsBetween: tile.geometry.beginsBetween(region)
        ).inverted()
      else { return nil }
      plane = finer
    }
    return plane.size == tile.geometry.size ? plane : nil
  }

  /// Passes the samples of both mosaic rows for each of the `rows` of the components to `body`.
  func samples(_ rows: Range<Int>, _ body: (_ y: Int, _ row: CodeRowView) -> Void) {
    let width = size.width
    let greens = RowMemory<Int32>(count: 2 * width)
    var (beside, below) = (greens.row.prefix(width), greens.row.from(width))
    let mosaic = RowMemory<UInt16>(count: 4 * width)
    let (even, odd) = (mosaic.row.prefix(2 * width), mosaic.row.from(2 * width))
    let values = SonyARW6Curve.values
    let curve = values.span
    func clamped(_ code: Int32) -> Int32 { min(max(code, 0), 2 * Self.middle - 1) }
    fill(beside, rows.lowerBound)
    for y in rows {
      fill(below, min(y + 1, size.height - 1))
      let (d, r, b) = (differences.row(y), red.row(y), blue.row(y))
      for x in 0..<width {
        let left = max(x &- 1, 0)
        let sum = beside[left] &+ beside[x] &+ below[left] &+ below[x]
        let other = clamped(Int32(d[x]) &+ sum &>> 2 &+ Self.middle)
        let green = clamped(beside[x] &+ Self.middle)
        let mean = (other &+ green) &>> 1
        let codes = SIMD4(
          clamped(mean &+ 2 &* Int32(r[x])), green, other, clamped(mean &+ 2 &* Int32(b[x])))
        even[2 &* x] = unsafe curve[unchecked: Int(codes[0])]
        even[2 &* x &+ 1] = unsafe curve[unchecked: Int(codes[1])]
        odd[2 &* x] = unsafe curve[unchecked: Int(codes[2])]
        odd[2 &* x &+ 1] = unsafe curve[unchecked: Int(codes[3])]
      }
      body(2 * y, even)
      body(2 * y + 1, odd)
      swap(&beside, &below)
    }
  }

  /// Computes the greens beside red in row `y` of the components.
  private func fill(_ row: SampleRow<Int32>, _ y: Int) {
    let (low, above, here) = (green.row(y), differences.row(max(y - 1, 0)), differences.row(y))
    let last = row.count - 1
    for x in 0...last {
      let next = min(x &+ 1, last)
      let sum = Int32(above[x]) &+ Int32(above[next]) &+ Int32(here[x]) &+ Int32(here[next])
      let value = (2 &* Int32(low[x]) &- sum &>> 2) &>> 1
      row[x] = Int32(Int16(truncatingIfNeeded: value))
    }
  }
}
