import ImageCore

/// Four neighboring pixels of a row, interpolated from the sixteen pixels around each position.
///
/// Source: R. Keys, "Cubic convolution interpolation for digital image processing" (1981), a = −½.
/// Units: any. At integer positions the pixel is unchanged. Pixels outside the picture repeat its
/// edge.
struct CubicResampling {
  /// Weights of the pixels −1, 0, 1 and 2 along one axis, each for four positions.
  struct Weights {
    let taps: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// For positions `t`, 0...1, after pixel 0.
    @inline(__always)
    init(_ t: SIMD4<Float>) {
      let before = ((t * -0.5 + 1) * t - 0.5) * t
      let here = (t * 1.5 - 2.5) * t * t + 1
      let next = ((t * -1.5 + 2) * t + 0.5) * t
      taps = (before, here, next, (t * 0.5 - 0.5) * t * t)
    }

    /// The four weights of position `k`.
    @inline(__always)
    subscript(k: Int) -> SIMD4<Float> { SIMD4(taps.0[k], taps.1[k], taps.2[k], taps.3[k]) }
  }

  /// The pixel before and above each position, and the weights from there.
  let column: SIMD4<Int32>
  let row: SIMD4<Int32>
  let across: Weights
  let down: Weights

  /// At the pixels `column` of row `row` of a picture, displaced by `right` and `below` pixels,
  /// below 2²².
  @inline(__always)
  init(column: SIMD4<Int32>, row: Int32, right: SIMD4<Float>, below: SIMD4<Float>) {
    let (x, y) = (Self.split(right), Self.split(below))
    self.column = column &+ x.integer &- 1
    self.row = y.integer &+ (row &- 1)
    (across, down) = (Weights(x.fraction), Weights(y.fraction))
  }

  /// The integer part, rounded down, and the fraction, 0...1. Adding 1.5 · 2²³ leaves no bits for a
  /// fraction.
  @inline(__always)
  private static func split(
    _ displacement: SIMD4<Float>
  ) -> (integer: SIMD4<Int32>, fraction: SIMD4<Float>) {
    let shift = SIMD4<Float>(repeating: 12_582_912)
    let shifted = displacement + shift
    let rest = displacement - (shifted - shift)
    let isBelow = rest .< 0
    let one = SIMD4<Float>.zero.replacing(with: 1, where: isBelow)
    let nearest =
      unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- unsafeBitCast(shift, to: SIMD4<Int32>.self)
    return (nearest &- SIMD4<Int32>.zero.replacing(with: 1, where: isBelow), rest + one)
  }

  /// Whether the taps of all four are neighbors in one row, and inside `size`.
  @inline(__always)
  func isRun(in size: PixelSize) -> Bool {
    let (x, y) = (column[0], row[0])
    return x >= 0 && y >= 0 && Int(x) <= size.width - 7 && Int(y) <= size.height - 4
      && column == x &+ SIMD4(0, 1, 2, 3) && row == SIMD4(repeating: y)
  }

  /// The four pixels if ``isRun(in:)``; `plane` has rows of `stride` samples.
  @inline(__always)
  func run(_ plane: MutableRowView, stride: Int) -> SIMD4<Float> {
    let first = plane.from(Int(row[0]) &* stride &+ Int(column[0]))
    let weights = down.taps
    @inline(__always)
    func filtered(_ i: Int) -> SIMD4<Float> {
      var sum = first.lanes4(i) * weights.0
      sum += first.lanes4(i &+ stride) * weights.1
      sum += first.lanes4(i &+ 2 &* stride) * weights.2
      sum += first.lanes4(i &+ 3 &* stride) * weights.3
      return sum
    }
    let (left, right) = (filtered(0) * across.taps.0, filtered(1) * across.taps.1)
    return (left + filtered(2) * across.taps.2) + (right + filtered(3) * across.taps.3)
  }

  /// Pixel `k`, bit-identical to ``run(_:stride:)``, wherever its taps are in a plane of `size`.
  func pixel(_ k: Int, _ plane: MutableRowView, stride: Int, size: PixelSize) -> Float {
    let (x, y, weights) = (Int(column[k]), Int(row[k]), down[k])
    let (right, bottom) = (size.width &- 1, size.height &- 1)
    var sum = SIMD4<Float>.zero
    for j in 0..<4 {
      let row = plane.from(min(max(y &+ j, 0), bottom) &* stride)
      var taps = SIMD4<Float>.zero
      if x >= 0 && x <= right &- 3 {
        taps = row.lanes4(x)
      } else {
        for i in 0..<4 { taps[i] = row[min(max(x &+ i, 0), right)] }
      }
      sum = j == 0 ? taps * weights[0] : sum + taps * weights[j]
    }
    sum *= across[k]
    return (sum[0] + sum[2]) + (sum[1] + sum[3])
  }
}
