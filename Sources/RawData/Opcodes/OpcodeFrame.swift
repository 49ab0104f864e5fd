package import ImageCore

/// The picture to which the coordinates of an opcode list refer, and the position of samples in it.
package struct OpcodeFrame: Sendable {
  /// Columns and rows at full resolution.
  package var size: PixelSize
  /// Position in the frame of the first sample of the given picture; negative if it was trimmed.
  package var origin: PixelPoint
  /// Columns and rows of the frame that one pixel of the given picture covers.
  package var reduction: Int
  /// Width of a pixel over its height.
  package var pixelAspect: Double
  /// The highest value: 1, or 65535 for stored integers.
  package var top: Float = 1

  package init(
    size: PixelSize, origin: PixelPoint = PixelPoint(x: 0, y: 0), reduction: Int = 1,
    pixelAspect: Double = 1
  ) {
    (self.size, self.origin) = (size, origin)
    (self.reduction, self.pixelAspect) = (reduction, pixelAspect)
  }

  /// Limit of magnitudes, far above any real value, so that no later product overflows.
  package static let largest: Float = 65536

  /// The column of the frame at the center of column `x`.
  @inlinable
  package func column(_ x: Int) -> Int { x * reduction + reduction / 2 + origin.x }
  /// The row of the frame at the center of row `y`.
  @inlinable
  package func row(_ y: Int) -> Int { y * reduction + reduction / 2 + origin.y }
  /// Distance from the left edge of the frame to the center of column `x`, in columns of the frame.
  @inlinable
  package func centerX(_ x: Int) -> Double {
    (Double(x) + 0.5) * Double(reduction) + Double(origin.x)
  }
  /// Distance from the top edge of the frame to the center of row `y`.
  @inlinable
  package func centerY(_ y: Int) -> Double {
    (Double(y) + 0.5) * Double(reduction) + Double(origin.y)
  }

  /// Distance from `center`, in fractions of the frame, to its farthest corner, in pixel widths.
  package func farthestCorner(from center: (x: Double, y: Double)) -> Double {
    let (width, height) = (Double(size.width), Double(size.height))
    let dx = max(center.x, 1 - center.x) * width
    let dy = max(center.y, 1 - center.y) * height / pixelAspect
    return max((dx * dx + dy * dy).squareRoot(), 1e-6)
  }
}
