/// One row of a picture: red, green and blue of the same columns, modified in place. The contract
/// is that of ``RowView``.
@usableFromInline
package struct RGBRows {
  @usableFromInline package let red: MutableRowView
  @usableFromInline package let green: MutableRowView
  @usableFromInline package let blue: MutableRowView

  /// Rows of the same columns and margins.
  @inlinable @inline(__always)
  package init(_ red: MutableRowView, _ green: MutableRowView, _ blue: MutableRowView) {
    assert(red.count == green.count && red.count == blue.count, "rows of several lengths")
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Columns.
  @inlinable
  package var count: Int { @inline(__always) get { red.count } }

  /// The row of a plane: 0 red, 1 green, 2 blue.
  @inlinable
  package subscript(plane: Int) -> MutableRowView {
    @inline(__always) get { plane == 0 ? red : plane == 1 ? green : blue }
  }

  /// The pixels at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func lanes(_ i: Int) -> RGBLanes {
    RGBLanes(red.lanes(i), green.lanes(i), blue.lanes(i))
  }

  /// Writes the pixels at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func setLanes(_ i: Int, _ value: RGBLanes) {
    red.setLanes(i, value.red)
    green.setLanes(i, value.green)
    blue.setLanes(i, value.blue)
  }

  /// The rows whose column 0 is column `i` of these.
  @inlinable @inline(__always)
  package func from(_ i: Int) -> RGBRows { RGBRows(red.from(i), green.from(i), blue.from(i)) }

  /// Copies the first `count` pixels of `rows`.
  package func update(from rows: RGBRows, count: Int) {
    for plane in 0..<3 { self[plane].update(from: rows[plane], count: count) }
  }

  /// The first `count` columns; the others become margin.
  @inlinable @inline(__always)
  package func prefix(_ count: Int) -> RGBRows {
    RGBRows(red.prefix(count), green.prefix(count), blue.prefix(count))
  }
}

/// Eight neighboring pixels: red, green and blue, a vector each.
@usableFromInline
package struct RGBLanes {
  @usableFromInline package var red: SIMD8<Float>
  @usableFromInline package var green: SIMD8<Float>
  @usableFromInline package var blue: SIMD8<Float>

  @inlinable @inline(__always)
  package init(_ red: SIMD8<Float>, _ green: SIMD8<Float>, _ blue: SIMD8<Float>) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The same function of each channel.
  @inlinable @inline(__always)
  package func map(_ body: (SIMD8<Float>) -> SIMD8<Float>) -> RGBLanes {
    RGBLanes(body(red), body(green), body(blue))
  }

  /// red · weights.x + green · weights.y + blue · weights.z, such as luminance.
  @inlinable @inline(__always)
  package func weighted(_ weights: SIMD3<Float>) -> SIMD8<Float> {
    red * weights.x + green * weights.y + blue * weights.z
  }

  /// The largest channel of each pixel.
  @inlinable
  package var highest: SIMD8<Float> {
    @inline(__always) get {
      let pair = select(red .> green, red, green)
      return select(pair .> blue, pair, blue)
    }
  }

  /// The smallest channel of each pixel.
  @inlinable
  package var lowest: SIMD8<Float> {
    @inline(__always) get {
      let pair = select(red .< green, red, green)
      return select(pair .< blue, pair, blue)
    }
  }

  /// All channels times one gain for each pixel.
  @inlinable @inline(__always)
  package static func * (pixels: RGBLanes, gain: SIMD8<Float>) -> RGBLanes {
    RGBLanes(pixels.red * gain, pixels.green * gain, pixels.blue * gain)
  }
}
