import ImageCore

/// The inverse of the reversible LeGall 5/3 wavelet (ISO/IEC 15444-1 F.3) in two dimensions as used
/// by Sony's ARW 6: in each direction low-pass coefficients L and high-pass coefficients H between
/// them become
///
///     even = L − ((H before + H behind + 2) >> 2)
///     odd  = H + ((even before + even behind) >> 1)
///
/// and at the edges the missing neighbor is replaced by the other one. Columns first, whose first
/// coefficient is of either kind, then rows, which start with a low-pass one. Values are 16 bits
/// wide and wrap, so that no input traps.
struct SonyARW6Wavelet: Sendable {
  /// Low-pass in both directions; overwritten.
  let low: SubbandPlane<Int16>
  /// High-pass in rows (overwritten), in columns, in both.
  let high: [SubbandPlane<Int16>]
  /// Whether the first row is high-pass in columns.
  let beginsBetween: Bool

  /// All values, of twice the size. Nil if the band sizes do not match.
  func inverted() throws(PixelError) -> SubbandPlane<Int16>? {
    let (width, lows, highs) = (low.size.width, low.size.height, high[1].size.height)
    let isMore = beginsBetween ? highs - lows : lows - highs
    guard high[0].size == low.size, high[2].size == high[1].size, high[1].size.width == width,
      lows > 0, highs > 0, isMore == 0 || isMore == 1
    else { return nil }
    let first = beginsBetween ? 1 : 0
    for y in 0..<lows {
      let (before, behind) = (max(y + first - 1, 0), min(y + first, highs - 1))
      Self.lift(low.row(y), high[1].row(before), high[1].row(behind))
      Self.lift(high[0].row(y), high[2].row(before), high[2].row(behind))
    }
    let out = try SubbandPlane<Int16>(PixelSize(width: 2 * width, height: lows + highs))
    let scratch = RowMemory<Int16>(count: 2 * width)
    let (left, right) = (scratch.row.prefix(width), scratch.row.from(width))
    for y in 0..<out.size.height {
      guard (y + first) % 2 == 1 else {
        Self.interleave(low.row(y / 2), high[0].row(y / 2), into: out.row(y))
        continue
      }
      let index = y / 2
      let (before, behind) = (max(index - first, 0), min(index + 1 - first, lows - 1))
      Self.fill(left, high[1].row(index), low.row(before), low.row(behind))
      Self.fill(right, high[2].row(index), high[0].row(before), high[0].row(behind))
      Self.interleave(left, right, into: out.row(y))
    }
    return out
  }

  /// Replaces low-pass coefficients by the values at their positions.
  private static func lift(
    _ low: SampleRow<Int16>, _ before: SampleRow<Int16>, _ behind: SampleRow<Int16>
  ) {
    for x in 0..<low.count {
      let sum = Int32(before[x]) &+ Int32(behind[x]) &+ 2
      low[x] = Int16(truncatingIfNeeded: Int32(low[x]) &- sum &>> 2)
    }
  }

  /// Computes the values at the positions of high-pass coefficients.
  private static func fill(
    _ row: SampleRow<Int16>, _ high: SampleRow<Int16>, _ before: SampleRow<Int16>,
    _ behind: SampleRow<Int16>
  ) {
    for x in 0..<row.count {
      let sum = Int32(before[x]) &+ Int32(behind[x])
      row[x] = Int16(truncatingIfNeeded: Int32(high[x]) &+ sum &>> 1)
    }
  }

  /// Computes a row of twice the width from its coefficients.
  private static func interleave(
    _ low: SampleRow<Int16>, _ high: SampleRow<Int16>, into row: SampleRow<Int16>
  ) {
    let width = low.count
    func even(_ x: Int, _ before: Int) -> Int32 {
      let sum = Int32(high[before]) &+ Int32(high[x]) &+ 2
      return Int32(Int16(truncatingIfNeeded: Int32(low[x]) &- sum &>> 2))
    }
    var value = even(0, 0)
    for x in 0..<width - 1 {
      let next = even(x &+ 1, x)
      row[2 &* x] = Int16(truncatingIfNeeded: value)
      row[2 &* x &+ 1] = Int16(truncatingIfNeeded: Int32(high[x]) &+ (value &+ next) &>> 1)
      value = next
    }
    row[2 * width - 2] = Int16(truncatingIfNeeded: value)
    row[2 * width - 1] = Int16(truncatingIfNeeded: Int32(high[width - 1]) &+ value)
  }
}
