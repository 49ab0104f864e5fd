/// Width and height in pixels. Neither is ever negative.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Longest side, in pixels, that filters, recipes and encoders accept.
  public static let largestSide = 1 << 20

  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of `width` × `height` pixels.
  public init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0, "a picture cannot have a negative size")
    self.width = width
    self.height = height
  }

  /// The size with the same aspect ratio whose longer side has at most `longerSide` pixels, 1 and
  /// more each.
  package func reduced(longerSide: Int) -> PixelSize {
    let longer = max(width, height)
    if longer <= longerSide { return self }
    func side(_ length: Int) -> Int {
      max(Int((Double(length) * Double(longerSide) / Double(longer)).rounded()), 1)
    }
    return PixelSize(width: side(width), height: side(height))
  }

  /// Number of pixels.
  public var area: Int { width * height }
  /// Width and height swapped.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
  /// `6000x4000`.
  public var description: String { "\(width)x\(height)" }
}

/// A position in pixels from the top left corner.
public struct PixelPoint: Sendable, Hashable, Codable {
  /// Column, from the left.
  public var x: Int
  /// Row, from the top.
  public var y: Int

  /// The position `x` pixels from the left and `y` from the top.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of pixels; the far edges are outside it.
public struct PixelRect: Sendable, Hashable, Codable {
  /// First column.
  public var x: Int
  /// First row.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// The rectangle of `width` × `height` pixels whose first pixel is (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// All of a picture of this size.
  public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// First column to the right of the rectangle.
  public var endX: Int { x + width }
  /// First row below the rectangle.
  public var endY: Int { y + height }
  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// Whether it holds no pixel.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The rectangle grown by `halo` pixels on each side; it may reach outside the picture.
  public func expanded(by halo: Int) -> PixelRect {
    PixelRect(x: x - halo, y: y - halo, width: width + 2 * halo, height: height + 2 * halo)
  }

  /// The intersection of both rectangles; may be empty.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(endX, other.endX) - left),
      height: max(0, min(endY, other.endY) - top))
  }

  /// The part from row `top` on.
  package func below(_ top: Int) -> PixelRect {
    PixelRect(x: x, y: top, width: width, height: endY - top)
  }

  /// Whether every pixel of `other` is in this rectangle.
  public func contains(_ other: PixelRect) -> Bool {
    other.x >= x && other.y >= y && other.endX <= endX && other.endY <= endY
  }
}
