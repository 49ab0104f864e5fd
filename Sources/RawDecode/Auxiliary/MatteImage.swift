public import ImageCore

/// The pixels of a matte, a mask or a depth map: values from 0 to 1 with the extent of
/// `RAWFilter.outputImage()`, upright and cropped like it, at an independent resolution.
public struct MatteImage: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// The values, row by row from the top left.
  public let samples: [Float]
  private let plane: MattePlane
  private let orientation: Orientation

  /// The window of `plane`, as `size` upright pixels.
  init(_ plane: MattePlane, orientation: Orientation, size: PixelSize) {
    self.plane = plane
    self.orientation = orientation
    self.size = size
    let stored = orientation.upright(size)
    let picture = plane.picture(stored)
    samples = orientation == .up ? picture : Self.turned(picture, stored, orientation, size)
  }

  /// The value at column `x` of row `y`; both must lie in the picture.
  public subscript(x: Int, y: Int) -> Float {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "outside the picture")
    return samples[y * size.width + x]
  }

  /// The same extent at another size, resampled from the stored pixels: interpolated for
  /// enlargement, averaged for reduction. At ``RAWFilter/outputSize`` pixels align with the output.
  public func resized(to size: PixelSize) -> MatteImage {
    MatteImage(plane, orientation: orientation, size: size)
  }

  private static func turned(
    _ picture: [Float], _ stored: PixelSize, _ orientation: Orientation, _ size: PixelSize
  ) -> [Float] {
    // Steps in the stored picture for one pixel to the right and one down.
    func index(_ x: Int, _ y: Int) -> Int {
      let from = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: stored)
      return from.y * stored.width + from.x
    }
    let first = index(0, 0)
    let (right, down) = (index(1, 0) - first, index(0, 1) - first)
    var samples: [Float] = []
    samples.reserveCapacity(size.area)
    for y in 0..<size.height {
      for x in 0..<size.width { samples.append(picture[first + right * x + down * y]) }
    }
    return samples
  }
}
