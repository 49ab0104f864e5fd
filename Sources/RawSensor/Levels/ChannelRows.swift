import ImageCore
import RawData

/// One value for each photosite, by the channel of its filter: rows that a vector loop reads beside
/// the mosaic. They extend `margin` columns beyond both borders of the sensor.
final class ChannelRows: @unchecked Sendable {
  static let margin = 64

  /// Rows of the pattern, which all others repeat.
  let height: Int
  private let width: Int
  /// Samples from one row to the next.
  let stride: Int
  private let storage: PixelStorage<Float>

  /// Rows for a sensor of `width` columns; `values` = the value of each channel.
  init(_ cfa: CFA, width: Int, values: SIMD4<Float>) throws(PixelError) {
    height = cfa.height
    self.width = width
    stride = width + 2 * Self.margin + 16
    storage = try PixelStorage(zeros: height * stride)
    for y in 0..<height {
      for i in 0..<stride {
        storage.start[y * stride + i] = values[cfa.channel(at: i - Self.margin, y)]
      }
    }
  }

  /// Column 0 of the first row of the pattern.
  var first: UnsafePointer<Float> { UnsafePointer(storage.start + Self.margin) }

  /// Row `y` from column `x` on.
  @inline(__always)
  func row(x: Int, y: Int) -> MutableRowView {
    MutableRowView(
      storage.start + (floorModulo(y, height) &* stride &+ x &+ Self.margin), count: width &- x,
      before: Self.margin &+ x, behind: Self.margin &+ 16)
  }
}

extension CFA {
  /// Channel of the filter over the pixel in column `x`, row `y`, which may be negative.
  func channel(at x: Int, _ y: Int) -> Int {
    channel(x: floorModulo(x, width), y: floorModulo(y, height))
  }
}

/// `value` modulo `divisor`, never negative.
@inline(__always)
func floorModulo(_ value: Int, _ divisor: Int) -> Int {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
